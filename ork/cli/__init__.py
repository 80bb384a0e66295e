"""The command line: one file per command, which parses flags, calls one function, and renders what came back."""
