"""The street's houses one by one: the table that lists them, and what each of them pays and gives away."""
