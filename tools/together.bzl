"""Files that are compiled together, as one.

Most of the time that a file takes is the headers': of syscalls/posix's sixty they cost three seconds each, and those of
ten files as one cost four. So a file sees what those before it in its list name and include: a redefinition does not
compile, an overload does.
"""

load("@rules_cc//cc:defs.bzl", "cc_library")

def library(name, srcs, deps = [], **kwargs):
    """A cc_library.

    Args:
      name: the library's name.
      srcs: files, and lists of .cc files: those of a list are compiled together.
      deps: as cc_library's.
      **kwargs: further attributes of cc_library.
    """
    lists = [each for each in srcs if type(each) == type([])]
    files = [each for each in srcs if type(each) != type([])]
    for number in range(len(lists)):
        part = name + ("_together" if len(lists) == 1 else "_%d_together" % (number + 1))
        one_file(part, lists[number])
        files.append(part + ".cc")
        deps = deps + [":" + part]
    cc_library(name = name, srcs = files, deps = deps, **kwargs)

def one_file(name, files, **kwargs):
    """NAME.cc includes the files, and the library NAME has them."""
    lines = ["#include \"%s/%s\"" % (native.package_name(), file) for file in files]
    native.genrule(
        name = name + "_file",
        outs = [name + ".cc"],
        cmd = "printf '%%s\\n' %s > $@" % " ".join(["'%s'" % line for line in lines]),
    )
    cc_library(
        name = name,
        textual_hdrs = files,
        visibility = ["//visibility:private"],
        **kwargs
    )
