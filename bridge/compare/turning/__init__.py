"""Where pieces are that turn in groups and are told by what sticks on them; whole videos."""
