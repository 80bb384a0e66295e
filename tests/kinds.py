"""Kinds of Kubernetes that many tests speak of."""

from __future__ import annotations

from ork.base.objects import Kind

CONFIG_MAPS = Kind("", "v1", "ConfigMap", "configmaps", True)
DEPLOYMENTS = Kind("apps", "v1", "Deployment", "deployments", True)
NAMESPACES = Kind("", "v1", "Namespace", "namespaces", False)
SERVICES = Kind("", "v1", "Service", "services", True)
PODS = Kind("", "v1", "Pod", "pods", True)
