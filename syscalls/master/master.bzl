"""call_table: the system calls that a syscalls.master file lists."""

load("//sim/codegen:codegen.bzl", "generated_library")

def call_table(name, src, **kwargs):
    """Generates NAME.h and NAME.cc from a table (syscalls/master/README.md) and compiles them.

    Args:
      name: of the library and of the two files; by convention SYSTEM_calls.
      src: the table, by convention syscalls.master.
      **kwargs: further attributes of cc_library, such as visibility.
    """
    generated_library(
        name = name,
        src = src,
        generator = "//syscalls/master:mastergen",
        deps = [
            "//syscalls/master:call_info",
            "//syscalls/master:call_table",
        ],
        **kwargs
    )
