// The register stack's accesses all at once, as translated code makes them, against those that
// alloc and ret make one after the other: random calls, frames and returns, on two register stacks
// with a memory each. What may not be made at once has to leave everything as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "isa/ia64/register_stack.h"
#include "sim/base/endian.h"
#include "sim/memory/access_table.h"
#include "sim/memory/page.h"
#include "tests/support/part_of_cases.h"
#include "tests/support/random_choices.h"

namespace hardclock::ia64 {
namespace {

constexpr std::uint64_t pages = 4, first_page = 0x8000'0000;
constexpr unsigned word_size = 8;

// A few pages of a backing store, as the address space and its table of accesses have them.
class StackMemory final : public BackingStore {
 public:
  std::optional<std::uint64_t> load(std::uint64_t address, Endian order) override {
    return load_bytes<std::uint64_t>(at(address), order);
  }
  bool store(std::uint64_t address, std::uint64_t value, Endian order) override {
    store_bytes(at(address), value, order);
    return true;
  }
  std::uint8_t* at(std::uint64_t address) { return &bytes_.at(address - first_page); }
  // The table knows this page no more, or only to be read.
  void enter(std::uint64_t page, bool may_read, bool may_write) {
    const std::uint64_t address = first_page + page * page_size;
    table_.enter(address, at(address), may_read, may_write);
  }
  bool allows(std::uint64_t address, Access access) const {
    const AccessTable::Entry& entry = table_.at(address);
    return (access == Access::read ? entry.read_tag : entry.write_tag) == table_.piece(address);
  }
  const AccessTable& table() const { return table_; }
  bool operator==(const StackMemory& other) const { return bytes_ == other.bytes_; }

 private:
  std::array<std::uint8_t, pages * page_size> bytes_{};
  AccessTable table_{page_shift, 16};
};

struct Reached {
  unsigned spills = 0, fills = 0, collections = 0, without_loads = 0;
  unsigned lacking_pages = 0, lacking_time = 0, nats = 0, renamed = 0, big_endian = 0;
};

class TwoStacks {
 public:
  TwoStacks(std::uint32_t seed, Reached& reached) : random_(seed), reached_(reached) {
    for (RegisterStack* const stack : {&expected_, &stack_}) {
      *stack = RegisterStack(first_page + page_size + word_size * (seed % 128));
      stack->start(stack->bspstore(), {.sof = 20, .sol = 10});
    }
    goes_down_ = true;
  }

  void run(unsigned steps) {
    for (unsigned i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      if (random_.chance(8)) goes_down_ = !goes_down_;
      change_pages();
      if (random_.chance(5)) turn_order();
      if (random_.chance(10)) flush();
      if (random_.chance(goes_down_ ? 70 : 25) && is_low())
        call();
      else if (!callers_.empty())
        ret();
      EXPECT_TRUE(stack_ == expected_);
      EXPECT_TRUE(memory_ == expected_memory_);
    }
  }

 private:
  // What is dirty still has a place.
  bool is_low() const { return stack_.bsp() < first_page + (pages - 1) * page_size; }

  void change_pages() {
    for (std::uint64_t page = 0; page < pages; ++page) {
      memory_.enter(page, random_.chance(95), random_.chance(90));
    }
  }
  void turn_order() {
    const std::uint64_t order = random_.chance(20) ? RegisterStack::rsc_be : 0;
    EXPECT_EQ(expected_.write_rsc(order), StackResult::done);
    EXPECT_EQ(stack_.write_rsc(order), StackResult::done);
  }
  // What is dirty becomes clean.
  void flush() {
    EXPECT_EQ(expected_.flushrs(expected_memory_), StackResult::done);
    EXPECT_EQ(stack_.flushrs(memory_), StackResult::done);
  }
  void write_registers() {
    for (unsigned r = first_rotating_gr; r < first_rotating_gr + stack_.marker().sof; ++r) {
      const std::uint64_t value = random_.corner_doubleword();
      const bool nat = has_nats_ && random_.chance(10);
      expected_.write(r, value, nat);
      stack_.write(r, value, nat);
    }
    has_nats_ = random_.chance(4);
    stack_.find_nats();
  }

  void call() {
    callers_.push_back(pack_pfs(stack_.marker(), 0, 3));
    expected_.call();
    stack_.call();
    const unsigned sof = 1 + random_.below(random_.chance(20) ? 96 : 30);
    const unsigned sol = random_.below(sof + 1);
    const unsigned sor = random_.chance(10) ? sof / 8 * 8 : 0;
    if (stack_.dirty() + sof > stacked_registers) {
      move([&](unsigned most) { return stack_.spill_at_once(sof, memory_.table(), most); },
           Access::write);
    }
    EXPECT_EQ(expected_.alloc(32, sof, sol, sor, expected_memory_), StackResult::done);
    EXPECT_EQ(stack_.alloc(32, sof, sol, sor, memory_), StackResult::done);
    write_registers();
    if (sor == 0) return;
    expected_.rotate();
    stack_.rotate();
  }

