"""`ork simulate`: scenarios against the API server in memory, in virtual time, and what they prove."""
