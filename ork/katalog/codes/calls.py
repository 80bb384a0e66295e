"""External calls: the codes of this range."""

from __future__ import annotations

from ork.katalog.codes.entry import Code, error, warning

CODES: tuple[Code, ...] = (
    error(
        "ORK0701",
        "two calls of one name",
        "The results of all calls of a box are one namespace, over all of its lists, so one would overwrite the other.",
        "external:\n  - {name: health, url: http://a.example.com}\n  - {name: health, url: http://b.example.com}",
        "external:\n  - {name: healthA, url: http://a.example.com}\n  - {name: healthB, url: http://b.example.com}",
    ),
    error(
        "ORK0702",
        "a result that is not there",
        "`.external.<name>` is read before the call runs, or where no such call is declared.",
        'external:\n  - {name: second, url: "http://b.example.com/{{ .external.first.body }}"}\n'
        "  - {name: first, url: http://a.example.com}",
        "external:\n  - {name: first, url: http://a.example.com}\n"
        '  - {name: second, url: "http://b.example.com/{{ .external.first.body }}"}',
    ),
    error(
        "ORK0703",
        "a variable whose end is not clear",
        "`$NAME` is expanded from the operator's environment. Directly followed by an action its name has no end, "
        "and inside `if` or `range` it could not be told from data.",
        'token: "$API{{ .spec.suffix }}"',
        'token: "${API}{{ .spec.suffix }}"',
    ),
    warning(
        "ORK0704",
        "a call that is repeated in every cycle",
        "A POST, PATCH or DELETE under `onReconcile` without conditions is sent again on every resync.",
        "external:\n  - {name: order, url: http://shop.example.com/orders, method: POST}",
        "external:\n  - name: order\n    url: http://shop.example.com/orders\n    method: POST\n    when:\n"
        "      - {field: status.ordered, notExists: true}",
    ),
    warning(
        "ORK0705",
        "a credential to a host that the CR chooses",
        "The host of the URL comes out of the CR, and the call carries a token or secret header: whoever writes the "
        "CR decides who receives it.",
        'external:\n  - {name: api, url: "{{ .spec.url }}/v1", token: $API_TOKEN}',
        'external:\n  - name: api\n    url: "{{ .spec.url }}/v1"\n    token: $API_TOKEN\n'
        '    allowedHosts: ["*.example.com"]',
    ),
    error(
        "ORK0706",
        "an allowed host that is none",
        "`allowedHosts` has names of hosts, and suffixes such as `*.example.com`. With a scheme, port or path an entry "
        "would never match.",
        "allowedHosts: [https://api.example.com/v1]",
        "allowedHosts: [api.example.com]",
    ),
    warning(
        "ORK0707",
        "a credential in the file",
        "A `token` without any variable or expression stands in the Katalog for everybody who reads it. Take it from "
        "the operator's environment, or from a Secret by `auth.secretRef`.",
        "token: s3cr3t",
        "token: $API_TOKEN",
    ),
    error(
        "ORK0708",
        "a URL that is never called",
        "Calls go to absolute URLs with the scheme http or https; every other one is refused.",
        "url: ftp://files.example.com/list",
        "url: https://files.example.com/list",
    ),
)
