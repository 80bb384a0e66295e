"""The expression language: Go's `text/template` with notes, conditions, and trees of both.

Data flows lexer → parser → nodes → code. A fault is an offset in the expression's own text; files are the compiler's
business. Evaluation is pure: what it reads is the scope (data) and the `Env` (clock, sentinels).
"""
