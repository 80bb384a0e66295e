"""String formats: what an API server takes for each."""

from __future__ import annotations

import pytest

from ork.openapi.formats import is_known, is_valid

TABLE = {
    "bsonobjectid": (["507f1f77bcf86cd799439011"], ["507f"]),
    "byte": (["aGk=", "aGVsbG8="], ["", "aGk", "not base64!"]),
    "cidr": (["10.0.0.0/8", "10.1.2.3/8", "::1/64", "010.0.0.0/8"], ["10.0.0.0", "10.0.0.0/33", "x/8"]),
    "creditcard": (["4111 1111 1111 1111"], ["4111111111111112", "1"]),
    "date": (["2024-02-29", "0000-02-29"], ["2023-02-29", "2024-1-1", "2024-01-02T"]),
    "date-time": (
        ["2024-01-02T03:04:05Z", "2024-01-02t03:04:05.5+01:00", "2024-01-02T23:59:59z"],
        ["2024-01-02", "2024-01-02T03:04:05", "2024-01-02T24:00:00Z", "2024-01-02T03:04:60Z"],
    ),
    "duration": (["1h", "1.5h", "22 ns", "3 weeks", "-1m"], ["", "1", "h", "1x"]),
    "email": (["a@b.example", "Name <a@b.example>", '"a b"@c.example'], ["a", "a@", "a b@c"]),
    "hexcolor": (["#fff", "a1b2c3"], ["#ffff"]),
    "hostname": (["example.com", "a", "1a.example.com", "bücher.example"], ["", "a_b", "-a.example", "a" * 64 + ".b"]),
    "ipv4": (["1.2.3.4", "01.2.3.4", "::ffff:1.2.3.4"], ["1.2.3", "1.2.3.256", "::1", "1.2.3.4%eth0"]),
    "ipv6": (["::1", "2001:db8::1", "::ffff:1.2.3.4"], ["1.2.3.4", "::1%eth0", "x"]),
    "isbn": (["0321751043", "978-0321751041"], ["0321751044", "x"]),
    "isbn10": (["0321751043", "097522980X"], ["978-0321751041"]),
    "isbn13": (["978-0321751041"], ["978-0321751042"]),
    "k8s-long-name": (["a.b-c", "a"], ["A", "a..b", "-a"]),
    "k8s-short-name": (["a-b"], ["a.b", "a" * 64]),
    "mac": (["01:02:03:04:05:06", "01-02-03-04-05-06-07-08", "0102.0304.0506"], ["01:02:03", "01:02-03:04:05:06"]),
    "password": (["", "x"], []),
    "rgbcolor": (["rgb(1,2,3)", "rgb( 255 , 0,0 )"], ["rgb(256,0,0)"]),
    "ssn": (["123-45-6789"], ["12-345-6789"]),
    "uri": (
        ["http://a", "/path", "a:b", "https://a.example:80/b?c%zz", "*", "http://[::1]/"],
        ["", "a", "http://a b/", "/%zz", "http://a\nb"],
    ),
    "uuid": (["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"], ["123e4567"]),
    "uuid3": (["123e4567-e89b-32d3-a456-426614174000"], ["123e4567-e89b-12d3-a456-426614174000"]),
    "uuid4": (["123e4567-e89b-42d3-a456-426614174000"], ["123e4567-e89b-42d3-7456-426614174000"]),
    "uuid5": (["123e4567-e89b-52d3-a456-426614174000"], ["123e4567-e89b-42d3-a456-426614174000"]),
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, (good, _) in TABLE.items() for text in good])
def test_a_text_of_the_format_is_taken(name: str, text: str) -> None:
    assert is_valid(name, text)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, (_, bad) in TABLE.items() for text in bad])
def test_another_text_is_not(name: str, text: str) -> None:
    assert not is_valid(name, text)


def test_a_hyphen_in_a_format_has_no_meaning() -> None:
    assert is_known("date-time")
    assert is_known("datetime")
    assert not is_known("no-such-format")
