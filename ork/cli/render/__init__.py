"""How results look: text, JSON, SARIF, JUnit, GitHub."""
