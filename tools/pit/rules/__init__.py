"""The rule profiles for people: what they say, which readings of the texts they choose, whether a file fits them."""
