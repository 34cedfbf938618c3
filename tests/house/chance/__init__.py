"""The shuffle of the house held against chance: by so many deals as one likes, or by the record of real play."""
