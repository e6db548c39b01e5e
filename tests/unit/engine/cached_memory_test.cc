// What a processor remembers of its caches changes nothing: a program whose accesses are not made
// while CachedMemory knows that they hit, and one that makes them all, leave the same cycles,
// counts, lines and TLB entries.
#include "sim/engine/cached_memory.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>

#include "tests/unit/engine/plain_call.h"
#include "tests/unit/timing/random_memory.h"

namespace hardclock {
namespace {

// Of which the last eight show five pages, three of them twice.
constexpr std::uint64_t own_pages = 16;
constexpr std::uint64_t pages_of_program = own_pages + 8;
constexpr std::uint64_t start = 0x10'0000;
constexpr Permissions everything{.read = true, .write = true, .execute = true};

struct Program : AddressSpace {
  Program()
      : AddressSpace(std::make_shared<MemoryBudget>(256 * page_size), Endian::big,
                     GuestAddr(0x8000'0000)) {
    RC_ASSERT(map(GuestAddr(start), own_pages * page_size, everything, "memory").ok());
    show(own_pages, 0);
    show(own_pages + 4, 1);
  }

 private:
  void show(std::uint64_t page, std::uint64_t of_object) {
    RC_ASSERT(map_object(GuestAddr(start + page * page_size), 4 * page_size, everything, "shared",
                         {.shared = object_, .source = nullptr, .offset = of_object * page_size})
                  .ok());
  }

  std::shared_ptr<SharedPages> object_ = std::make_shared<SharedPages>();
};

// Makes all accesses.
class Machine {
 public:
  explicit Machine(const MemoryDescription& description) : parts_(description) {}

  std::uint32_t fetch(AddressSpace& memory, std::uint64_t address, Cycles now) {
    return parts_.system.fetch(place_of(memory, address), next(now)).cycles;
  }
  std::uint32_t access(AddressSpace& memory, std::uint64_t address, Access access, Cycles now) {
    RC_ASSERT(memory.translate(GuestAddr(address), 1, access).ok());
    const MemorySystem::Address at = place_of(memory, address);
    const MemorySystem::Moment moment = next(now);
    return (access == Access::write ? parts_.system.store(at, moment)
                                    : parts_.system.load(at, moment))
        .cycles;
  }
  MemorySystem& system() { return parts_.system; }

 private:
  MemorySystem::Address place_of(AddressSpace& memory, std::uint64_t address) {
    const std::uint64_t page =
        parts_.physical_page(memory.frame_number(GuestAddr(address)), address >> page_shift);
    return {memory.number(), address, page << page_shift | (address & page_mask)};
  }
  MemorySystem::Moment next(Cycles now) { return {now, Instructions(instructions_++)}; }

  MachineMemory parts_;
  std::uint64_t instructions_ = 0;
};

// Makes those that are not known to hit, each in one of the four ways.
class Processor : private MemoryWatcher {
 public:
  Processor(AddressSpace& memory, const MemoryDescription& description, std::uint32_t seed)
      : memory_(memory),
        machine_(std::make_shared<MachineMemory>(description)),
        cached_(memory, machine_),
        random_(seed) {
    memory_.add_watcher(*this);
    cached_.begin();
    const MemoryDescription& kept = machine_->system.description();
    if (has_plain_code(kept, CacheSide::fetch)) fetch_.emplace(kept, CacheSide::fetch, false);
    if (!has_plain_code(kept, CacheSide::data)) return;
    load_.emplace(kept, CacheSide::data, false);
    store_.emplace(kept, CacheSide::data, true);
  }
  ~Processor() override { memory_.remove_watcher(*this); }
  Processor(const Processor&) = delete;
  Processor& operator=(const Processor&) = delete;

