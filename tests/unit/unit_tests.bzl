"""unit_tests: the tests of a package as one program."""

load("@rules_cc//cc:defs.bzl", "cc_test")
load("//tools:together.bzl", "one_file")

def unit_tests(name, srcs, deps, apart = [], **kwargs):
    """A cc_test with gtest's main(). Its files are compiled together, it is linked and started once.

    Of a small file GoogleTest's headers and ours take most of the time: a package of twenty as one file takes that of
    three (tools/together.bzl).

    `bazel test //tests/unit/memory:tests --test_filter='CacheBudget.*'` runs a part. What a test changes in its
    process (limits, signals, environment) it changes back. RapidCheck makes the same examples in every run.

    Under the sanitizers tools/test runs what parses files or touches guest memory. The tag asan-later leaves a program
    to tools/test --all, no-asan leaves it out.

    Args:
      name: the test's name; `tests` where a package has one program.
      srcs: the *_test.cc.
      deps: the libraries under test and what the tests share.
      apart: those of srcs that are compiled by themselves: they have names or macros that others must not see, or
        .bazelrc has them optimised.
      **kwargs: further attributes of cc_test.
    """
    unknown = [file for file in apart if file not in srcs]
    if unknown:
        fail("apart has %s, which srcs has not" % unknown)
    together = [file for file in srcs if file.endswith(".cc") and file not in apart]
    if len(together) > 1:
        one_file(name + "_together", together, testonly = True)
        srcs = [file for file in srcs if file not in together] + [name + "_together.cc"]
        deps = deps + [name + "_together"]
    cc_test(
        name = name,
        size = kwargs.pop("size", "small"),
        srcs = srcs,
        env = kwargs.pop("env", {"RC_PARAMS": "seed=1"}),
        deps = deps + ["@system//:gtest_main"],
        **kwargs
    )
