// The page of `seggrid show`: the viewer alone.

theme(() => {});
alignments();
