"""The compiler: files to a `Program` and findings. The only room that reads YAML; it never touches the network."""
