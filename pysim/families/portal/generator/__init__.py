"""Making chambers: modules that need a mechanic, rooms of modules, and the generator."""
