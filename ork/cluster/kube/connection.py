"""Where the cluster is and who we are there: kubeconfig (exec plugins included) or the pod's own service account."""

from __future__ import annotations

import asyncio
import inspect
import os
import ssl
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from kubernetes.aio.client.configuration import Configuration
from kubernetes.aio.config.config_exception import ConfigException
from kubernetes.aio.config.incluster_config import SERVICE_HOST_ENV_NAME, load_incluster_config
from kubernetes.aio.config.kube_config import KUBE_CONFIG_DEFAULT_LOCATION, list_kube_config_contexts, load_kube_config

from ork.base.errors import OutsideError
from ork.base.records import NamedTuple

_USUAL = os.path.expanduser(KUBE_CONFIG_DEFAULT_LOCATION or "~/.kube/config")
"""An empty KUBECONFIG is as none, which the library does not know."""
RENEW_EVERY = 60.0
"""Seconds after which credentials are asked for again; service account tokens rotate, exec plugins' expire."""


class Target(NamedTuple):
    """What the user chose: a kubeconfig file and context; both None is the usual search."""

    kubeconfig: Path | None = None
    context: str | None = None


class Connection:
    """An API server's address, its TLS context, and credentials that are renewed as they age."""

    def __init__(self, configuration: Any, target: Target, namespace: str, authorization: str | None) -> None:
        self._configuration, self._target = configuration, target
        self.server: str = configuration.host.rstrip("/")
        """The base URL, without a slash at its end."""
        self.namespace = namespace
        """The context's namespace, or the pod's; `default` where neither says."""
        self._authorization = authorization
        self._now = asyncio.get_running_loop().time
        self._renewed = self._now()
        self._renewal = asyncio.Lock()

    @property
    def proxy(self) -> str | None:
        """The proxy of the kubeconfig, else of the environment (`HTTPS_PROXY`, `NO_PROXY`), if any."""
        own: str | None = self._configuration.proxy
        address = urlsplit(self.server)
        if own or proxy_bypass(address.netloc):
            return own
        return getproxies().get(address.scheme)

    def tls(self) -> ssl.SSLContext | None:
        """Return the TLS context, with the client certificate if there is one; None for plain http."""
        settings = self._configuration
        if not settings.host.startswith("https"):
            return None
        context = ssl.create_default_context(cafile=settings.ssl_ca_cert, cadata=settings.ca_cert_data)
        if not settings.verify_ssl:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        if settings.cert_file:
            context.load_cert_chain(settings.cert_file, settings.key_file)
        return context

    async def authorization(self, *, renew: bool = False) -> str | None:
        """Return the Authorization header; `renew` asks for fresh credentials first (after a 401)."""
        asked = self._now()
        if renew or asked - self._renewed > RENEW_EVERY:
            async with self._renewal:
                if self._renewed <= asked:
                    await self._renew()
        return self._authorization

    async def _renew(self) -> None:
        self._renewed = self._now()
        # What cannot be renewed just now (a plugin that fails, a file that is being written) may still be good.
        with suppress(Exception):
            self._authorization = await _authorization(await _load(self._target))


async def _authorization(configuration: Any) -> str | None:
    token: str | None = await configuration.get_api_key_with_prefix("BearerToken", alias="authorization")
    if token is None and configuration.username:
        basic: str = configuration.get_basic_auth_token()
        return basic
    return token


async def connect(target: Target) -> Connection:
    """Read the configuration. Raises OutsideError with one line that says what is wrong with it."""
    _check_file(target)
    try:
        configuration = await _load(target)
        return Connection(configuration, target, _namespace(target), await _authorization(configuration))
    except ConfigException as error:
        raise OutsideError(f"{_source(target)}: {error}; choose another with --kubeconfig and --context") from error
    except OSError as error:
        raise OutsideError(f"{_source(target)} cannot be read: {error.strerror or error}") from error
    except Exception as error:  # the library meets whatever stands in the file with whatever error comes up
        raise OutsideError(f"{_source(target)} is not a kubeconfig ({type(error).__name__}); choose another") from error


def _check_file(target: Target) -> None:
    """The library would take a file that is not there for an empty one."""
    if _uses_pod(target):
        return
    files = [str(target.kubeconfig)] if target.kubeconfig else _USUAL.split(os.pathsep)
    if not any(Path(file).expanduser().exists() for file in files if file):
        raise OutsideError(f"{_source(target)}: there is no such file, and this is no pod; name one with --kubeconfig")


def in_cluster() -> bool:
    """Tell whether this process runs in a pod."""
    return SERVICE_HOST_ENV_NAME in os.environ


def _uses_pod(target: Target) -> bool:
    return target.kubeconfig is None and target.context is None and not os.environ.get("KUBECONFIG") and in_cluster()


async def _load(target: Target) -> Any:
    configuration = Configuration()
    if _uses_pod(target):
        load_incluster_config(configuration)
        return configuration
    loaded = load_kube_config(
        config_file=str(target.kubeconfig or _USUAL),
        context=target.context,
        client_configuration=configuration,
        persist_config=False,
    )
    if inspect.isawaitable(loaded):
        await loaded
    return configuration


def _namespace(target: Target) -> str:
    if _uses_pod(target):
        return Path("/var/run/secrets/kubernetes.io/serviceaccount/namespace").read_text().strip()
    contexts, active = list_kube_config_contexts(str(target.kubeconfig or _USUAL))
    chosen = next((entry for entry in contexts if entry["name"] == target.context), active)
    return str(chosen["context"].get("namespace") or "default")


def _source(target: Target) -> str:
    return f"kubeconfig {target.kubeconfig or _USUAL}"
