"""What lies on the faces of bodies: stickers, and the glyphs on them."""
