// Random programs on the register stack and on the model of register_stack_model.h: calls, returns,
// alloc, rotation, NaT bits, flushrs, longjmp, coroutines, and what a kernel does with cover and
// loadrs; with memory that fails now and then, and without.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <list>
#include <vector>

#include "isa/ia64/register_stack.h"
#include "tests/support/part_of_cases.h"
#include "tests/support/random_choices.h"
#include "tests/unit/ia64/register_stack_model.h"

namespace hardclock::ia64 {
namespace {

using test::Memory;
using test::Model;
using test::ModelRegister;
using test::ModelStore;

constexpr std::uint64_t area = 1 << 20, kernel_area = 0xe000'0000;

// How frames are, and how often memory fails.
struct Style {
  unsigned largest_frame;
  unsigned deepest;
  unsigned failures;
};

class Program {
 public:
  Program(std::uint32_t seed, const Style& style)
      : random_(seed), style_(style), order_(seed % 2 == 0 ? Endian::big : Endian::little) {
    memory_.set_failures(style.failures);
    memory_.map(kernel_area, kernel_area + area);
    Thread& first = new_thread();
    stack_ = RegisterStack(first.store.start());
    model_ = {.store = &first.store, .bottom = 0, .marker = {}};
    set_rsc(0);
    EXPECT_EQ(stack_.write_rnat(first.rnat), StackResult::done);
    running_ = &first;
  }

  void run(unsigned steps) {
    for (unsigned i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      step();
      compare();
    }
    flush();
  }

  std::uint64_t failed() const { return memory_.failed; }
  std::uint64_t loads() const { return memory_.loads; }

 private:
  // A stack of a program, with what its functions keep in registers or in memory.
  struct Thread {
    ModelStore store;
    std::uint64_t rnat;
    std::vector<std::uint64_t> saved_pfs{};  // of the callers
    std::uint64_t bsp = 0;                   // where it was left
    bool has_run = false;
  };
  struct Jump {
    Thread* thread;
    std::size_t depth;
    std::uint64_t bsp;
  };

  Thread& new_thread() {
    const std::uint64_t from = next_area_;
    next_area_ += 2 * area;
    const std::uint64_t start = from + 8 * random_.below(128);
    memory_.map(start, from + area);
    const std::uint64_t rnat = random_.corner_doubleword() & ~(std::uint64_t{1} << 63);
    threads_.push_back({ModelStore(start, rnat), rnat});
    return threads_.back();
  }

  void step() {
    // Now mostly down, now mostly up.
    if (random_.chance(4)) goes_down_ = !goes_down_;
    const unsigned choice = random_.below(100);
    if (choice < (goes_down_ ? 45 : 15))
      call();
    else if (choice < 60)
      ret();
    else if (choice < 76)
      alloc();
    else if (choice < 84)
      rotate();
    else if (choice < 89)
      flush();
    else if (choice < 92)
      switch_threads();
    else if (choice < 94)
      setjmp();
    else if (choice < 96)
      longjmp();
    else if (choice < 98)
      enter_kernel();
    else
      give_back_clean();
  }

  // ---- Instructions, executed again until memory does not fail; the frame stays as it was.
  template <class Operation>
  void execute(Operation operation) {
    for (;;) {
      const StackResult result = operation();
      if (result == StackResult::done) return;
      ASSERT_EQ(result, StackResult::memory);
      compare();
    }
  }
  void set_rsc(std::uint64_t value) {
    const std::uint64_t be = order_ == Endian::big ? RegisterStack::rsc_be : 0;
    ASSERT_EQ(stack_.write_rsc(value | be), StackResult::done);
  }

  void call() {
    auto& saved = running_->saved_pfs;
    if (saved.size() >= style_.deepest) return;
    saved.push_back(pack_pfs(stack_.marker(), 0, 3));
    stack_.call();
    model_.call();
    if (random_.chance(80)) alloc();
  }

  void ret() {
    auto& saved = running_->saved_pfs;
    if (saved.empty()) return;
    const std::uint64_t pfs = saved.back();
    saved.pop_back();
    std::erase_if(jumps_, [&](const Jump& jump) {
      return jump.thread == running_ && jump.depth > saved.size();
    });
    return_to(pfs);
  }

  void return_to(std::uint64_t pfs) {
    StackResult result = stack_.ret(pfs, memory_);
    model_.ret(unpack_marker(pfs));
    while (result == StackResult::memory) {
      EXPECT_TRUE(stack_.is_incomplete());
      EXPECT_EQ(stack_.marker(), model_.marker);
      EXPECT_EQ(stack_.bsp(), model_.bsp());
      if (random_.chance(20)) {
        interrupt_incomplete_frame();
        return;
      }
      result = stack_.complete(memory_);
    }
    EXPECT_EQ(result, StackResult::done);
  }

  void alloc() {
    const FrameMarker before = stack_.marker();
    const bool renames = before.rrb_gr != 0 || before.rrb_fr != 0 || before.rrb_pr != 0;
    unsigned sor = 8 * random_.below(1 + style_.largest_frame / 8);
    if (renames) sor = before.sor;
    const unsigned sof = std::max(1u, sor + random_.below(style_.largest_frame - sor + 1));
    const unsigned sol = random_.below(sof + 1);
    execute([&] { return stack_.alloc(32, sof, sol, sor, memory_); });
    model_.alloc(sof, sol, sor);
    for (unsigned r = 32; r < 32 + sof; ++r) {
      if (random_.chance(95) || !model_.at(r).is_known) write(r);
    }
  }

  void rotate() {
    if (random_.chance(20)) {
      stack_.clrrrb();
      model_.marker.rrb_gr = model_.marker.rrb_fr = model_.marker.rrb_pr = 0;
      return;
    }
    for (unsigned times = random_.below(60); times != 0; --times) {
      stack_.rotate();
      model_.rotate();
      if (random_.chance(50) && stack_.marker().sof != 0)
        write(32 + random_.below(stack_.marker().sof));
    }
  }

  void flush() {
    execute([&] { return stack_.flushrs(memory_); });
    EXPECT_EQ(stack_.bspstore(), stack_.bsp());
    EXPECT_EQ(stack_.dirty(), 0u);
    compare_memory();
  }

  void write(unsigned r) {
    const ModelRegister value{random_.corner_doubleword(), random_.chance(30), true};
    ASSERT_TRUE(stack_.is_writable(r));
    stack_.write(r, value.value, value.nat);
    model_.at(r) = value;
  }

  // loadrs with 0: what an unwinder does before it looks at memory.
  void give_back_clean() {
    flush();
    set_rsc(0);
    const std::uint64_t rnat = stack_.rnat();
    execute([&] { return stack_.loadrs(memory_); });
    EXPECT_EQ(stack_.clean(), 0u);
    EXPECT_EQ(stack_.write_rnat(rnat), StackResult::done);
  }

  // ---- Stack switches.
  // As a leaf function that a thread calls, and returns from when it runs again.
  void switch_threads() {
    if (threads_.size() < 4) new_thread();
    Thread& to = *std::next(threads_.begin(), random_.below(threads_.size()));
    if (&to == running_) return;
    running_->saved_pfs.push_back(pack_pfs(stack_.marker(), 0, 3));
    stack_.call();
    model_.call();
    flush();
    set_rsc(random_.below(2) * RegisterStack::rsc_mode);
    set_rsc(0);
    running_->bsp = stack_.bsp();
    running_->rnat = stack_.rnat();
    running_->has_run = true;

    const std::uint64_t bspstore = to.has_run ? to.bsp : to.store.start();
    ASSERT_EQ(stack_.write_bspstore(bspstore), StackResult::done);
    ASSERT_EQ(stack_.write_rnat(to.rnat), StackResult::done);
    model_.move_to(to.store, to.store.index_at(bspstore));
    running_ = &to;
    compare();
    ret();
  }

  void setjmp() {
    if (running_->saved_pfs.empty()) return;
    flush();
    jumps_.push_back({running_, running_->saved_pfs.size(), stack_.bsp()});
  }

  // From a function to one of its callers that has called setjmp(): ar.rnat is what it was then, as
  // far as it has not gone to memory since.
  void longjmp() {
    const auto found = std::find_if(jumps_.begin(), jumps_.end(),
                                    [&](const Jump& jump) { return jump.thread == running_; });
    if (found == jumps_.end()) return;
    const Jump jump = *found;
    flush();
    set_rsc(0);
    const std::uint64_t collection = jump.bsp | 0x1f8;
    const std::uint64_t rnat = collection < stack_.bsp() ? memory_.at(collection) : stack_.rnat();
    execute([&] { return stack_.loadrs(memory_); });
    ASSERT_EQ(stack_.write_bspstore(jump.bsp), StackResult::done);
    ASSERT_EQ(stack_.write_rnat(rnat), StackResult::done);
    model_.move_to(*model_.store, model_.store->index_at(jump.bsp));
    running_->saved_pfs.resize(jump.depth);
    compare();
    ret();
  }

  // A kernel's way: the registers of the program stay dirty, their place is now the kernel's stack,
  // to which they go if it needs room; loadrs gets them back.
  void enter_kernel() {
    const FrameMarker frame = stack_.marker();
    stack_.cover();
    model_.cover();
    be_kernel();
    return_from_kernel(frame);
  }

  // The fault of an incomplete frame has a handler; then the frame is loaded anew.
  void interrupt_incomplete_frame() {
    const FrameMarker frame = stack_.marker();
    stack_.cover();
    model_.cover();
    EXPECT_FALSE(stack_.is_incomplete());
    be_kernel();
    return_from_kernel(frame);
  }

  // rfi to a frame that was covered, made of br.ret to one without outputs and of alloc.
  void return_from_kernel(const FrameMarker& frame) {
    FrameMarker without_outputs = frame;
    without_outputs.sol = frame.sof;
    return_to(pack(without_outputs));
    if (frame.sof == 0) return;
    EXPECT_EQ(stack_.alloc(32, frame.sof, frame.sol, frame.sor, memory_), StackResult::done);
    model_.marker = frame;
  }

  void be_kernel() {
    set_rsc(0);
    const std::uint64_t bspstore = stack_.bspstore(), rnat = stack_.rnat(), bsp = stack_.bsp();
    const std::uint64_t kernel_stack = kernel_area + 8 * random_.below(64);
    ASSERT_EQ(stack_.write_bspstore(kernel_stack), StackResult::done);
    const std::uint64_t base = stack_.bsp();
    if (random_.chance(80)) {
      const unsigned sof = 1 + random_.below(96);
      execute_in_kernel([&] { return stack_.alloc(32, sof, sof, 0, memory_); });
      for (unsigned r = 32; r < 32 + sof; ++r) stack_.write(r, r, true);
      if (random_.chance(50)) execute_in_kernel([&] { return stack_.flushrs(memory_); });
      execute_in_kernel([&] { return stack_.alloc(8, 0, 0, 0, memory_); });
    }
    EXPECT_EQ(stack_.bsp(), base);
    set_rsc((base - kernel_stack) << 16);
    execute_in_kernel([&] { return stack_.loadrs(memory_); });
    EXPECT_EQ(stack_.bspstore(), kernel_stack);
    set_rsc(0);
    ASSERT_EQ(stack_.write_bspstore(bspstore), StackResult::done);
    ASSERT_EQ(stack_.write_rnat(rnat), StackResult::done);
    EXPECT_EQ(stack_.bsp(), bsp);
  }
  template <class Operation>
  void execute_in_kernel(Operation operation) {
    StackResult result;
    while ((result = operation()) == StackResult::memory) {
    }
    ASSERT_EQ(result, StackResult::done);
  }

  // ---- Comparison.
  void compare() {
    EXPECT_EQ(stack_.marker(), model_.marker);
    EXPECT_EQ(stack_.bsp(), model_.bsp());
    for (unsigned r = 32; r < 32u + model_.marker.sof; ++r) {
      const ModelRegister& expected = model_.at(r);
      if (!expected.is_known) continue;
      EXPECT_EQ(stack_.value(r), expected.value) << "r" << r;
      EXPECT_EQ(stack_.nat(r), expected.nat) << "r" << r;
    }
    EXPECT_EQ(stack_.traffic(), (RegisterStackTraffic{memory_.loads, memory_.stores}));
    EXPECT_LE(stack_.dirty() + stack_.clean() + stack_.marker().sof, 96u);
  }

  // After flushrs: each word below ar.bsp, and ar.rnat.
  void compare_memory() {
    ModelStore& store = *model_.store;
    std::size_t index = 0;
    for (std::uint64_t at = store.start(); at < stack_.bsp(); at += 8) {
      if (at / 8 % 64 == 63) {
        const auto [bits, mask] = store.collection(at, model_.bottom);
        EXPECT_EQ(memory_.order_at(at), order_);
        EXPECT_EQ(memory_.at(at) & mask, bits) << std::hex << "collection at " << at;
        EXPECT_EQ(memory_.at(at) >> 63, 0u);
        continue;
      }
      const ModelRegister& expected = store.at(index++);
      if (expected.is_known) {
        EXPECT_EQ(memory_.at(at), expected.value) << std::hex << at;
        EXPECT_EQ(memory_.order_at(at), order_);
      }
    }
    EXPECT_EQ(index, model_.bottom);
    const auto [bits, mask] = store.collection(stack_.bsp() | 0x1f8, model_.bottom);
    EXPECT_EQ(stack_.rnat() & mask, bits);
  }

  support::RandomChoices random_;
  Style style_;
  bool goes_down_ = true;
  Endian order_;
  Memory memory_;
  RegisterStack stack_;
  Model model_;
  std::list<Thread> threads_;
  Thread* running_ = nullptr;
  std::vector<Jump> jumps_;
  std::uint64_t next_area_ = 0x6000'0000;
};

void run_programs(const Style& style, unsigned programs, unsigned steps) {
  std::uint64_t loads = 0, failed = 0;
  for (std::uint32_t seed = 1; seed <= programs; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Program program(seed, style);
    program.run(steps);
    if (testing::Test::HasFailure()) return;
    loads += program.loads();
    failed += program.failed();
  }
  EXPECT_GT(loads, 0u);
  EXPECT_EQ(failed != 0, style.failures != 0);
}

constexpr unsigned programs = 100 / support::part_of_cases;

TEST(Ia64RegisterStackRandom, FramesOfAllSizes) {
  run_programs({96, 12, 0}, programs, 300);
}
TEST(Ia64RegisterStackRandom, SmallFramesDeepDown) {
  run_programs({16, 60, 0}, programs, 300);
}
TEST(Ia64RegisterStackRandom, MemoryThatFailsNowAndThen) {
  run_programs({96, 12, 10}, programs, 300);
}
TEST(Ia64RegisterStackRandom, MemoryThatFailsMostly) {
  run_programs({32, 40, 70}, programs, 300);
}

}  // namespace
}  // namespace hardclock::ia64
