"""What is shown to a class: Algorithm 1 on a small street, eight exercises, the story of a price, a tour."""
