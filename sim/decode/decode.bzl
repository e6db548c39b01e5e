"""decode_library: the decoder and disassembler that a .decode file describes."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def decode_library(name, src, **kwargs):
    """Generates NAME.h and NAME.cc from a .decode file (sim/decode/README.md) and compiles them.

    Args:
      name: of the library and of the two files; by convention ISA_decode.
      src: the .decode file.
      **kwargs: further attributes of cc_library, such as visibility.
    """
    header = name + ".h"
    source = name + ".cc"
    include_path = "/".join([part for part in [native.package_name(), header] if part])
    native.genrule(
        name = name + "_generate",
        srcs = [src],
        outs = [header, source],
        cmd = "$(location //sim/decode:decodegen) $(location {}) {} $(location {}) $(location {})".format(
            src,
            include_path,
            header,
            source,
        ),
        tools = ["//sim/decode:decodegen"],
        visibility = ["//visibility:private"],
    )
    cc_library(
        name = name,
        srcs = [source],
        hdrs = [header],
        deps = ["//sim/base"],
        **kwargs
    )
