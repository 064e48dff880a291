"""The pieces of the Play screen: rooms, what they show, and one file for each who looks at them."""
