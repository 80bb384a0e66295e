"""An API server in memory: the rules of kube-apiserver without its sockets. Nothing in it knows who is calling."""
