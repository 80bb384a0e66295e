"""What the API server refuses in Services, Ingresses, NetworkPolicies, Endpoints and EndpointSlices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ork.base.objects import Object
from ork.openapi import addresses, names
from ork.openapi.builtin.checks import (
    FieldRule,
    Rules,
    chosen,
    demand,
    domain_path,
    each,
    free,
    immutable,
    inside,
    labels,
    listed,
    named,
    port,
    port_if_set,
    port_or_name,
    strictly,
    unique,
)
from ork.openapi.causes import Cause, below, duplicate, forbidden, invalid, not_supported, required, too_long


# ── services ────────────────────────────────────────────────────────────────────────────────────
def _service_ports(spec: Object, path: str) -> Iterator[Cause]:
    ports, kind = spec.get("ports") or [], spec.get("type")
    if not ports and spec.get("clusterIP") != "None" and kind != "ExternalName":
        yield required(below(path, "ports"))
    seen: list[tuple[Any, Any]] = []
    for index, row in enumerate(ports):
        here = below(path, f"ports[{index}]")
        if len(ports) > 1 and not row.get("name"):
            yield required(below(here, "name"))
        if row.get("nodePort") and kind in ("ClusterIP", "ExternalName"):
            yield forbidden(below(here, "nodePort"), f"may not be used when `type` is '{kind}'")
        if (key := (row.get("protocol"), row.get("port"))) in seen:
            yield duplicate(here, {"Name": "", "Protocol": key[0], "AppProtocol": None, "Port": key[1]})
        seen.append(key)


def _asked_addresses(service: Object, _path: str) -> Iterator[Cause]:
    spec = service.get("spec") or {}
    address, more = spec.get("clusterIP"), spec.get("clusterIPs")
    if more and more[0] != address:
        text = "first value must match `clusterIP`" if address else "must be empty when `clusterIP` is not specified"
        yield invalid("spec.clusterIPs", more, text)
    yield from _families(spec)
    if spec.get("type") == "ExternalName":
        for field in ("clusterIPs", "ipFamilies", "ipFamilyPolicy"):
            if spec.get(field) or (field == "clusterIPs" and spec.get("clusterIP")):
                yield forbidden(f"spec.{field}", "may not be set for ExternalName services")


def unallocatable(service: Object) -> Iterator[Cause]:
    """Yield what a Service asks for that is not in a cluster's usual ranges of addresses and ports."""
    spec = service.get("spec") or {}
    address = addresses.read(spec.get("clusterIP") or "")
    if address is not None and not str(address).startswith("10."):
        text = f"failed to allocate IP {address}: the provided network does not match the current range"
        yield invalid("spec.clusterIPs", spec.get("clusterIPs") or [str(address)], text)
    for index, row in enumerate(spec.get("ports") or ()):
        number = row.get("nodePort")
        if number and spec.get("type") in ("NodePort", "LoadBalancer") and not 30000 <= number <= 32767:
            text = "provided port is not in the valid range. The range of valid ports is 30000-32767"
            yield invalid(f"spec.ports[{index}].nodePort", number, text)


def _families(spec: Object) -> Iterator[Cause]:
    """Want addresses of version 4."""
    families = spec.get("ipFamilies") or []
    for index, family in enumerate(families):
        if family in families[:index]:
            yield duplicate(f"spec.ipFamilies[{index}]", family)
        elif family == "IPv6" and spec.get("clusterIP") != "None":
            yield invalid(f"spec.ipFamilies[{index}]", family, "not configured on this cluster")
    if spec.get("ipFamilyPolicy") == "RequireDualStack" and spec.get("clusterIP") != "None":
        text = "this cluster is not configured for dual-stack services"
        yield invalid("spec.ipFamilyPolicy", "RequireDualStack", text)


def _external_name(spec: Object, path: str) -> Iterator[Cause]:
    if spec.get("type") != "ExternalName":
        return
    name = (spec.get("externalName") or "").removesuffix(".")
    if not name:
        yield required(below(path, "externalName"))
    yield from named(names.subdomain)(name, below(path, "externalName"))


