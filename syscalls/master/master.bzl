"""call_table: the system calls that a syscalls.master file lists."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def call_table(name, src, **kwargs):
    """Generates NAME.h and NAME.cc from a table (syscalls/master/README.md) and compiles them.

    Args:
      name: of the library and of the two files; by convention SYSTEM_calls.
      src: the table, by convention syscalls.master.
      **kwargs: further attributes of cc_library, such as visibility.
    """
    header = name + ".h"
    source = name + ".cc"
    include_path = "/".join([part for part in [native.package_name(), header] if part])
    native.genrule(
        name = name + "_generate",
        srcs = [src],
        outs = [header, source],
        cmd = "$(location //syscalls/master:mastergen) $(location {}) {} $(location {}) $(location {})".format(
            src,
            include_path,
            header,
            source,
        ),
        tools = ["//syscalls/master:mastergen"],
        visibility = ["//visibility:private"],
    )
    cc_library(
        name = name,
        srcs = [source],
        hdrs = [header],
        deps = ["//syscalls/master:call_info"],
        **kwargs
    )
