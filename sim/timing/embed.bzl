"""embedded_descriptions: .timing and .machine files inside a C++ program."""

def embedded_descriptions(name, srcs):
    """Generates NAME.inc: the files as initialisers of DescriptionFile, in alphabetical order.

    Args:
      name: of the rule, and of the file without its suffix.
      srcs: the files (sim/timing/cpu_description.h has their format).
    """
    native.genrule(
        name = name,
        srcs = sorted(srcs),
        outs = [name + ".inc"],
        cmd = "for f in $(SRCS); do printf '{\"%s\", R\"timing(' $${f##*/}; cat $$f; " +
              "printf ')timing\"},\\n'; done > $@",
    )