  std::uint32_t fetch(std::uint64_t address, Cycles now) {
    ++fetches_;
    const Instructions executed(instructions_++);
    if (cached_.fetch_hits(address)) return 0;
    if (random_() % 2 == 0) {
      const std::uint32_t most = most_cycles();
      const std::uint32_t wait = plain_fetch(address, now, most);
      if (wait != MemorySystem::not_plain) {
        RC_ASSERT(wait <= most);
        return wait;
      }
    }
    if (random_() % 2 == 0) {
      if (const auto wait = cached_.fetch_at_once(address, now)) return *wait;
    }
    return cached_.fetch(address, {now, executed});
  }
  std::uint32_t access(std::uint64_t address, unsigned size, Access access, Cycles now) {
    ++accesses_;
    const Instructions executed(instructions_++);
    const AccessTable& hits = cached_.data_hits();
    const AccessTable::Entry& entry = hits.at(address);
    const std::uint64_t tag = access == Access::write ? entry.write_tag : entry.read_tag;
    if (tag == hits.tag(address, size)) {
      check_host(address, entry.host(address));
      return 0;
    }
    if (random_() % 2 == 0) {
      const std::uint32_t most = most_cycles();
      const CachedMemory::Data data = plain_access(address, size, access, now, most);
      if (data.host != nullptr) {
        RC_ASSERT(data.cycles <= most);
        return check_host(address, data.host), data.cycles;
      }
    }
    if (random_() % 2 == 0) {
      const CachedMemory::Data data = cached_.access_at_once(address, size, access, now);
      if (data.host != nullptr) return check_host(address, data.host), data.cycles;
    }
    const auto data = cached_.access(GuestAddr(address), size, access, {now, executed});
    RC_ASSERT(data.ok());
    check_host(address, data->host);
    return data->cycles;
  }
  void end() { cached_.end(Instructions(instructions_), fetches_, accesses_); }
  MemorySystem& system() { return machine_->system; }

 private:
  // As the function, or as the code where there is some.
  std::uint32_t plain_fetch(std::uint64_t address, Cycles now, std::uint32_t most) {
    if (!fetch_ || random_() % 4 == 0) return cached_.plain_fetch(address, now, most);
    const std::uint64_t line = address & ~(cached_.fetch_line() - 1);
    const CachedMemory::Data made = call(*fetch_, line, {}, now, most);
    return made.host != nullptr ? made.cycles : MemorySystem::not_plain;
  }
  CachedMemory::Data plain_access(std::uint64_t address, unsigned size, Access access, Cycles now,
                                  std::uint32_t most) {
    if (!load_ || random_() % 4 == 0) {
      return cached_.plain_access(address, size, access, now, most);
    }
    const bool is_write = access == Access::write;
    return call(is_write ? *store_ : *load_, address, {.is_write = is_write, .size = size}, now,
                most);
  }
  CachedMemory::Data call(const PlainCall& function, std::uint64_t address, AccessSite site,
                          Cycles now, std::uint32_t most) {
    site.until_end = random_() % 16;
    site.spare = random_() % 4 == 0 ? random_() % (AccessSite::most_spare + 1) : random_() % 4;
    HostFrame frame;
    frame.accesses = cached_.data_hits().entries().data();
    frame.fetched_lines = cached_.fetched_lines().data();
    frame.plain_sides = cached_.plain_sides();
    frame.budget = RunBudget::cycles(most + site.spare) | RunBudget::instructions(7);
    frame.ends_at = now.value() + most + site.until_end;
    std::uint8_t* const host = function(frame, address, site);
    const RunBudget left(frame.budget);
    RC_ASSERT(left.instructions() == 7u);
    const auto waited = static_cast<std::uint32_t>(most + site.spare - left.cycles_left());
    RC_ASSERT(host != nullptr || waited == 0);
    return {.host = host, .cycles = waited};
  }
  // A plain access may wait.
  std::uint32_t most_cycles() { return random_() % 4 == 0 ? random_() % 64 : 1u << 16; }
  void check_host(std::uint64_t address, const std::uint8_t* host) {
    const auto known = memory_.translate(GuestAddr(address), 1, Access::read);
    RC_ASSERT(known.ok());
    RC_ASSERT(*known == host);
  }
  void code_changed(std::uint64_t /*page_number*/) override {}
  void translation_changed(std::uint64_t page_number) override { cached_.forget_page(page_number); }
  void all_translations_changed() override { cached_.forget_space(); }

