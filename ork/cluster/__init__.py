"""What Kubernetes is to `ork`: an API server's semantics in memory (`memory`)."""
