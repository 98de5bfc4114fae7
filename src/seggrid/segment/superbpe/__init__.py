"""SuperBPE and BoundlessBPE: merges within words, then merges across words.

After Liu et al. 2025, "SuperBPE: Space travel for language models" (arXiv 2503.13423), and Schmidt et al.
2025, "Boundless byte pair encoding" (arXiv 2504.00178). They are the axis `supermerges` of the segmenter
`bpe`.
"""
