"""The C++ rules that this project and Bazel's built-in packages load: Bazel 4.2.3 has them all built in."""

cc_binary = native.cc_binary
cc_import = native.cc_import
cc_proto_library = native.cc_proto_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
objc_library = native.objc_library

# The rooms of the product; the build's generators stand in them, but are other programs, compiled with other flags.
_ROOMS = ["cli", "isa", "sim", "syscalls"]
_GENERATORS = ["cli/commandgen", "sim/codegen", "sim/decode", "syscalls/master"]

def cc_library(copts = [], deps = [], **kwargs):
    """native.cc_library; the product's begin with //tools:usual, which is precompiled.

    Those headers took a tenth to a sixth of the time that a file takes. What clang compiles (--config=asan) goes
    without: it does not read g++'s file, and notices where a file lacks an #include.

    Args:
      copts: as native.cc_library's.
      deps: as native.cc_library's.
      **kwargs: further attributes of native.cc_library.
    """
    package = native.package_name()
    is_product = native.repository_name() == "@" and package.split("/")[0] in _ROOMS and package not in _GENERATORS
    if is_product and kwargs.get("srcs"):
        copts = copts + select({
            "@//tools:fuzzing": [],
            "//conditions:default": ["-include", "tools/usual.h"],
        })
        deps = deps + select({
            "@//tools:fuzzing": [],
            "//conditions:default": ["@//tools:usual"],
        })
    native.cc_library(copts = copts, deps = deps, **kwargs)
