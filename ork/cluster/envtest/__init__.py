"""A real kube-apiserver with an etcd of its own on this machine, started for a while: for `--envtest` and for tests."""