  AddressSpace& memory_;
  std::shared_ptr<MachineMemory> machine_;
  CachedMemory cached_;
  std::optional<PlainCall> fetch_, load_, store_;
  std::mt19937 random_;
  std::uint64_t instructions_ = 0, fetches_ = 0, accesses_ = 0;
};

// As any_memory(), with caches that are large enough for pages to be coloured, or placed by a seed.
// The TLB's pages are not smaller than those of the address space.
MemoryDescription any_machine() {
  MemoryDescription memory = any_memory();
  for (CacheDescription* l1 : {&memory.l1, &memory.l1i, &memory.l1d}) {
    if (!l1->present()) continue;
    if (*rc::gen::arbitrary<bool>()) l1->size *= 8;
    l1->physical_index = *rc::gen::inRange(0, 4) == 0;
  }
  if (memory.l2.present() && *rc::gen::arbitrary<bool>()) memory.l2.size *= 8;
  memory.tlb.page = std::max(memory.tlb.page, page_size);
  if (*rc::gen::inRange(0, 3) == 0) memory.placement = *rc::gen::arbitrary<std::uint32_t>();
  if (!memory_mistake(memory).empty()) memory.inclusive = false;
  RC_PRE(memory_mistake(memory).empty());
  return memory;
}

struct Step {
  enum class Kind : std::uint8_t { fetch, load, store, forget_page, forget_all } kind;
  std::uint64_t address = 0;
  unsigned size = 1;
};

Step any_step(std::mt19937& random, std::uint64_t address) {
  using Kind = Step::Kind;
  const unsigned size = 1u << random() % 3;
  const std::uint64_t aligned = start + address / size * size;
  const unsigned choice = random() % 4096;
  const bool is_own = address < own_pages * page_size;
  if (choice == 0 && is_own) return {Kind::forget_all, aligned};
  if (choice < 8 && is_own) return {Kind::forget_page, aligned};
  const Kind kind = choice % 3 == 0 ? Kind::fetch : choice % 3 == 1 ? Kind::load : Kind::store;
  return {kind, aligned, size};
}

// One as plain_code.h wants it.
CacheDescription simple_cache(std::uint32_t shortest_line, std::uint32_t longest_line,
                              std::uint32_t ways) {
  CacheDescription cache = any_cache(shortest_line, longest_line);
  cache.ways = ways;
  cache.size = std::uint64_t{cache.line} * any_power(4, 512) * ways;
  cache.refill = cache.line;
  cache.replacement = Replacement::fifo;
  return cache;
}
MemoryDescription any_simple_machine() {
  MemoryDescription memory;
  for (CacheDescription* l1 : {&memory.l1i, &memory.l1d}) {
    *l1 = simple_cache(4, 64, *rc::gen::element(1u, 2u));
    l1->policy = WritePolicy::write_back;
    l1->write_miss = WriteMiss::fetch;
    l1->physical_index = *rc::gen::inRange(0, 4) == 0;
  }
  if (*rc::gen::inRange(0, 3) != 0) {
    memory.l2 = simple_cache(64, 128, 1);
    memory.l2.size *= 8;
    memory.inclusive = memory.l2.policy == WritePolicy::write_back;
  }
  if (*rc::gen::arbitrary<bool>()) memory.tlb = any_tlb();
  memory.tlb.page = std::max(memory.tlb.page, page_size);
  memory.memory_cycles = *rc::gen::inRange(0u, 50u);
  memory.memory_victim_cycles = *rc::gen::inRange(0u, 30u);
  memory.memory_line_cycles = *rc::gen::element(0u, memory.memory_cycles);
  memory.memory_busy_cycles = *rc::gen::element(0u, 5u, 60u);
  if (*rc::gen::inRange(0, 3) == 0) memory.placement = *rc::gen::arbitrary<std::uint32_t>();
  RC_ASSERT(memory_mistake(memory).empty());
  return memory;
}

void compare(const MemoryDescription& description) {
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  Program program;
  Machine machine(description);
  Processor processor(program, description, random());
  Cycles now;
  for (const std::uint64_t address : any_trace(pages_of_program * page_size, 4000)) {
    const Step step = any_step(random, address);
    const GuestAddr page(step.address & ~page_mask);
    now += Cycles(1);
    std::uint32_t waits = 0, expected = 0;
    switch (step.kind) {
      case Step::Kind::fetch:
        RC_ASSERT(program.translate(GuestAddr(step.address), 1, Access::read).ok());
        waits = processor.fetch(step.address & ~std::uint64_t{3}, now);
        expected = machine.fetch(program, step.address & ~std::uint64_t{3}, now);
        break;
      case Step::Kind::load:
        waits = processor.access(step.address, step.size, Access::read, now);
        expected = machine.access(program, step.address, Access::read, now);
        break;
      case Step::Kind::store:
        waits = processor.access(step.address, step.size, Access::write, now);
        expected = machine.access(program, step.address, Access::write, now);
        break;
      case Step::Kind::forget_page:  // the page gets another frame
        program.exchange_frame(page, Frame::allocate(program.budget()));
        break;
      case Step::Kind::forget_all:
        RC_ASSERT(program.unmap(page, page_size).ok());
        machine.system().remove_space(program.number());
        RC_ASSERT(program.map(page, page_size, everything, "memory").ok());
        break;
    }
    RC_ASSERT(waits == expected);
    now += Cycles(waits);
  }
  processor.end();
  RC_ASSERT(processor.system().statistics() == machine.system().statistics());
  RC_ASSERT(processor.system().state() == machine.system().state());
}

RC_GTEST_PROP(CachedMemory, ChangesNothing, ()) {
  compare(any_machine());
}

RC_GTEST_PROP(CachedMemory, ChangesNothingWhereCodeMakesPlainAccesses, ()) {
  compare(any_simple_machine());
}

// ---- Plain accesses.

// Of one way and 16 KB, misses take 13 cycles; behind them, l2 has lines of 128 bytes.
MemoryDescription direct_mapped() {
  const CacheDescription l1{.size = 16384, .line = 16, .refill = 16, .miss_cycles = 13};
  MemoryDescription memory;
  memory.l1i = l1;
  memory.l1d = l1;
  memory.l1d.victim_cycles = 2;
  memory.l2 = {.size = 1 << 20, .line = 128, .refill = 128};
  memory.memory_cycles = 100;
  return memory;
}

class PlainAccesses : public testing::Test {
 protected:
  std::uint32_t access(std::uint64_t address, Access access) {
    return cached_.access(GuestAddr(address), 4, access, {}).value().cycles;
  }
  std::optional<std::uint32_t> plain(std::uint64_t address, Access access,
                                     std::uint32_t most = 1000) {
    const auto data = cached_.plain_access(address, 4, access, Cycles(), most);
    return data.host != nullptr ? std::optional(data.cycles) : std::nullopt;
  }

