"""`ork`: Kubernetes operators declared in YAML. One compiler and one evaluation core serve every command."""

__version__ = "0.1.0"
