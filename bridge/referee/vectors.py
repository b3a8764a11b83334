"""Integer vectors in three dimensions."""

__all__ = ["IntVector", "compute_cross", "scale"]

IntVector = tuple[int, int, int]


def scale(vector: IntVector, factor: int) -> IntVector:
    """Return a vector multiplied by a factor."""
    return vector[0] * factor, vector[1] * factor, vector[2] * factor


def compute_cross(a: IntVector, b: IntVector) -> IntVector:
    """Return the right-handed cross product."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )
