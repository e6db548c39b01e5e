// How long one floating-point operation takes (nanoseconds of the host's processor), as the
// interpreter calls it: operands in integers, FCSR from one to the next. Exact and inexact results
// rounded to nearest, and the same toward zero, which goes through the host's control register.
//
//   bazel run //bench:floating_point_benchmark
#include "isa/mips/floating_point.h"

#include <benchmark/benchmark.h>

#include <bit>
#include <cstdint>
#include <string>

namespace {

namespace fp = hardclock::mips::fp;

constexpr std::uint64_t nearest = 0, toward_zero = 1;

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}
std::uint64_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

template <class Operation>
void run(benchmark::State& state, std::uint64_t fcsr, Operation operation) {
  for (auto iteration : state) {
    const fp::Outcome outcome = operation(fcsr);
    benchmark::DoNotOptimize(outcome[0]);
    fcsr = outcome[1];
  }
}

template <class Operation>
void add(const char* name, Operation operation) {
  for (const std::uint64_t rounding : {nearest, toward_zero}) {
    benchmark::RegisterBenchmark(
        (std::string(name) + (rounding == nearest ? "" : " toward zero")).c_str(),
        [=](benchmark::State& state) { run(state, rounding, operation); });
  }
}

using Binary = fp::Outcome (*)(std::uint64_t, std::uint64_t, std::uint64_t);

void add(const char* name, Binary function, std::uint64_t a, std::uint64_t b) {
  add(name, [=](std::uint64_t fcsr) { return function(a, b, fcsr); });
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  add("add.d exact", fp::add_d, bits(1.0), bits(2.0));
  add("add.d", fp::add_d, bits(1.1), bits(0.3));
  add("mul.d", fp::mul_d, bits(1.1), bits(0.3));
  add("div.d", fp::div_d, bits(1.1), bits(0.3));
  add("add.s", fp::add_s, bits(1.1f), bits(0.3f));
  add("mul.s", fp::mul_s, bits(1.1f), bits(0.3f));
  add("div.s", fp::div_s, bits(1.1f), bits(0.3f));
  add("sqrt.d", [](std::uint64_t fcsr) { return fp::sqrt_d(bits(1.1), fcsr); });
  add("cvt.s.d", [](std::uint64_t fcsr) { return fp::double_to_single(bits(1.1), fcsr); });
  add("cvt.s.w", [](std::uint64_t fcsr) { return fp::word_to_single(12345, fcsr); });
  add("cvt.d.w", [](std::uint64_t fcsr) { return fp::word_to_double(12345, fcsr); });
  add("trunc.w.d", [](std::uint64_t fcsr) { return fp::double_to_word(bits(1.1), fcsr, 1); });
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
