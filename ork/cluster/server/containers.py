"""What is answered about the containers of a pod that no node runs: no log, nothing to run a command in."""

from __future__ import annotations

from ork.base.objects import Object
from ork.cluster.memory import status
from ork.cluster.server.messages import Content, Request, Response

PATHS = frozenset({"attach", "exec", "log", "portforward", "proxy"})
"""The subresources of a pod that lead to its node."""


def answer(request: Request, subresource: str, pod: Object) -> Response:
    """Answer a request that a node would have to carry out. Raises ApiError."""
    name, wanted = pod["metadata"]["name"], request.param("container")
    names = [row["name"] for part in ("initContainers", "containers") for row in pod["spec"].get(part) or ()]
    if wanted and wanted not in names:
        raise status.bad_request(f"container {wanted} is not valid for pod {name}")
    if subresource == "log":
        return Response(204, Content("", b""))
    if subresource == "proxy":
        raise status.bad_request("address not allowed")
    raise status.bad_request(f"pod {name} does not have a host assigned")
