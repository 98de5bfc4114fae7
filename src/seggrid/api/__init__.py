"""What `import seggrid` gives: the functions and classes that the commands are thin edges over."""
