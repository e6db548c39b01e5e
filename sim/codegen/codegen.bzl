"""generated_library: a library whose header and source a generator writes."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def generated_library(name, src, generator, deps, **kwargs):
    """Generates NAME.h and NAME.cc from one file and compiles them.

    Args:
      name: of the library and of the two files.
      src: the generator's input.
      generator: a program with the command line of generator_main.h.
      deps: what the generated files include.
      **kwargs: further attributes of cc_library, such as visibility.
    """
    header = name + ".h"
    source = name + ".cc"
    include_path = "/".join([part for part in [native.package_name(), header] if part])
    native.genrule(
        name = name + "_generate",
        srcs = [src],
        outs = [header, source],
        cmd = "$(location {}) $(location {}) {} $(location {}) $(location {})".format(
            generator,
            src,
            include_path,
            header,
            source,
        ),
        tools = [generator],
        visibility = ["//visibility:private"],
    )
    cc_library(
        name = name,
        srcs = [source],
        hdrs = [header],
        deps = deps,
        **kwargs
    )
