"""The lexical segmentation beside others, on words of its part of speech."""
