"""Controller of Luban, and all that crosses a process boundary. Private: import ``luban``."""
