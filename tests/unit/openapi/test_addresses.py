"""IP addresses and blocks: what Kubernetes takes, and what it says of the rest."""

from __future__ import annotations

import pytest

from ork.openapi import addresses

NO_ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
NO_BLOCK = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
LOOPBACK = "may not be in the loopback range (127.0.0.0/8, ::1/128)"


@pytest.mark.parametrize(
    "text", ["10.9.8.7", "0.0.0.0", "::", "::1", "2001:DB8::1", "2001:db8:0:0:0:0:0:1", "::1.2.3.4"]
)
def test_these_are_addresses(text: str) -> None:
    assert addresses.ip(text) == ()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        *(
            (text, NO_ADDRESS)
            for text in ("", "a", "1.2.3", "1.2.3.4.5", "1.2.3.256", " 1.2.3.4", "1.2.3.4/8", "1::2::3")
        ),
        *((text, NO_ADDRESS) for text in ("fe80::1%eth0", "٣.1.1.1", "1.2.3.4\n", "-1.2.3.4")),
        *((text, "must not have leading 0s") for text in ("010.9.8.7", "10.9.8.07", "00.0.0.0", "::ffff:01.2.3.4")),
        ("::ffff:1.2.3.4", "must not be an IPv4-mapped IPv6 address"),
    ],
)
def test_what_is_no_address_is_said(text: str, complaint: str) -> None:
    assert addresses.ip(text) == (complaint,)


@pytest.mark.parametrize(("text", "form"), [("2001:DB8::1", "2001:db8::1"), ("0:0:0:0:0:0:0:1", "::1")])
def test_an_address_has_one_form(text: str, form: str) -> None:
    assert addresses.canonical_ip(text) == (f'must be in canonical form ("{form}")',)
    assert addresses.canonical_ip(form) == ()
    assert addresses.canonical_ip("a") == (NO_ADDRESS,)


@pytest.mark.parametrize("text", ["10.0.0.0/8", "0.0.0.0/0", "1.2.3.4/32", "2001:db8::/32", "::/0", "2001:DB8::/32"])
def test_these_are_blocks(text: str) -> None:
    assert addresses.cidr(text) == ()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        *((text, NO_BLOCK) for text in ("", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/+8")),
        *((text, NO_BLOCK) for text in ("::/129", "fe80::1%eth0/64", "a/8", "10.0.0.0/٨")),
        *((text, "must not have leading 0s in IP or prefix length") for text in ("010.0.0.1/8", "10.0.0.1/08")),
        ("::ffff:1.2.3.0/120", "must not have an IPv4-mapped IPv6 address"),
        *((text, "must not have bits set beyond the prefix length") for text in ("10.0.0.1/8", "::1/64", "1.0.0.0/0")),
    ],
)
def test_what_is_no_block_is_said(text: str, complaint: str) -> None:
    assert addresses.cidr(text) == (complaint,)


@pytest.mark.parametrize(
    ("whole", "part", "inside"),
    [
        *(
            ("10.0.0.0/8", "10.1.0.0/16", True),
            ("10.0.0.0/8", "10.0.0.0/8", False),
            ("10.0.0.0/8", "11.0.0.0/16", False),
        ),
        *(("10.0.0.0/8", "0.0.0.0/0", False), ("0.0.0.0/0", "::/20", False), ("::/0", "2001:db8::/32", True)),
        ("10.0.0.0/8", "::ffff:10.1.1.0/120", True),
    ],
)
def test_a_block_may_hold_a_smaller_one(whole: str, part: str, inside: bool) -> None:
    first, second = addresses.read_block(whole), addresses.read_block(part)
    assert first is not None
    assert second is not None
    assert first.contains(second) is inside


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        *(("1.2.3.4", ()), ("2001:db8::1", ()), ("224.0.1.1", ()), ("ff05::1", ()), ("10.0.0.1", ())),
        *(
            ("127.8.8.8", (LOOPBACK,)),
            ("::1", (LOOPBACK,)),
            ("::ffff:127.0.0.1", (LOOPBACK,)),
            ("0127.0.0.1", (LOOPBACK,)),
        ),
        *((zero, (f"may not be unspecified ({zero})",)) for zero in ("0.0.0.0", "::")),
        *(
            (text, ("may not be in the link-local range (169.254.0.0/16, fe80::/10)",))
            for text in ("169.254.1.1", "fe80::1")
        ),
        *(
            (text, ("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",))
            for text in ("224.0.0.1", "ff02::1", "ff12::1")
        ),
        ("a", ("must be a valid IP address",)),
    ],
)
def test_some_addresses_are_no_endpoints(text: str, complaints: tuple[str, ...]) -> None:
    assert addresses.endpoint(text) == complaints
