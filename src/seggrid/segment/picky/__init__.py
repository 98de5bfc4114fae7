"""PickyBPE: a BPE that removes types which hardly occur any more except in larger types.

After Chizhov, Arnett, Korotkova and Yamshchikov 2024, "BPE gets picky" (arXiv 2409.04599), section 3. It is
the axis `removal` of the segmenter `bpe`.
"""
