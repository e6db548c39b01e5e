// Random instructions on random out-of-order machines.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "tests/unit/timing/naive_out_of_order.h"

namespace hardclock {

enum TestClass : std::uint8_t {
  alu,
  shift,
  branch,
  jump,
  mult,
  load,
  store,
  prefetch,
  fp_add,
  fp_mul,
  fp_madd,
  fp_div,
  fp_cvt,
  sync,
  class_count
};

inline constexpr Resource hi = 32;
inline constexpr Resource lo = 33;
inline constexpr Resource carry = 8;
inline constexpr Resource first_base = 20;
inline constexpr Resource first_fp = 40;
inline constexpr Resource last_fp = 55;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int from(int least, int most) { return std::uniform_int_distribution<int>(least, most)(engine_); }
  bool one_in(int n) { return from(1, n) == 1; }
  int one_of(const std::vector<int>& choices) {
    return choices[static_cast<std::size_t>(from(0, static_cast<int>(choices.size()) - 1))];
  }

 private:
  std::mt19937 engine_;
};

inline std::vector<NaiveClass> classes(Random& random) {
  std::vector<NaiveClass> all(class_count);
  enum Unit { alu1, alu2, memory, adder, multiplier, divider, divider2 };
  enum Graduates { stores, accesses, integers };
  all[alu] = {.name = "alu", .units = {alu2, alu1}, .nop = true};
  all[shift] = {.name = "shift",
                .units = {alu1},
                .tie = random.from(0, 2),
                .graduate_in = {integers},
                .nop = random.one_in(2)};
  all[branch] = {.name = "branch",
                 .units = {alu1},
                 .each = random.from(1, 2),
                 .decode_in = {0},
                 .graduate_in = {integers},
                 .stacked = true};
  if (random.one_in(2)) {
    all[branch].units = {alu1, alu2};
    all[branch].all = true;
    all[branch].second_queue = random.from(1, 2);
  }
  all[jump] = {.name = "jump", .units = {}, .decode_in = {0}};
  all[mult] = {.name = "mult",
               .latency = 6,
               .repeat = 6,
               .every = random.from(1, 3),
               .units = {alu2},
               .each = 2};
  if (random.one_in(2)) all[mult].units = {alu2, alu1};
  all[load] = {
      .name = "load", .latency = random.from(1, 3), .units = {memory}, .graduate_in = {accesses}};
  all[store] = {.name = "store", .units = {memory}, .graduate_in = {stores, accesses}};
  all[prefetch] = {.name = "prefetch", .units = {memory}, .waits = false};
  all[fp_add] = {.name = "fp_add", .latency = 2, .units = {adder}};
  all[fp_mul] = {.name = "fp_mul", .latency = 2, .units = {multiplier}};
  all[fp_madd] = {.name = "fp_madd",
                  .latency = 4,
                  .units = {multiplier},
                  .second = adder,
                  .second_after = random.from(1, 3)};
  all[fp_div] = {.name = "fp_div", .latency = 19, .repeat = 21, .units = {divider}};
  if (random.one_in(2)) all[fp_div].units = {divider, divider2};
  all[fp_cvt] = {
      .name = "fp_cvt", .latency = 4, .repeat = 2, .every = random.from(1, 2), .units = {adder}};
  all[sync] = {.name = "sync", .units = {}, .alone = true};
  return all;
}

