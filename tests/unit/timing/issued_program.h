// Programs for in-order pipelines: instructions by their timing class.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/timing/in_order.h"
#include "tests/unit/timing/made_in_order.h"

namespace hardclock {

inline constexpr const char* class_names[] = {
    "alu", "load", "branch", "mult", "div", "fp_add", "fp_mul_d", "fp_div_d", "fp_store", "other"};
enum TestClass : std::uint8_t {
  alu,
  load,
  branch,
  mult,
  div,
  fp_add,
  fp_mul_d,
  fp_div_d,
  fp_store,
  other
};

// GCC is GCC 12's gcc/config/mips/3000.md.
inline constexpr const char* r3000 = R"(
cpu   r3000
clock 33                                            published: none, a test
class alu,load,branch,fp_store latency 1            published: H&P, GCC
class mult     latency 12 repeat 12 unit hilo       published: GCC r3k_imul
class div      latency 35 repeat 35 unit hilo       published: GCC r3k_idiv
class fp_add   latency 2  repeat 2  unit fpadd      published: GCC r3k_fadd
class fp_mul_d latency 5  repeat 5  unit fpmul      published: GCC r3k_fmul_double
class fp_div_d latency 19 repeat 19 unit fpdiv      published: GCC r3k_fdiv_double
class other    latency 3  repeat 7  unit other      unverified: none, a test
)";

inline constexpr Resource hi = 64;
inline constexpr Resource lo = 65;
inline constexpr Resource f4 = 36;
inline constexpr Resource f6 = 38;
inline constexpr Resource f8 = 40;

inline std::shared_ptr<const Pipeline> made(const std::string& text) {
  return made_in_order(text, class_names);
}

// Issues instructions one after the other; the first in cycle 0.
class Program {
 public:
  explicit Program(const std::string& text = r3000) : pipeline_(made(text)) {}

  // Returns the cycle of the issue.
  std::uint32_t issue(TestClass timing_class, std::vector<Resource> reads,
                      std::vector<Resource> writes) {
    return issue({timing_class, std::move(reads), std::move(writes)});
  }
  std::uint32_t issue(const InstructionTiming& instruction) {
    passed_ += pipeline_->issue(state_, instruction);
    return passed_ - 1;
  }
  void idle(std::uint32_t instructions) {
    for (std::uint32_t i = 0; i < instructions; ++i) issue(alu, {}, {});
  }
  void take(TestClass branch_class) { pipeline_->redirect(state_, branch_class, true); }
  void pass(std::uint32_t cycles) {
    pipeline_->pass(state_, cycles);
    passed_ += cycles;
  }
  void freeze(std::uint32_t cycles) {
    pipeline_->freeze(state_, cycles);
    passed_ += cycles;
  }
  const PipelineState& state() const { return state_; }

 private:
  std::shared_ptr<const Pipeline> pipeline_;
  PipelineState state_;
  std::uint32_t passed_ = 0;
};

}  // namespace hardclock
