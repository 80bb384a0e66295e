"""Resource entries: their short form as data, native fields merged over it, and what one entry compiles to."""
