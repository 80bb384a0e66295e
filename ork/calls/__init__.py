"""External HTTP calls: attempts and back-off, where a call may lead, and the client. `httpx` lives only here."""
