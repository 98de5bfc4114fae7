"""The functions and classes of `import seggrid`; the commands on texts are thin wrappers of them."""
