// glibc's profil(3) and sprofil(3) as functions of this project against the real ones of the host:
// the handler that they install is called with a context that holds any pc. Elsewhere than on
// x86-64 with glibc only what the sources say is tested.
#include "syscalls/profil/system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "syscalls/profil/charge.h"

#if defined(__GLIBC__) && defined(__x86_64__)
#define HAS_GLIBC 1
#include <sys/mman.h>
#include <sys/profil.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#else
#define HAS_GLIBC 0
#endif

namespace hardclock::profil {
namespace {

constexpr std::size_t buffer_size = 256;
constexpr std::size_t buffers = 5;
constexpr std::size_t all_bytes = buffer_size * buffers;
constexpr std::uint32_t prof_ushort = 0, prof_uint = 1;  // <sys/profil.h>

const Library& library() {
  return *glibc_system.library;
}

State profil_state(std::uint64_t size, std::uint64_t offset, std::uint64_t scale, unsigned bits) {
  return *glibc_system.profil(State{}, {0x1000, size, offset, scale}, bits);
}

// -1: nowhere.
std::int64_t element(const State& state, std::uint64_t pc) {
  const Lookup lookup = glibc_system.lookup(state, GuestAddr(pc));
  const Access* const access = std::get_if<Access>(&lookup);
  if (access == nullptr) return -1;
  return static_cast<std::int64_t>(access->byte_offset / access->width);
}

// sysdeps/posix/profil.c, profil_count(): "(pc - pc_offset) / 2" is unsigned, and of 32-bit size_t
// the product's lower half is what is left. 0xfffffffe / 2 * 2 / 65536 = 0xffff.
TEST(Glibc, BelowTheOffset) {
  EXPECT_EQ(element(profil_state(0x40000, 0x1000, 2, 32), 0xffe), 0xffff);
  EXPECT_EQ(element(profil_state(0x40000, 0x1000, 0, 32), 0xffe), 0);
  EXPECT_EQ(element(profil_state(0x40000, 0x1000, 2, 64), 0xffe), -1);
  EXPECT_EQ(element(profil_state(0x40000, 0x1000, 0x10000, 32), 0xffe), -1);
}

// "if (sample_buffer == NULL)" alone stops; nothing stops a timer that came through exec.
TEST(Glibc, OnlyANullBufferStops) {
  const State on = profil_state(64, 0x1000, 0, 64);
  EXPECT_TRUE(on.on());
  const auto off = glibc_system.profil(on, {0, 64, 0x1000, 0x10000}, 64);
  ASSERT_TRUE(off.ok());
  EXPECT_FALSE(off->on());
  const State executed = glibc_system.after_exec(on);
  EXPECT_EQ(library().fatal_signal(executed, GuestAddr(0)), "SIGPROF");
  const auto still = glibc_system.profil(executed, {0, 0, 0, 0}, 64);
  EXPECT_EQ(library().fatal_signal(*still, GuestAddr(0)), "SIGPROF");
  EXPECT_EQ(library().fatal_signal(glibc_system.after_fork(executed), GuestAddr(0)), "");
}

// __sprofil(): num_regions is never 0 again, and what the second call frees the third frees, too.
TEST(Glibc, SprofilStartsOnce) {
  const std::array regions = {Region{GuestAddr(0x1000), 64, GuestAddr(0x4000), 0x10000}};
  const auto first = library().sprofil(State{}, 1, regions, true, prof_uint, 64);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->counter_bytes, 4U);
  const auto second = library().sprofil(*first, 1, regions, true, prof_uint, 64);
  ASSERT_TRUE(second.ok());
  EXPECT_FALSE(second->on());
  const auto third = library().sprofil(*second, 1, regions, true, prof_uint, 64);
  ASSERT_FALSE(third.ok());
  EXPECT_EQ(third.error(), "SIGABRT");
  // A child has the table and no timer: its first call stops, too.
  const auto of_child = library().sprofil(glibc_system.after_fork(*first), 1, regions, true, 0, 64);
  ASSERT_TRUE(of_child.ok());
  EXPECT_FALSE(of_child->on());
}

TEST(Glibc, OneSignalIsOneTick) {
  EXPECT_EQ(glibc_system.increment(7, 2, Ticks(5)).after, 8U);
  EXPECT_EQ(glibc_system.increment(0xffff, 2, Ticks(1)).after, 0U);
}

#if HAS_GLIBC

// What both write into: the children of the test, and the model its copy.
class Buffers final : public CounterMemory {
 public:
  Buffers()
      : shared_(static_cast<std::uint8_t*>(
            mmap(nullptr, all_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~Buffers() override { munmap(shared_, all_bytes); }

  void fill(const std::vector<std::uint8_t>& bytes) {
    model_ = bytes;
    std::ranges::copy(bytes, shared_);
  }
  void* shared(std::size_t buffer) const { return shared_ + buffer * buffer_size; }
  GuestAddr base(std::size_t buffer) const {
    return GuestAddr(reinterpret_cast<std::uintptr_t>(shared(buffer)));
  }
  bool are_equal() const { return std::ranges::equal(model_, std::span(shared_, all_bytes)); }

  Endian endian() const override { return Endian::little; }
  bool is_accessible(GuestAddr address, unsigned bytes) override {
    const std::uint64_t at = address - base(0);
    return at < all_bytes && all_bytes - at >= bytes;
  }
  void read(GuestAddr address, std::span<std::uint8_t> bytes) override {
    std::memcpy(bytes.data(), &model_[address - base(0)], bytes.size());
  }
  void write(GuestAddr address, std::span<const std::uint8_t> bytes) override {
    std::memcpy(&model_[address - base(0)], bytes.data(), bytes.size());
  }

 private:
  std::uint8_t* shared_;
  std::vector<std::uint8_t> model_ = std::vector<std::uint8_t>(all_bytes);
};

// In the child: no tick of the real timer, but those that we make.
void tick_by_hand(const std::vector<std::uint64_t>& pcs) {
  const itimerval never = {};
  setitimer(ITIMER_PROF, &never, nullptr);
  struct sigaction action = {};
  sigaction(SIGPROF, nullptr, &action);
  siginfo_t info = {};
  ucontext_t context = {};
  for (const std::uint64_t pc : pcs) {
    context.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(pc);
    action.sa_sigaction(SIGPROF, &info, &context);
  }
}

// The signal that ends a child that does this; 0: none.
template <class Act>
int signal_of(Act act) {
  const pid_t child = fork();
  if (child == 0) {
    close(2);  // assert() writes there
    act();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int number_of(std::string_view signal) {
  if (signal == "SIGSEGV") return SIGSEGV;
  if (signal == "SIGABRT") return SIGABRT;
  if (signal == "SIGFPE") return SIGFPE;
  return 0;
}

class Random {
 public:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool one_in(unsigned n) { return below(n) == 0; }

  std::uint64_t scale() {
    constexpr std::array<std::uint64_t, 7> plain = {2, 0x2000, 0x4000, 0x8000, 0x10000, 0x20000, 0};
    if (!one_in(3)) return plain[below(plain.size())];
    return one_in(4) ? below(1 << 18) : (std::uint64_t{1} << below(18)) + below(3);
  }
  Region region(GuestAddr base) {
    const std::uint64_t offset = 0x1000 + below(0x40) * 8;
    return {base, below(buffer_size + 1) & ~std::uint64_t{one_in(3) ? 0U : 3U}, GuestAddr(offset),
            scale()};
  }
  std::vector<std::uint64_t> pcs() {
    std::vector<std::uint64_t> made;
    for (int i = 0; i < 40; ++i) {
      made.push_back(0x1000 + below(one_in(5) ? 0x80000 : 0x500));
      if (one_in(10)) made.back() = std::uint64_t{0x5555} << 32 | below(0x10000);
      if (one_in(60)) made.back() = 0x0f00 + below(0x100);
    }
    return made;
  }
  std::vector<std::uint8_t> bytes() {
    std::vector<std::uint8_t> made(all_bytes);
    for (std::uint8_t& each : made) each = one_in(2) ? 0xff : 0;
    return made;
  }

 private:
  std::mt19937_64 random_{1};
};

// What the ticks do to the state and the model's memory; the signal that ends the process.
std::string_view tick_model(State& state, const std::vector<std::uint64_t>& pcs, Buffers& memory) {
  for (const std::uint64_t pc : pcs) {
    const std::string_view signal = library().fatal_signal(state, GuestAddr(pc));
    if (!signal.empty()) return signal;
    const Charge done = charge(glibc_system, state, GuestAddr(pc), Ticks(1), memory);
    if (done.outcome == Charge::Outcome::faulted) return "SIGSEGV";
    state = library().after_tick(state, GuestAddr(pc));
  }
  return {};
}

TEST(GlibcOfTheHost, ProfilCountsAlike) {
  Random random;
  Buffers memory;
  for (int i = 0; i < 300; ++i) {
    memory.fill(random.bytes());
    const Region region = random.region(memory.base(1));
    const auto pcs = random.pcs();
    State state = *glibc_system.profil(
        State{}, {region.base.value(), region.size, region.offset.value(), region.scale}, 64);
    const std::string_view signal = tick_model(state, pcs, memory);
    const int seen = signal_of([&] {
      ::profil(static_cast<unsigned short*>(memory.shared(1)), region.size, region.offset.value(),
               static_cast<unsigned>(region.scale));
      tick_by_hand(pcs);
    });
    EXPECT_EQ(seen, number_of(signal)) << i;
    EXPECT_TRUE(memory.are_equal()) << i << " scale " << region.scale << " size " << region.size;
  }
}

TEST(GlibcOfTheHost, SprofilCountsAlike) {
  Random random;
  Buffers memory;
  int counted = 0;
  int ended = 0;
  for (int i = 0; i < 600; ++i) {
    memory.fill(random.bytes());
    const unsigned flags = random.one_in(2) ? prof_uint : prof_ushort;
    std::vector<Region> regions;
    const std::size_t count = 1 + random.below(4);
    for (std::size_t k = 0; k < count; ++k) regions.push_back(random.region(memory.base(k)));
    if (random.one_in(2)) {
      const std::size_t at = random.below(regions.size() + 1);
      const std::uint64_t width = flags == prof_uint ? 4 : 2;
      regions.insert(regions.begin() + static_cast<std::ptrdiff_t>(at),
                     Region{memory.base(4), width, GuestAddr(0), 2});
    }
    const auto pcs = random.pcs();
    const auto made = library().sprofil(State{}, static_cast<std::int32_t>(regions.size()), regions,
                                        true, flags, 64);
    State state = made ? *made : State{};
    const std::string_view signal = made ? tick_model(state, pcs, memory) : made.error();
    const int seen = signal_of([&] {
      std::vector<struct prof> array;
      for (const Region& each : regions) {
        array.push_back({reinterpret_cast<void*>(each.base.value()), each.size, each.offset.value(),
                         each.scale});
      }
      ::sprofil(array.data(), static_cast<int>(array.size()), nullptr, flags);
      struct sigaction action = {};
      sigaction(SIGPROF, nullptr, &action);
      if (action.sa_handler != SIG_DFL) tick_by_hand(pcs);
    });
    ASSERT_EQ(seen, number_of(signal)) << i;
    EXPECT_TRUE(memory.are_equal()) << i;
    counted += signal.empty() ? 1 : 0;
    ended += signal.empty() ? 0 : 1;
  }
  EXPECT_GT(counted, 50);
  EXPECT_GT(ended, 50);
}

// The calls' own ends: a bad array, a negative count, a third call.
TEST(GlibcOfTheHost, CallsEndTheProcessAlike) {
  const auto call = [](struct prof* profp, int profcnt, struct timeval* tvp) {
    return signal_of([&] { ::sprofil(profp, profcnt, tvp, 0); });
  };
  auto* const bad = reinterpret_cast<struct prof*>(16);
  EXPECT_EQ(call(bad, 1, nullptr), SIGSEGV);
  EXPECT_EQ(call(nullptr, 0, reinterpret_cast<struct timeval*>(16)), SIGSEGV);
  EXPECT_EQ(call(nullptr, 0, nullptr), 0);
  Buffers memory;
  const auto calls = [&](int times) {
    return signal_of([&] {
      struct prof one = {memory.shared(0), buffer_size, 0x1000, 0x10000};
      const itimerval never = {};
      for (int i = 0; i < times; ++i) {
        ::sprofil(&one, 1, nullptr, 0);
        setitimer(ITIMER_PROF, &never, nullptr);
      }
    });
  };
  EXPECT_EQ(calls(2), 0);
  EXPECT_EQ(calls(3), SIGABRT);
}

#else

TEST(GlibcOfTheHost, CountsAlike) {
  GTEST_SKIP() << "no glibc on x86-64 here";
}

#endif

}  // namespace
}  // namespace hardclock::profil