  void ret() {
    const std::uint64_t pfs = callers_.back();
    callers_.pop_back();
    if (random_.chance(10)) {
      expected_.clrrrb();
      stack_.clrrrb();
    }
    if (stack_.dirty() < unpack_marker(pfs).sol) {
      move([&](unsigned most) { return stack_.fill_at_once(pfs, memory_.table(), most); },
           Access::read);
    }
    EXPECT_EQ(expected_.ret(pfs, expected_memory_), StackResult::done);
    EXPECT_EQ(stack_.ret(pfs, memory_), StackResult::done);
  }

  template <class Move>
  void move(Move at_once, Access access) {
    const RegisterStack before = stack_;
    const bool is_load = access == Access::read;
    const auto moved = [is_load](const RegisterStack& stack) {
      return is_load ? stack.traffic().loads : stack.traffic().stores;
    };
    const unsigned most = random_.chance(10) ? random_.below(20) : 1000;
    const unsigned words = at_once(most);
    if (words == RegisterStack::not_at_once) {
      EXPECT_TRUE(stack_ == before);
      return note_refusal(most);
    }
    EXPECT_LE(words, most);
    EXPECT_EQ(words, moved(stack_) - moved(before));
    EXPECT_FALSE(stack_.may_have_nats());
    ++(is_load ? reached_.fills : reached_.spills);
    if (words == 0) ++reached_.without_loads;
    const std::uint64_t low = std::min(stack_.bspstore(), before.bspstore());
    const std::uint64_t high = std::max(stack_.bspstore(), before.bspstore());
    EXPECT_TRUE(words == 0 ||
                (memory_.allows(low, access) && memory_.allows(high - word_size, access)));
    if (registers_between(low, high) != (high - low) / word_size) ++reached_.collections;
  }
  // Why it may have been, as far as that is plain.
  void note_refusal(unsigned most) {
    const FrameMarker& marker = stack_.marker();
    if ((stack_.rsc() & RegisterStack::rsc_be) != 0)
      ++reached_.big_endian;
    else if (stack_.may_have_nats())
      ++reached_.nats;
    else if ((marker.rrb_gr | marker.rrb_fr | marker.rrb_pr) != 0)
      ++reached_.renamed;
    else if (most < 20)
      ++reached_.lacking_time;
    else
      ++reached_.lacking_pages;
  }

  support::RandomChoices random_;
  Reached& reached_;
  StackMemory expected_memory_, memory_;
  RegisterStack expected_, stack_;
  std::vector<std::uint64_t> callers_;  // their ar.pfs
  bool goes_down_ = true;
  bool has_nats_ = false;
};

TEST(RegisterStackAtOnce, DoesWhatOneAfterTheOtherDoes) {
  Reached reached;
  for (std::uint32_t seed = 0; seed < 400 / support::part_of_cases; ++seed) {
    SCOPED_TRACE(seed);
    TwoStacks(seed, reached).run(300);
    if (HasFailure()) return;
  }
  for (const unsigned times : {reached.spills, reached.fills, reached.collections,
                               reached.without_loads, reached.lacking_pages, reached.lacking_time,
                               reached.nats, reached.renamed, reached.big_endian}) {
    EXPECT_GT(times, 20u / support::part_of_cases);
  }
}

// A NaT bit that only memory has.
TEST(RegisterStackAtOnce, LoadsNoNatBits) {
  StackMemory memory;
  for (std::uint64_t page = 0; page < pages; ++page) memory.enter(page, true, true);
  RegisterStack stack(first_page + page_size);
  stack.start(stack.bspstore(), {.sof = 60, .sol = 60});
  const std::uint64_t pfs = pack_pfs(stack.marker(), 0, 3);
  stack.call();
  ASSERT_EQ(stack.spill_at_once(96, memory.table(), 1000), 60u);
  ASSERT_EQ(stack.alloc(32, 96, 0, 0, memory), StackResult::done);
  ASSERT_EQ(stack.write_rnat(std::uint64_t{1} << 7), StackResult::done);
  const RegisterStack before = stack;
  EXPECT_EQ(stack.fill_at_once(pfs, memory.table(), 1000), RegisterStack::not_at_once);
  EXPECT_TRUE(stack == before);
  ASSERT_EQ(stack.write_rnat(std::uint64_t{1} << 62), StackResult::done) << "of no register here";
  EXPECT_EQ(stack.fill_at_once(pfs, memory.table(), 1000), 60u);
}

// What a program may have written into ar.pfs: 97 registers.
TEST(RegisterStackAtOnce, RefusesWhatARetDoes) {
  StackMemory memory;
  for (std::uint64_t page = 0; page < pages; ++page) memory.enter(page, true, true);
  RegisterStack stack(first_page + page_size);
  EXPECT_EQ(stack.fill_at_once(97 | 97 << 7, memory.table(), 1000), RegisterStack::not_at_once);
}

}  // namespace
}  // namespace hardclock::ia64
