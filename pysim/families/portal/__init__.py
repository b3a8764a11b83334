"""Portal chambers: rooms to be left with the help of two gates, boxes, lasers and beams."""