inline NaiveMachine random_machine(Random& random) {
  NaiveMachine machine;
  const bool small = random.one_in(2);
  const auto size = [&](int usual) { return small ? random.from(2, usual) : usual; };
  machine.fetch_width = random.from(1, 6);
  machine.line = random.one_of({16, 32, 64});
  machine.buffer = random.from(1, 8);
  machine.target = random.from(1, 3);
  machine.decode_width = random.from(1, 5);
  machine.graduate_width = random.from(2, 5);
  machine.graduate_after = random.from(1, 3);
  machine.active = size(32);
  machine.branches = size(4);
  machine.outstanding = random.from(1, 4);
  machine.forward = random.from(0, 4);
  machine.addresses = random.from(-2, 3);
  machine.bht = random.one_of({1, 4, 64});
  machine.bht_shift = random.from(2, 3);
  machine.history = random.one_of({0, 1, 3});
  machine.returns = random.from(0, 3);
  machine.targets = random.one_of({0, 1, 8});
  machine.associative = machine.targets != 0 && random.one_in(2);
  machine.wrong_taken = random.from(0, 3);
  machine.wrong_not_taken = random.from(0, 3);
  machine.wrong_indirect = random.from(0, 3);
  machine.decode_groups = {random.from(1, 2)};
  machine.graduate_groups = {random.from(1, 2), random.from(1, 3), random.from(2, 3)};
  machine.queues = {{"integer", size(16), false},
                    {"address", size(16), random.one_in(2)},
                    {"float", size(16), random.one_in(4)}};
  machine.forward = machine.queues[1].until_graduation ? machine.forward : 0;
  if (machine.queues[2].until_graduation && !machine.queues[1].until_graduation) {
    machine.queues[2].until_graduation = false;
  }
  machine.units = {{"alu1", 0, 0},       {"alu2", 0, 1},    {"memory", 1, 2},  {"adder", 2, 3},
                   {"multiplier", 2, 4}, {"divider", 2, 4}, {"divider2", 2, 3}};
  machine.classes = classes(random);
  machine.files = {{1, lo, size(32) + 2, 4}, {first_fp, last_fp, size(32) + 2, 1}};
  machine.bypass[{fp_madd, fp_madd}] = 2;
  if (random.one_in(2)) machine.results[carry] = random.from(0, 2);
  if (random.one_in(2)) {
    machine.late_queue = 0;
    machine.late = carry;
  }
  // A bypass cannot hand data on before a forwarding store has it.
  const int latency = machine.classes[load].latency;
  machine.bypass[{load, store}] = random.from(std::max(latency - machine.forward, 1), 4);
  return machine;
}

class Stream {
 public:
  explicit Stream(Random& random) : random_(random), hot_(random.from(1, class_count - 1)) {}

  std::vector<NaiveInstruction> make(std::size_t count) {
    std::vector<NaiveInstruction> stream;
    std::uint32_t slots = 0;
    while (stream.size() < count) {
      NaiveInstruction next = slots == 0 ? any() : plain(alu);
      const bool follows = !stream.empty() && stream.back().timing.timing_class == shift;
      if (follows && random_.one_in(3)) next = nullified(next);
      next.dynamic.pc = pc_;
      if (random_.one_in(40)) next.dynamic.fetch_stall = stall();
      if (next.dynamic.fetch_stall != 0 && random_.one_in(2)) next.dynamic.fetch_busy = stall();
      pc_ += 4;
      if (slots != 0 && --slots == 0) pc_ = target_;
      if (next.transfers) {
        slots = next.outcome.slots;
        target_ = after(next);
        if (slots == 0) pc_ = target_;
      }
      stream.push_back(next);
    }
    return stream;
  }

 private:
  Resource integer() { return static_cast<Resource>(random_.from(1, 8)); }
  Resource floating() { return static_cast<Resource>(random_.from(first_fp, first_fp + 7)); }
  std::uint32_t stall() {
    return static_cast<std::uint32_t>(random_.one_in(20) ? random_.from(900, 2500)
                                                         : random_.from(1, 60));
  }

  NaiveInstruction plain(TestClass kind) {
    NaiveInstruction next;
    next.timing.timing_class = kind;
    const bool is_float = kind >= fp_add && kind <= fp_cvt;
    if (kind == sync) return next;
    for (int reads = random_.from(0, 2); reads > 0; --reads) {
      next.timing.reads.push_back(is_float ? floating() : integer());
    }
    if (!is_float && random_.one_in(6)) {
      next.timing.reads.push_back(static_cast<Resource>(integer() + first_base - 1));
    }
    if (kind == mult) {
      next.timing.writes = {hi, lo};
    } else if (is_float) {
      next.timing.writes = {floating()};
    } else if (kind == alu || kind == shift) {
      if (!random_.one_in(5)) next.timing.writes = {integer()};
      if (random_.one_in(10)) next.timing.reads.push_back(random_.one_in(2) ? hi : lo);
    }
    return next;
  }

