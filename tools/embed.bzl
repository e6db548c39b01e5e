"""embedded_texts: files as string literals inside a C++ program."""

def embedded_texts(name, srcs):
    """Generates FILE.inc for each FILE: its text as one literal, for #include where a value stands.

    Args:
      name: of the rule that has all of them.
      srcs: the files, in the package's folder or below it.
    """
    for src in srcs:
        native.genrule(
            name = src + "_literal",
            srcs = [src],
            outs = [src + ".inc"],
            cmd = "(printf 'R\"text('; cat $<; printf ')text\"') > $@",
        )
    native.filegroup(name = name, srcs = [src + ".inc" for src in srcs])
