"""fuzz_test: a libFuzzer target that is also a test."""

load("@rules_cc//cc:defs.bzl", "cc_test")

def fuzz_test(name, srcs, deps, corpus = [], runs = 20000, args = [], **kwargs):
    """A libFuzzer program, run over its corpus and then over mutations of it.

    It exists under --config=asan only; elsewhere wildcards such as //... pass it over. The seed is fixed,
    so a failure repeats. An input that asks the host for 256 MiB at once fails. To search for longer:
    `bazel run --config=asan //tests/fuzz:NAME -- -runs=-1`.

    Args:
      name: the test's name.
      srcs: sources; one defines LLVMFuzzerTestOneInput.
      deps: libraries under test.
      corpus: files to start from.
      runs: how many inputs a test tries.
      args: further options of libFuzzer, such as -max_len=4096 or -dict=FILE.
      **kwargs: further attributes of cc_test.
    """
    seeds = ["-seed_inputs=" + ",".join(["$(location %s)" % file for file in corpus])] if corpus else []
    cc_test(
        name = name,
        srcs = srcs,
        args = ["-seed=1", "-runs=%d" % runs, "-malloc_limit_mb=256"] + seeds + args,
        data = corpus,
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["fuzz"],
        target_compatible_with = select({
            "//tools:fuzzing": [],
            "//conditions:default": ["//tools:only_with_config_fuzz"],
        }),
        deps = deps,
        **kwargs
    )