def _addresses(spec: Object, path: str) -> Iterator[Cause]:
    kind, address, more = spec.get("type"), spec.get("clusterIP"), spec.get("clusterIPs")
    if kind == "ExternalName":
        return
    first = more[0] if more else address
    here = below(path, "clusterIPs[0]")
    if first == "None" and kind in ("NodePort", "LoadBalancer"):
        yield invalid(here, first, f"may not be set to 'None' for {kind} services")
    if first != "None":
        yield from named(addresses.ip)(first, here)


_ONLY_BALANCED = "may only be used when `type` is 'LoadBalancer'"


def _traffic(spec: Object, path: str) -> Iterator[Cause]:
    kind, policy = spec.get("type"), spec.get("externalTrafficPolicy")
    outside = kind in ("NodePort", "LoadBalancer") or (kind == "ClusterIP" and spec.get("externalIPs"))
    if policy and not outside:
        text = "may only be set for externally-accessible services"
        yield invalid(below(path, "externalTrafficPolicy"), policy, text)
    yield from _source_ranges(spec, below(path, "LoadBalancerSourceRanges"))
    if spec.get("allocateLoadBalancerNodePorts") is not None and kind != "LoadBalancer":
        yield forbidden(below(path, "allocateLoadBalancerNodePorts"), _ONLY_BALANCED)
    if spec.get("loadBalancerClass") is not None and kind != "LoadBalancer":
        yield forbidden(below(path, "loadBalancerClass"), _ONLY_BALANCED)
    if spec.get("healthCheckNodePort") and not (kind == "LoadBalancer" and policy == "Local"):
        text = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
        yield invalid(below(path, "healthCheckNodePort"), spec["healthCheckNodePort"], text)
    seconds = inside(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds")
    if seconds is not None and not 0 < seconds <= 86400:
        here = below(path, "sessionAffinityConfig.clientIP.timeoutSeconds")
        yield invalid(here, seconds, "must be greater than 0 and less than 86400")


def _source_ranges(spec: Object, path: str) -> Iterator[Cause]:
    ranges = spec.get("loadBalancerSourceRanges") or ()
    if ranges and spec.get("type") != "LoadBalancer":
        yield forbidden(path, _ONLY_BALANCED)
    for index, value in enumerate(ranges):
        yield from (invalid(f"{path}[{index}]", value, text) for text in addresses.cidr(value.strip()))


def _address_kept(new: Object, old: Object) -> Iterator[Cause]:
    after, before = new.get("spec") or {}, old.get("spec") or {}
    if "ExternalName" in (after.get("type"), before.get("type")) or not before.get("clusterIP"):
        return
    if after.get("clusterIP") != before["clusterIP"]:
        yield invalid("spec.clusterIPs[0]", [after.get("clusterIP")], "may not change once set")


# ── ingresses ───────────────────────────────────────────────────────────────────────────────────
def _has_rules(spec: Object, path: str) -> Iterator[Cause]:
    if not spec.get("rules") and spec.get("defaultBackend") is None:
        yield invalid(path, spec.get("rules"), "either `defaultBackend` or `rules` must be specified")


def _host(value: Any, path: str) -> Iterator[Cause]:
    if not value:
        return
    if addresses.read(value):
        yield invalid(path, value, "must be a DNS name, not an IP address")
    else:
        yield from named(names.wildcard if "*" in value else names.subdomain)(value, path)


def _ingress_path(row: Object, path: str) -> Iterator[Cause]:
    value, kind = row.get("path") or "", row.get("pathType")
    here = below(path, "path")
    if kind is None:
        yield required(below(path, "pathType"), "pathType must be specified")
    if kind in ("Exact", "Prefix"):
        if not value.startswith("/"):
            yield invalid(here, value, "must be an absolute path")
        for part in ("//", "/./", "/../", "%2f", "%2F"):
            if part in value:
                yield invalid(here, value, f"must not contain '{part}'")
        for part in ("/..", "/."):
            if value.endswith(part):
                yield invalid(here, value, f"cannot end with '{part}'")
    elif kind == "ImplementationSpecific" and value and not value.startswith("/"):
        yield invalid(here, value, "must be an absolute path")


def _backend(value: Object, path: str) -> Iterator[Cause]:
    service, resource = value.get("service"), value.get("resource")
    if service is None and resource is None:
        yield invalid(path, "", "resource or service backend is required")
    elif service is not None and resource is not None:
        yield invalid(path, "", "cannot set both resource and service backends")
    elif service is not None:
        number, name = inside(service, "port", "number"), inside(service, "port", "name")
        if number and name:
            yield invalid(path, "", "cannot set both port name & port number")
        elif not number and not name:
            yield required(path, "port name or number is required")


# ── ingress classes ─────────────────────────────────────────────────────────────────────────────
def _controller(value: Any, path: str) -> Iterator[Cause]:
    if not value:
        return
    if len(value) > 250:
        yield too_long(path, 250)
    yield from domain_path(value, path)


def _parameters(value: Object, path: str) -> Iterator[Cause]:
    scope, namespace, here = value.get("scope"), value.get("namespace"), below(path, "namespace")
    if scope == "Namespace" and namespace is None:
        yield required(here, "`parameters.scope` is set to 'Namespace'")
    elif scope == "Namespace":
        yield from strictly(names.dns_label)(namespace, here)
    elif scope == "Cluster" and namespace is not None:
        yield forbidden(here, "`parameters.scope` is set to 'Cluster'")


# ── network policies ────────────────────────────────────────────────────────────────────────────
def _policy_types(value: Any, path: str) -> Iterator[Cause]:
    if len(value or ()) > 2:
        yield invalid(path, value, "may not specify more than two policyTypes")
        return
    for index, kind in enumerate(value or ()):
        if kind not in ("Ingress", "Egress"):
            yield not_supported(f"{path}[{index}]", kind, ("Ingress", "Egress"))


def _policy_port(row: Object, path: str) -> Iterator[Cause]:
    last, first = row.get("endPort"), row.get("port")
    if last is None:
        return
    if isinstance(first, str):
        yield invalid(below(path, "endPort"), last, "may not be specified when `port` is non-numeric")
    elif first is None:
        yield invalid(below(path, "endPort"), last, "may not be specified when `port` is not specified")
    elif last < first:
        yield invalid(below(path, "endPort"), last, "must be greater than or equal to `port`")


def _peer(row: Object, path: str) -> Iterator[Cause]:
    found = [field for field in ("podSelector", "namespaceSelector", "ipBlock") if row.get(field) is not None]
    if not found:
        yield required(path, "must specify a peer")
    elif len(found) > 1 and "ipBlock" in found:
        yield forbidden(path, "may not specify both ipBlock and another peer")


def _ip_block(block: Object, path: str) -> Iterator[Cause]:
    outer = block.get("cidr") or ""
    if not outer:
        yield required(below(path, "cidr"))
    yield from named(addresses.cidr)(outer, below(path, "cidr"))
    whole = addresses.read_block(outer)
    for index, value in enumerate(block.get("except") or ()) if whole else ():
        here, part = below(path, f"except[{index}]"), addresses.read_block(value)
        yield from strictly(addresses.cidr)(value, here)
        if whole and part and not whole.contains(part):
            yield invalid(here, value, "must be a strict subset of `cidr`")


# ── endpoints ───────────────────────────────────────────────────────────────────────────────────
def _subset(row: Object, path: str) -> Iterator[Cause]:
    if not row.get("addresses") and not row.get("notReadyAddresses"):
        yield required(path, "must specify `addresses` or `notReadyAddresses`")
    ports = row.get("ports") or []
    for index, item in enumerate(ports):
        if len(ports) > 1 and not item.get("name"):
            yield required(below(path, f"ports[{index}].name"))


def _endpoint_ip(value: Any, path: str) -> Iterator[Cause]:
    yield from strictly(addresses.ip)(value, path)
    yield from strictly(addresses.endpoint)(value, path)


def _external_ip(value: Any, path: str) -> Iterator[Cause]:
    yield from (invalid(path, value, text) for text in addresses.ip(value) or addresses.endpoint(value))


def _slice_addresses(value: Object, path: str) -> Iterator[Cause]:
    rule = _BY_ADDRESS_TYPE.get(value.get("addressType") or "", free)
    for index, row in enumerate(value.get("endpoints") or ()):
        here = below(path, f"endpoints[{index}].addresses")
        if not row.get("addresses"):
            yield required(here)
        yield from each(rule)(row.get("addresses") or (), here)


def _of_family(version: int) -> FieldRule:
    """Want an address of that IP version, in its one form."""

    def rule(value: Any, path: str) -> Iterator[Cause]:
        complaints = addresses.canonical_ip(value)
        yield from (invalid(path, value, text) for text in complaints or addresses.endpoint(value))
        if not complaints and (":" in value) != (version == 6):
            yield invalid(path.rpartition("[")[0], value, f"must be an IPv{version} address")

    return rule


_BY_ADDRESS_TYPE = {"FQDN": named(names.subdomain), "IPv4": _of_family(4), "IPv6": _of_family(6)}


def _slice_ports(value: Any, path: str) -> Iterator[Cause]:
    seen: set[str] = set()
    for index, row in enumerate(value or ()):
        if (name := row.get("name") or "") in seen:
            yield duplicate(f"{path}[{index}].name", name)
        seen.add(name)


RULES: Mapping[str, Rules] = {
    "core.v1.EndpointAddress": Rules({"ip": _endpoint_ip, "hostname": named(names.dns_label)}),
    "core.v1.EndpointPort": Rules({"name": named(names.dns_label), "port": port}),
    "core.v1.EndpointSubset": Rules(whole=(_subset,)),
    "core.v1.Service": Rules(creation=(_asked_addresses,), changes=(_address_kept,)),
    "core.v1.ServicePort": Rules(
        {
            "name": named(names.dns_label),
            "port": port,
            "targetPort": port_or_name,
            "appProtocol": strictly(names.qualified),
        }
    ),
    "core.v1.ServiceSpec": Rules(
        {
            "selector": labels,
            "externalIPs": each(_external_ip),
            "ports": unique("name"),
            "trafficDistribution": listed("PreferClose", "PreferSameZone", "PreferSameNode"),
        },
        (_service_ports, _external_name, _addresses, _traffic),
    ),
    "discovery.v1.EndpointPort": Rules(
        {
            "name": named(names.dns_label),
            "protocol": chosen("SCTP", "TCP", "UDP"),
            "appProtocol": strictly(names.qualified),
        }
    ),
    "discovery.v1.EndpointSlice": Rules(
        {"addressType": listed(*_BY_ADDRESS_TYPE), "ports": _slice_ports},
        (_slice_addresses,),
        needs=demand("addressType"),
        changes=(immutable("addressType", shown=False),),
    ),
    "networking.v1.HTTPIngressPath": Rules(whole=(_ingress_path,)),
    "networking.v1.HTTPIngressRuleValue": Rules(needs=demand("paths")),
    "networking.v1.IPBlock": Rules(whole=(_ip_block,)),
    "networking.v1.IngressBackend": Rules(whole=(_backend,)),
    "networking.v1.IngressClassParametersReference": Rules(
        {
            "apiGroup": strictly(names.subdomain),
            "kind": named(names.path_segment),
            "name": named(names.path_segment),
            "scope": chosen("Cluster", "Namespace"),
        },
        (_parameters,),
        needs=demand("kind", "name"),
    ),
    "networking.v1.IngressClass": Rules(changes=(immutable("spec.controller"),)),
    "networking.v1.IngressClassSpec": Rules({"controller": _controller}, needs=demand("controller")),
    "networking.v1.IngressRule": Rules({"host": _host}),
    "networking.v1.IngressServiceBackend": Rules({"name": named(names.dns_label)}, needs=demand("name")),
    "networking.v1.IngressSpec": Rules({"ingressClassName": named(names.subdomain)}, (_has_rules,)),
    "networking.v1.IngressTLS": Rules({"hosts": each(_host), "secretName": named(names.subdomain)}),
    "networking.v1.NetworkPolicyPeer": Rules(whole=(_peer,)),
    "networking.v1.NetworkPolicyPort": Rules(
        {"port": port_or_name, "protocol": chosen("TCP", "UDP", "SCTP")}, (_policy_port,)
    ),
    "networking.v1.NetworkPolicySpec": Rules({"policyTypes": _policy_types}),
    "networking.v1.ServiceBackendPort": Rules({"name": named(names.port_name), "number": port_if_set}),
}
