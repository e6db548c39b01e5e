"""The targets that every instruction set has."""

load("@rules_cc//cc:defs.bzl", "cc_library")
load("//sim/decode:decode.bzl", "decode_library")
load("//sim/timing:embed.bzl", "embedded_descriptions")
load("//tools:together.bzl", "library")

TESTS = [
    "//bench:__pkg__",
    "//tests:__subpackages__",
]

def instruction_set(name, processor_srcs, processor_hdrs, processor_deps, abi_hdrs, abi_srcs = [], abi_deps = [], srcs = [], deps = []):
    """The instruction set of the folder.

    These are NAME_decode, of NAME.decode; abi, what a personality may see of the processor; NAME, the processor;
    debug_registers, what a debugger may see of it; and instruction_set, which names them to the commands. There must be
    a target "disassembly".

    Args:
      name: of the folder, and of the processor's library.
      processor_srcs: sources of the processor besides cpus.cc, predecode.cc and its .timing and .machine files.
      processor_hdrs: its headers.
      processor_deps: its libraries besides those that all have.
      abi_hdrs: headers of abi.
      abi_srcs: its sources.
      abi_deps: its libraries besides those that all have.
      srcs: sources of instruction_set besides instruction_set.cc and call_numbers.cc.
      deps: its libraries besides those that all have.
    """
    decode_library(
        name = name + "_decode",
        src = name + ".decode",
        visibility = TESTS,
    )
    embedded_descriptions(
        name = "timing_files",
        srcs = native.glob(["timing/*.timing"]),
    )
    embedded_descriptions(
        name = "machine_files",
        srcs = native.glob(["machines/*.machine"]),
    )
    native.filegroup(
        name = "timing_descriptions",
        srcs = native.glob(["timing/*.timing"]),
        visibility = TESTS,
    )
    cc_library(
        name = "abi",
        srcs = abi_srcs,
        hdrs = abi_hdrs,
        visibility = ["//syscalls:__subpackages__"] + TESTS,
        deps = abi_deps + [
            "//sim/base",
            "//sim/engine",
            "//sim/floating_point",
            "//sim/memory",
            "//sim/timing",
        ],
    )
    library(
        name = name,
        srcs = processor_srcs + [
            "cpus.cc",
            "predecode.cc",
            ":machine_files",
            ":timing_files",
        ],
        hdrs = processor_hdrs,
        # A frame pointer is a third register to save in each instruction's function.
        copts = select({
            "//tools:fuzzing": [],
            "//conditions:default": ["-fomit-frame-pointer"],
        }),
        visibility = TESTS,
        deps = processor_deps + [
            ":%s_decode" % name,
            "//isa:catalogue",
            "//sim/base",
            "//sim/engine",
            "//sim/memory",
            "//sim/timing",
            "//sim/translator",
        ],
    )
    cc_library(
        name = "debug_registers",
        srcs = ["debug_registers.cc"],
        hdrs = ["debug_registers.h"],
        visibility = ["//syscalls:__subpackages__"] + TESTS,
        deps = [
            ":abi",
            ":disassembly",
            "//sim/debug:register_set",
        ],
    )
    cc_library(
        name = "instruction_set",
        srcs = srcs + [
            "call_numbers.cc",
            "call_numbers.h",
            "instruction_set.cc",
        ],
        hdrs = ["instruction_set.h"],
        visibility = ["//isa:__pkg__"],
        deps = deps + [
            ":%s" % name,
            ":%s_decode" % name,
            ":debug_registers",
            ":disassembly",
            "//isa:disassembler",
            "//isa:instruction_set",
            "//sim/base",
            "//sim/debug:engine_check",
            "//sim/engine",
            "//sim/load:image",
            "//sim/memory",
            "//sim/timing",
        ],
    )
