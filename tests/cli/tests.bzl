"""command_test: a test that runs hardclock with guest programs."""

load("@rules_cc//cc:defs.bzl", "cc_test")

def command_test(name, guests = [], own_guests = [], files = [], deps = [], **kwargs):
    """A cc_test of NAME.cc in the runfiles of which are hardclock and programs in both byte orders.

    Args:
      name: the test and its source without .cc.
      guests: programs of //tests/guests.
      own_guests: programs of //tests/cli/guests.
      files: further labels.
      deps: further libraries.
      **kwargs: further attributes of cc_test.
    """
    programs = ["//tests/guests:" + guest for guest in guests]
    programs += ["//tests/cli/guests:" + guest for guest in own_guests]
    cc_test(
        name = name,
        size = "medium",
        srcs = [name + ".cc"],
        data = ["//:hardclock"] + programs + [each + "_little" for each in programs] + files,
        deps = [
            ":command_test",
            ":explain_lines",
            ":listings",
            ":profile_files",
            ":tap",
            "//tests/support:mips_tools",
            "@system//:gtest_main",
            "@system//:json",
        ] + deps,
        **kwargs
    )
