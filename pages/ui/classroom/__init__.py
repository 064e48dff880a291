"""Class: exercises, the teacher's plan, and the room in which a class plays the street."""
