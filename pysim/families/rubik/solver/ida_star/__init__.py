"""The search for shortest solutions of any cube, and the tables that it reads."""