  NaiveInstruction memory(TestClass kind) {
    NaiveInstruction next = plain(kind);
    if (kind == load) {
      next.timing.writes = {random_.one_in(2) ? integer() : floating()};
      if (random_.one_in(3)) {
        next.timing.modified_base = static_cast<Resource>(integer() + first_base - 1);
        next.timing.writes.push_back(*next.timing.modified_base);
      }
    }
    if (kind == store && !next.timing.reads.empty()) next.timing.stored = {next.timing.reads[0]};
    next.timing.bytes_accessed = static_cast<std::uint8_t>(random_.one_of({0, 1, 2, 4, 8}));
    next.dynamic.is_memory = true;
    next.dynamic.is_store = kind == store;
    next.dynamic.memory_address = static_cast<std::uint64_t>(random_.from(0, 127));
    next.dynamic.memory.line = next.dynamic.memory_address / 16;
    if (random_.one_in(4)) next.dynamic.memory.stall = stall();
    if (random_.one_in(6)) next.dynamic.memory.busy = stall();
    return next;
  }

  static NaiveInstruction nullified(const NaiveInstruction& instruction) {
    NaiveInstruction next;
    next.timing = instruction.timing;
    next.dynamic.is_nullified = true;
    return next;
  }

  NaiveInstruction transfer() {
    using Transfer = OutOfOrderCore::Transfer;
    const int kind = random_.from(0, 9);
    NaiveInstruction next = plain(kind < 7 ? branch : jump);
    next.transfers = true;
    OutOfOrderCore::Resolution& outcome = next.outcome;
    outcome.transfer = kind < 6    ? Transfer::conditional
                       : kind == 6 ? Transfer::likely
                       : kind == 7 ? Transfer::direct
                       : kind == 8 ? Transfer::indirect
                                   : Transfer::returns;
    outcome.taken = kind > 6 || random_.one_in(2);
    outcome.links = kind != 9 && random_.one_in(3);
    outcome.target = static_cast<std::uint64_t>(0x1000 + 4 * random_.from(0, 40));
    outcome.return_address = static_cast<std::uint64_t>(0x1000 + 4 * random_.from(0, 3));
    if (kind == 9) outcome.target = 0x1000;
    outcome.slots = outcome.transfer == Transfer::likely && !outcome.taken
                        ? 0U
                        : static_cast<std::uint32_t>(random_.from(0, 1));
    return next;
  }

  NaiveInstruction any() {
    const auto kind =
        static_cast<TestClass>(random_.one_in(3) ? hot_ : random_.from(0, class_count - 2));
    if (kind == branch || kind == jump) return transfer();
    if (kind == load || kind == store || kind == prefetch) return memory(kind);
    return plain(random_.one_in(60) ? sync : kind);
  }

  std::uint64_t after(const NaiveInstruction& transfer) const {
    if (transfer.outcome.taken) return transfer.outcome.target;
    const bool skips = transfer.outcome.transfer == OutOfOrderCore::Transfer::likely;
    return transfer.dynamic.pc + (skips ? 8 : 4 + 4 * transfer.outcome.slots);
  }

  Random& random_;
  int hot_;  // every stream has a favourite class
  std::uint64_t pc_ = 0x1000;
  std::uint64_t target_ = 0;
};

inline std::shared_ptr<const OutOfOrderDescription> described(const NaiveMachine& machine) {
  const Result<CpuDescription, std::string> parsed = parse_cpu_description(machine.text());
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error());
  if (!parsed.ok()) return nullptr;
  std::vector<const char*> names;
  for (const NaiveClass& c : machine.classes) names.push_back(c.name.c_str());
  const auto description = make_out_of_order(*parsed, names);
  EXPECT_TRUE(description.ok()) << (description.ok() ? "" : description.error());
  return description.ok() ? *description : nullptr;
}

}  // namespace hardclock
