"""decode_library: the decoder and disassembler that a .decode file describes."""

load("//sim/codegen:codegen.bzl", "generated_library")

def decode_library(name, src, **kwargs):
    """Generates NAME.h and NAME.cc from a .decode file (sim/decode/README.md) and compiles them.

    Args:
      name: of the library and of the two files; by convention ISA_decode.
      src: the .decode file.
      **kwargs: further attributes of cc_library, such as visibility.
    """
    generated_library(
        name = name,
        src = src,
        generator = "//sim/decode:decodegen",
        deps = ["//sim/base"],
        **kwargs
    )
