"""What policies that learn are given: cubes as rows of numbers, by the thousand."""