  Program program_;
  std::shared_ptr<MachineMemory> machine_ = std::make_shared<MachineMemory>(direct_mapped());
  CachedMemory cached_{program_, machine_};
};

TEST_F(PlainAccesses, AreThoseThatL2Answers) {
  EXPECT_EQ(plain(start, Access::read), std::nullopt);  // nothing is known of the page
  EXPECT_EQ(access(start, Access::read), 113u);
  EXPECT_EQ(plain(start, Access::read), 0u);
  EXPECT_EQ(plain(start + 16, Access::read), 13u);
  EXPECT_EQ(plain(start + 16, Access::read), 0u);
  EXPECT_EQ(plain(start + 128, Access::read), std::nullopt);  // not in l2
  EXPECT_EQ(plain(start + 34, Access::read), std::nullopt);   // not aligned
}

TEST_F(PlainAccesses, WaitForTheirVictim) {
  access(start, Access::write);
  access(start + 16384, Access::write);  // in the same place of l1
  EXPECT_EQ(machine_->system.statistics().l1d.write_backs, 1u);
  EXPECT_EQ(plain(start, Access::write, 14), std::nullopt);  // too long
  EXPECT_EQ(plain(start, Access::write, 15), 15u);
  EXPECT_EQ(machine_->system.statistics().l1d.write_backs, 2u);
  EXPECT_EQ(machine_->system.statistics().l1d.misses, 3u);
}

TEST_F(PlainAccesses, NeedAPageThatIsStillThere) {
  access(start, Access::read);
  cached_.forget_page(start >> page_shift);
  EXPECT_EQ(plain(start, Access::read), std::nullopt);
}

// Another page has come to the place where what is known of the first one was kept.
TEST_F(PlainAccesses, ForgetsAPageWhoseSlotAnotherHasTaken) {
  const std::uint64_t other = start + (std::uint64_t{1} << 20) + 64;
  ASSERT_TRUE(program_.map(GuestAddr(other & ~page_mask), page_size, everything, "memory").ok());
  for (const std::uint64_t address : {start, other}) {
    access(address, Access::read);
    cached_.fetch(address, {});
  }
  EXPECT_EQ(cached_.data_hits().at(start).read_tag, start);
  EXPECT_TRUE(cached_.fetch_hits(start));
  cached_.forget_page(start >> page_shift);
  EXPECT_EQ(cached_.data_hits().at(start).read_tag, AccessTable::no_tag);
  EXPECT_FALSE(cached_.fetch_hits(start));
  EXPECT_EQ(cached_.data_hits().at(other).read_tag, other);
  EXPECT_TRUE(cached_.fetch_hits(other));
}

// ---- LineIndex.

std::vector<std::size_t> places_of(const LineIndex& index, std::uint64_t line) {
  std::vector<std::size_t> places;
  index.find(line, [&](std::size_t place) { places.push_back(place); });
  std::sort(places.begin(), places.end());
  return places;
}

TEST(LineIndex, FindsALineInThePlaceOfItsSet) {
  LineIndex index(5, 8, 16);
  index.put(3, 0x4060);
  index.put(11, 0x8060);  // the same set
  EXPECT_EQ(places_of(index, 0x4060), std::vector<std::size_t>{3});
  EXPECT_EQ(places_of(index, 0x8060), std::vector<std::size_t>{11});
  EXPECT_TRUE(places_of(index, 0xc060).empty());
  index.put(3, 0xc060);
  EXPECT_TRUE(places_of(index, 0x4060).empty());
}

// Two virtual addresses may stand for one line.
TEST(LineIndex, FindsALineInAllItsPlaces) {
  LineIndex index(5, 8, 16);
  index.put(3, 0x4060);
  index.put(11, 0x4060);
  EXPECT_EQ(places_of(index, 0x4060), (std::vector<std::size_t>{3, 11}));
  index.put(5, 0x4060);  // a place of another set
  EXPECT_EQ(places_of(index, 0x4060), (std::vector<std::size_t>{3, 5, 11}));
  index.put(3, 0x8060);
  index.put(11, 0x80a0);
  EXPECT_EQ(places_of(index, 0x4060), std::vector<std::size_t>{5});
  EXPECT_EQ(places_of(index, 0x80a0), std::vector<std::size_t>{11});
}

TEST(LineIndex, ForgetsAll) {
  LineIndex index(5, 8, 8);
  index.put(3, 0x4060);
  index.put(4, 0x4060);
  index.clear();
  EXPECT_TRUE(places_of(index, 0x4060).empty());
  index.put(2, 0x4040);
  EXPECT_EQ(places_of(index, 0x4040), std::vector<std::size_t>{2});
}

}  // namespace
}  // namespace hardclock
