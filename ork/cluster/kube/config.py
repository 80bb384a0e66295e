"""Where the cluster is and who we are there: kubeconfig (exec plugins included) or the pod's own service account.

`kubernetes` does the reading; it takes long to load, so it is loaded by those alone who read a configuration.
"""

from __future__ import annotations

import inspect
import logging
import os
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from kubernetes.aio.client.configuration import Configuration
from kubernetes.aio.config.config_exception import ConfigException
from kubernetes.aio.config.incluster_config import SERVICE_HOST_ENV_NAME, load_incluster_config
from kubernetes.aio.config.kube_config import KUBE_CONFIG_DEFAULT_LOCATION, list_kube_config_contexts, load_kube_config

from ork.base.errors import OutsideError
from ork.base.records import NamedTuple
from ork.base.text import cut
from ork.cluster.kube.connection import Connection, Credentials, Endpoint

_LIBRARY = logging.getLogger(list_kube_config_contexts.__module__)
_USUAL = os.path.expanduser(KUBE_CONFIG_DEFAULT_LOCATION or "~/.kube/config")
"""An empty KUBECONFIG is as none, which the library does not know."""


class Target(NamedTuple):
    """What the user chose: a kubeconfig file and context; both None is the usual search."""

    kubeconfig: Path | None = None
    context: str | None = None


async def connect(target: Target) -> Connection:
    """Read the configuration. Raises OutsideError with one line that says what is wrong with it."""
    _check_file(target)
    try:
        configuration = await _load(target)
        credentials = await _credentials(configuration)
        return Connection(_endpoint(configuration), _namespace(target), credentials, partial(_renewed, target))
    except ConfigException as error:
        raise OutsideError(f"{_source(target)}: {error}; choose another with --kubeconfig and --context") from error
    except ssl.SSLError as error:
        expected = "both in PEM, and of one pair"
        raise OutsideError(f"{_source(target)}: a certificate or key in it cannot be used: {expected}") from error
    except OSError as error:
        raise OutsideError(f"{_source(target)} cannot be read: {error.strerror or error}") from error
    except Exception as error:  # the library meets whatever stands in the file with whatever error comes up
        raise OutsideError(f"{_source(target)} is not a kubeconfig ({type(error).__name__}); choose another") from error


async def _renewed(target: Target) -> Credentials:
    return await _credentials(await _load(target))


async def _credentials(configuration: Any) -> Credentials:
    header: str | None = await configuration.get_api_key_with_prefix("BearerToken", alias="authorization")
    if header is None and configuration.username:
        header = configuration.get_basic_auth_token()
    return Credentials(header, configuration.cert_file, configuration.key_file)


def _endpoint(configuration: Any) -> Endpoint:
    server = configuration.host.rstrip("/")
    address = urlsplit(server)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise ConfigException(f'"{server}" is no address of an API server: write https://HOST:PORT')
    return Endpoint(
        server=server,
        ca_file=configuration.ssl_ca_cert,
        ca_data=configuration.ca_cert_data,
        verify=configuration.verify_ssl,
        server_name=configuration.tls_server_name,
        proxy=configuration.proxy,
    )


def _check_file(target: Target) -> None:
    """The library would take a file that is not there for an empty one."""
    if _uses_pod(target):
        return
    files = [str(target.kubeconfig)] if target.kubeconfig else _USUAL.split(os.pathsep)
    if not any(Path(file).expanduser().exists() for file in files if file):
        what_to_do = "name one with --kubeconfig, or try `ork run --embedded`"
        raise OutsideError(f"{_source(target)}: there is no such file, and this is no pod; {what_to_do}")


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
    with _complaints():
        loaded = load_kube_config(
            config_file=str(target.kubeconfig or _USUAL),
            context=target.context,
            client_configuration=configuration,
            persist_config=False,
        )
        if inspect.isawaitable(loaded):
            await loaded
    return configuration


@contextmanager
def _complaints() -> Iterator[None]:
    """Raise what the library only logs: of an exec plugin that fails it would make a caller without a name."""
    complaints: list[str] = []

    def hear(record: logging.LogRecord) -> bool:
        if record.levelno >= logging.ERROR:
            complaints.append(record.getMessage())
        return record.levelno < logging.ERROR

    _LIBRARY.addFilter(hear)
    try:
        yield
    finally:
        _LIBRARY.removeFilter(hear)
    if complaints:
        raise ConfigException(cut(complaints[0]))


def _namespace(target: Target) -> str:
    if _uses_pod(target):
        return Path("/var/run/secrets/kubernetes.io/serviceaccount/namespace").read_text().strip()
    contexts, active = list_kube_config_contexts(str(target.kubeconfig or _USUAL))
    chosen = next((entry for entry in contexts if entry["name"] == target.context), active)
    return str(chosen["context"].get("namespace") or "default")


def _source(target: Target) -> str:
    return f"kubeconfig {target.kubeconfig or _USUAL}"
