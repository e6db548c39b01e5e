"""unit_tests: the tests of a package as one program."""

load("@rules_cc//cc:defs.bzl", "cc_test")

def unit_tests(name, srcs, deps, **kwargs):
    """A cc_test with gtest's main(). A file is compiled by itself, a program is linked and started once.

    `bazel test //tests/unit/memory:tests --test_filter='CacheBudget.*'` runs a part. What a test changes in its
    process (limits, signals, environment) it changes back. RapidCheck makes the same examples in every run.

    Under the sanitizers tools/test runs what parses files or touches guest memory. The tag asan-later leaves a program
    to tools/test --all, no-asan leaves it out.

    Args:
      name: the test's name; `tests` where a package has one program.
      srcs: the *_test.cc.
      deps: the libraries under test and what the tests share.
      **kwargs: further attributes of cc_test.
    """
    cc_test(
        name = name,
        size = kwargs.pop("size", "small"),
        srcs = srcs,
        env = kwargs.pop("env", {"RC_PARAMS": "seed=1"}),
        deps = deps + ["@system//:gtest_main"],
        **kwargs
    )
