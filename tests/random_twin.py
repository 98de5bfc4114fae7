"""SplitMix64 in plain Python: the oracle for the random bits of kernels."""

MASK = (1 << 64) - 1


def random_bits(key, counter):
    z = (key + counter * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)
