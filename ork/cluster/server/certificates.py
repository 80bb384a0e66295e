"""A certificate for a server on loopback: `kubectl` sends its token over TLS only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from ork.base.records import NamedTuple

_VALID = timedelta(days=365)


class Certificate(NamedTuple):
    """A certificate that signed itself, and its key, in PEM."""

    certificate: bytes
    key: bytes

    def written(self, folder: Path) -> tuple[Path, Path]:
        """Write both into a folder, readable by their owner only; returns their paths."""
        paths = (folder / "server.crt", folder / "server.key")
        for path, content in zip(paths, self, strict=True):
            path.touch(mode=0o600)
            path.write_bytes(content)
        return paths


def self_signed(host: str) -> Certificate:
    """Return a new certificate for an IP address, and for `localhost`."""
    import ipaddress

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"ork at {host}")])
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address(host))]
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + _VALID)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return Certificate(made.public_bytes(serialization.Encoding.PEM), private)
