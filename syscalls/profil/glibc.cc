// profil(3) and sprofil(3) of the GNU C library on Linux: not calls of the kernel, but functions
// over setitimer(ITIMER_PROF); the handler of SIGPROF counts.
//
// Sources: glibc 2.42 (commit 04e750e75b; 2.36 does the same), sysdeps/posix/profil.c __profil(),
// profil_count(); sysdeps/posix/sprofil.c __sprofil(), add_region(), insert(), index_to_pc(),
// pc_to_index(), profil_count(); gmon/sys/profil.h; sysdeps/unix/sysv/linux/prof-freq.c. The
// Linux page profil(3). Where the page, the header and the functions differ:
//
//   A-G1   scale 0 "disables profiling": only a null buffer does. Scale 0 counts every pc in the
//          first counter.
//   A-G2   a counter that cannot be updated is the program's own SIGSEGV, with all signals blocked:
//          it ends the process. A bad profp or a bad tvp does the same.
//   A-G3   a child has no timer (fork(2)): it gets no tick until it calls profil() itself.
//   A-G4   the timer outlives exec(2), the handler does not: SIGPROF ends the new program.
//   A-G5   sprofil() during a profile stops it, whatever its arguments, and never recovers: the
//          next call frees the table a second time, and abort(3) ends the process.
//   A-G6   *tvp is 10 milliseconds, but the timer's period is 1 microsecond: the ticks come as
//          often as the machine's kernel checks timers.
//   A-G7   the tick that finds another region than the previous tick did uses the overflow bin's
//          offset and scale: it counts in the bin, or in a wrong element of the new region.
//   A-G8   a pc below all regions makes the search run out of its table: SIGSEGV.
//   A-G9   regions whose end index_to_pc() does not find fail its assertion: abort(3).
//   A-G10  the bin's own counter wraps, all others of sprofil() saturate; those of profil() wrap.
//   A-X1   profil() and sprofil() have a state each, but share one timer and one handler, which the
//          last call owns. Here there is one state, made by the last call.
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "sim/base/bits.h"
#include "sim/base/check.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {
namespace {

// gmon/sys/profil.h. PROF_USHORT is the absence of PROF_UINT.
constexpr std::uint32_t prof_ushort = 0;
constexpr std::uint32_t prof_uint = 1;
constexpr std::uint32_t prof_fast = 2;  // "has no effect"

constexpr std::uint64_t one = 65536;  // the scale of a counter for each of its bytes of text
constexpr std::uint64_t bin_scale = 2;

// "((pc - offset) / width) * scale / 65536" in size_t. Where that has 64 bits, the halves of the
// quotient are multiplied; where it has 32, the product is an unsigned long long, and size_t keeps
// its lower half.
std::uint64_t pc_to_index(std::uint64_t pc, std::uint64_t offset, std::uint64_t scale,
                          unsigned width, unsigned bits) {
  const std::uint64_t i = bit_field(pc - offset, 0, bits) / width;
  if (bits == 64) return i / one * scale + i % one * scale / one;
  return bit_field(i * scale / one, 0, bits);
}

Steps steps_to(const State& state, GuestAddr pc, std::uint64_t offset, std::uint64_t scale,
               std::uint64_t index) {
  Steps steps;
  steps.rule = Steps::Rule::elements;
  steps.delta = bit_field(pc.value() - offset, 0, state.address_bits);
  steps.product = Wide{steps.delta / state.counter_bytes} * scale;
  steps.quotient = index;
  return steps;
}

// ---- profil().

// The types of its prototype: unsigned short*, size_t, size_t, unsigned int. A null buffer stops
// only what profil() itself had started: a timer that survived exec stays.
Result<State, CallError> profil(const State& state, const ProfilArguments& arguments,
                                unsigned address_bits) {
  const std::uint64_t buff = bit_field(arguments.buff, 0, address_bits);
  if (buff == 0) {
    return state.kind == State::Kind::profil ? stopped(State::Stop::by_call) : state;
  }
  State next;
  next.kind = State::Kind::profil;
  next.address_bits = address_bits;
  next.regions = {Region{GuestAddr(buff), bit_field(arguments.bufsiz, 0, address_bits),
                         GuestAddr(bit_field(arguments.offset, 0, address_bits)),
                         static_cast<std::uint32_t>(arguments.scale)}};
  return next;
}

// sysdeps/posix/profil.c profil_count(): no test for a pc below the offset.
Lookup find_counter(const State& state, GuestAddr pc) {
  const Region& region = state.regions.front();
  const std::uint64_t index =
      pc_to_index(pc.value(), region.offset.value(), region.scale, 2, state.address_bits);
  const Steps steps = steps_to(state, pc, region.offset.value(), region.scale, index);
  if (index >= region.size / 2) return Miss{Miss::Reason::beyond_buffer, 0, steps, 2 * index};
  return Access{0, counter_address(state, region, 2 * index), 2, 2 * index, steps};
}

// ---- sprofil().

// A struct region of sprofil.c: text that belongs to no other one.
struct Piece {
  std::size_t region;  // of the program's array
  std::uint64_t offset, samples, scale, start, end;
};

struct Table {
  std::vector<Piece> pieces;     // by address
  bool has_bin = false;          // the bin is the program's, and its piece is the first one
  std::string_view signal = {};  // what ends the process that asks for such a table
};

bool is_bin(const Region& region) {
  return region.offset == GuestAddr(0) && region.scale == bin_scale;
}

// The first pc after `samples` counters, if the assertion about it holds.
bool find_end(const Region& region, std::uint64_t samples, unsigned width, unsigned bits,
              std::uint64_t& end) {
  const std::uint64_t scale = static_cast<std::uint32_t>(region.scale);
  const std::uint64_t offset = region.offset.value();
  const std::uint64_t bytes = samples * width;
  if (bits == 64) {
    end = offset + bytes / scale * one + bytes % scale * one / scale;
  } else {
    end = bit_field(offset + bytes * one / scale, 0, bits);
  }
  const auto index_of = [&](std::uint64_t pc) {
    return pc_to_index(pc, offset, scale, width, bits);
  };
  if (index_of(end) < samples) end = bit_field(end + 1, 0, bits);
  return index_of(end - 1) < samples && index_of(end) >= samples;
}

void insert(Table& table, std::size_t at, const Region& region, Piece piece) {
  if (piece.start >= piece.end) return;
  table.pieces.insert(table.pieces.begin() + static_cast<std::ptrdiff_t>(at), piece);
  table.has_bin = table.has_bin || is_bin(region);
}

// add_region(): text of earlier regions, which begin at higher addresses or at the same one, stays
// theirs.
void add_region(Table& table, const Region& region, Piece piece) {
  const std::uint64_t end = piece.end;
  std::size_t i = 0;
  for (; i < table.pieces.size(); ++i) {
    const std::uint64_t taken = table.pieces[i].start;
    if (piece.start < taken) {
      if (end < taken) break;
      piece.end = taken;
      insert(table, i, region, piece);
    }
    piece.start = table.pieces[i].end;
  }
  piece.end = end;
  insert(table, i, region, piece);
}

// qsort() by falling offsets; equal ones keep their order, for it is a merge sort.
std::vector<std::size_t> falling(std::span<const Region> regions) {
  std::vector<std::size_t> order(regions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t left, std::size_t right) {
    return regions[left].offset > regions[right].offset;
  });
  return order;
}

Table table_of(std::span<const Region> regions, unsigned width, unsigned bits) {
  Table table;
  for (const std::size_t i : falling(regions)) {
    const Region& region = regions[i];
    if (region.scale < 2) continue;
    Piece piece = {i,
                   region.offset.value(),
                   region.size / width,
                   static_cast<std::uint32_t>(region.scale),
                   region.offset.value(),
                   0};
    if (piece.scale == 0) return {.pieces = {}, .signal = "SIGFPE"};
    if (!find_end(region, piece.samples, width, bits, piece.end)) {
      return {.pieces = {}, .signal = "SIGABRT"};
    }
    add_region(table, region, piece);
  }
  return table;
}

Table table_of(const State& state) {
  return table_of(state.regions, state.counter_bytes, state.address_bits);
}

// The piece that has the pc; otherwise the last one that the search examined.
struct Found {
  std::size_t piece;
  bool is_in;
};

bool contains(const Piece& piece, GuestAddr pc) {
  return pc.value() >= piece.start && pc.value() < piece.end;
}

bool is_below_all(const Table& table, GuestAddr pc) {
  return pc.value() < table.pieces.front().start;
}

// The binary search of profil_count(). Not for a pc below all pieces (A-G8).
Found search(const Table& table, GuestAddr pc) {
  std::size_t low = 0;
  std::size_t high = table.pieces.size() - 1;
  std::size_t middle = 0;
  while (low <= high) {
    middle = (low + high) / 2;
    const Piece& piece = table.pieces[middle];
    if (contains(piece, pc)) return {middle, true};
    if (pc.value() < piece.start) {
      high = middle - 1;
    } else {
      low = middle + 1;
    }
  }
  return {middle, false};
}

Access access_to(const State& state, std::size_t region, std::uint64_t index, const Steps& steps) {
  const std::uint64_t byte_offset = index * state.counter_bytes;
  return {region, counter_address(state, state.regions[region], byte_offset), state.counter_bytes,
          byte_offset, steps};
}

// sysdeps/posix/sprofil.c profil_count(). Off the fast path its `region` is the overflow region,
// even if the search was successful (A-G7); the counters are those of `r` either way.
Lookup find_in_table(const State& state, GuestAddr pc) {
  const Table table = table_of(state);
  CHECK(!table.pieces.empty() && state.last < table.pieces.size());
  const bool is_last = contains(table.pieces[state.last], pc);
  if (!is_last && is_below_all(table, pc)) return Miss{Miss::Reason::no_region, 0, {}};
  const Piece& piece = table.pieces[is_last ? state.last : search(table, pc).piece];
  const std::uint64_t offset = is_last ? piece.offset : 0;
  const std::uint64_t scale = is_last ? piece.scale : bin_scale;
  const std::uint64_t index =
      pc_to_index(pc.value(), offset, scale, state.counter_bytes, state.address_bits);
  if (index < piece.samples) {
    return access_to(state, piece.region, index, steps_to(state, pc, offset, scale, index));
  }
  if (!table.has_bin) return Miss{Miss::Reason::no_region, 0, {}};  // the library's own counter
  Steps steps;
  steps.rule = Steps::Rule::overflow_bin;
  return access_to(state, table.pieces.front().region, 0, steps);
}

// A call while a table exists frees it and stops; the table is still there for the next call.
Result<State, std::string_view> call_sprofil(const State& state, std::int32_t profcnt,
                                             std::span<const Region> regions, bool is_readable,
                                             std::uint32_t flags, unsigned address_bits) {
  const bool has_table = state.kind != State::Kind::profil && !state.regions.empty();
  const bool is_freed = has_table && state.stop == State::Stop::by_call && !state.on();
  if (is_freed) return Failure{std::string_view("SIGABRT")};
  if (has_table) {
    State next = state;
    next.kind = State::Kind::off;
    next.stop = State::Stop::by_call;
    return next;
  }
  if (profcnt < 0 || !is_readable) return Failure{std::string_view("SIGSEGV")};
  const unsigned width = (flags & prof_uint) != 0 ? 4 : 2;
  const Table table = table_of(regions, width, address_bits);
  if (!table.signal.empty()) return Failure{table.signal};
  if (table.pieces.empty()) return state;
  State next;
  next.kind = State::Kind::sprofil;
  next.counter_bytes = width;
  next.address_bits = address_bits;
  next.regions.assign(regions.begin(), regions.end());
  return next;
}

// The interface of a kernel's sprofil(), for a process that has not called it yet.
Result<std::size_t, CallError> region_count(std::int32_t profcnt, std::uint32_t) {
  return static_cast<std::size_t>(std::max(profcnt, 0));
}

Result<State, CallError> start(const State&, std::span<const Region> regions, std::uint32_t flags,
                               unsigned address_bits) {
  const auto made = call_sprofil(State{}, static_cast<std::int32_t>(regions.size()), regions, true,
                                 flags, address_bits);
  if (!made) return Failure{CallError::invalid};
  return *made;
}

// ---- Both.

Lookup lookup(const State& state, GuestAddr pc) {
  switch (state.kind) {
    case State::Kind::profil:
      return find_counter(state, pc);
    case State::Kind::sprofil:
      return find_in_table(state, pc);
    case State::Kind::off:
    case State::Kind::pcsample:
      break;
  }
  return Miss{Miss::Reason::off, 0, {}};
}

std::string_view fatal_signal(const State& state, GuestAddr pc) {
  if (state.kind == State::Kind::off && state.stop == State::Stop::by_exec) return "SIGPROF";
  if (state.kind != State::Kind::sprofil) return {};
  const Table table = table_of(state);
  const bool is_lost = !contains(table.pieces[state.last], pc) && is_below_all(table, pc);
  return is_lost ? "SIGSEGV" : std::string_view{};
}

State after_tick(const State& state, GuestAddr pc) {
  if (state.kind != State::Kind::sprofil) return state;
  const Table table = table_of(state);
  if (contains(table.pieces[state.last], pc)) return state;
  const Found found = search(table, pc);
  State next = state;
  if (found.is_in) next.last = found.piece;
  return next;
}

// SIGPROF is one signal, however many periods of the timer have passed: `ticks` is ignored.
Increment increment(std::uint64_t before, unsigned width, Ticks) {
  CHECK(width == 2 || width == 4);
  const std::uint64_t most = ~std::uint64_t{0} >> (64 - 8 * width);
  if (before == most) return {before, 0, Increment::Effect::wrapped};
  return {before, before + 1, Increment::Effect::counted};
}

Increment increment_at(const State& state, const Access& access, std::uint64_t before) {
  const Increment sum = increment(before, access.width, Ticks(1));
  const bool wraps =
      state.kind == State::Kind::profil || access.steps.rule == Steps::Rule::overflow_bin;
  if (wraps || sum.effect != Increment::Effect::wrapped) return sum;
  return {before, before, Increment::Effect::saturated};
}

State after_fault(const State& state, std::size_t) {
  return state.on() ? stopped(State::Stop::by_fault) : state;
}

// The new image keeps only the timer, if there was one.
State after_exec(const State& state) {
  const bool has_timer = state.on() || state.stop == State::Stop::by_exec;
  return has_timer ? stopped(State::Stop::by_exec) : State{};
}

// The child has the library's variables, including sprofil()'s table.
State after_fork(const State& parent) {
  if (parent.stop == State::Stop::by_exec && !parent.on()) return State{};
  if (!parent.on()) return parent;
  State child = stopped(State::Stop::by_fork);
  if (parent.kind != State::Kind::sprofil) return child;
  child = parent;
  child.kind = State::Kind::off;
  child.stop = State::Stop::by_fork;
  return child;
}

constexpr std::string_view both = "glibc 2.42 sysdeps/posix/profil.c, sprofil.c";

constexpr std::array<Flag, 3> flag_table = {{
    {"PROF_USHORT", prof_ushort},
    {"PROF_UINT", prof_uint},
    {"PROF_FAST", prof_fast},
}};
constexpr Sprofil sprofil_call = {region_count, start, flag_table};
constexpr Library library_calls = {call_sprofil, fatal_signal, increment_at, after_tick};

constexpr std::array<Rule, 16> rule_table = {{
    {"call",
     "profil(buf, bufsiz, offset, scale) replaces everything; sprofil(profp, profcnt, tvp, flags) "
     "stores *tvp and starts, or, while it profiles, stops; of the flags only PROF_UINT is looked "
     "at; both return 0, for nothing but setitimer(2) and sigaction(2) fails",
     both},
    {"counter", "profil: unsigned short; sprofil: unsigned short or, with PROF_UINT, unsigned int",
     both},
    {"arithmetic",
     "element = ((pc - offset) / width) * scale / 65536, the quotient first, in size_t; sprofil's "
     "tick that finds another region than the one before it takes offset 0 and scale 2 (A-G7)",
     "glibc 2.42 sysdeps/posix/profil.c profil_count(), sprofil.c pc_to_index(), profil_count()"},
    {"below offset",
     "profil: the difference wraps to a large number, which is beyond the buffer but for the "
     "smallest scales; sprofil: the pc is in no region, and below all of them it is a crash (A-G8)",
     both},
    {"range",
     "the element must be one that lies whole in the buffer; of sprofil's regions in any order, "
     "overlapping or not, the one with the largest offset below the pc has it; what none has is "
     "counted in the bin, an entry of offset 0 and scale 2, or else nowhere",
     "glibc 2.42 sysdeps/posix/sprofil.c add_region(), insert()"},
    {"overflow", "profil: a counter wraps; sprofil: it stays at its maximum, but the bin wraps",
     both},
    {"off",
     "profil: a null buffer, while scale 0 counts everything in the first counter; sprofil: any "
     "call while it profiles; entries of scale 0 and 1 are ignored",
     both},
    {"fault", "a counter that cannot be updated is a SIGSEGV of the program, which ends it",
     "glibc 2.42 sysdeps/posix/profil.c __profil(): the handler runs with all signals blocked"},
    {"alignment", "x86 updates a counter at any address", "inferred: the processor's rule"},
    {"tick",
     "profil: a period of 10 milliseconds (AT_CLKTCK) of the process's user and system time; "
     "sprofil: of 1 microsecond, which is a tick of the machine's kernel, while tvp gets 10 "
     "milliseconds (A-G6)",
     "glibc 2.42 sysdeps/posix/profil.c, sprofil.c; sysdeps/unix/sysv/linux/prof-freq.c"},
    {"system time",
     "the timer counts it; the signal comes when the kernel returns, and counts once at the pc "
     "where the program goes on, however many periods have passed",
     "setitimer(2), ITIMER_PROF; signal(7)"},
    {"signals",
     "a tick is SIGPROF itself; another caught one that is delivered with it and has a lower "
     "number takes the program to its handler first, whose first instruction is counted",
     "Linux kernel/signal.c next_signal(), and each frame lies on the one before it"},
    {"threads", "one state and one timer a process; the handler runs in any of its threads",
     "setitimer(2), ITIMER_PROF"},
    {"fork", "the child has the state but no timer: it is not profiled", "setitimer(2); fork(2)"},
    {"vfork",
     "the child has its parent's memory until it calls execve or exits; the parent waits for that",
     "vfork(2) of Linux"},
    {"exec", "the timer goes on without a handler: SIGPROF ends the new program",
     "execve(2); signal(7)"},
}};

constexpr std::array<Contradiction, 11> known_contradictions = {{
    {"A-G1", "profil(3) and the comment above __profil() disable profiling with scale 0",
     "the function: only a null buffer does; scale 0 counts every pc in the first counter"},
    {"A-G2", "a kernel's profil turns itself off where a counter cannot be updated",
     "the function has no such test: SIGSEGV ends the process, for a bad profp or tvp, too"},
    {"A-G3", "the kernels' pages leave profiling on in the child",
     "fork(2) gives it no timer; its own call starts one"},
    {"A-G4", "the kernels' pages turn profiling off at exec",
     "the timer goes on, and SIGPROF's default action ends the program"},
    {"A-G5", "sys/profil.h follows IRIX, where a second call replaces the first",
     "the function: it stops, whatever its arguments; a third call is abort() (a double free)"},
    {"A-G6", "*tvp is the profiling period, 10 milliseconds; the timer is set to 1 microsecond",
     "as the function does; how fast the ticks come is up to the machine"},
    {"A-G7", "profil_count() forgets the region that its search has found",
     "as the function does: the first tick in another region counts in the bin or a wrong element"},
    {"A-G8", "profil_count() counts a pc of no region in the overflow bin",
     "the function: but one below all regions runs the search out of its table, a SIGSEGV"},
    {"A-G9", "index_to_pc() asserts what its rounding does not always give, nor a pr_size of 0",
     "as the function does: such a region is abort()"},
    {"A-G10", "sprofil's counters stay at their maximum, but the bin's ++ has no test",
     "as the function does: the bin wraps"},
    {"A-X1", "profil and sprofil have a state each, but one timer and one handler",
     "one state, made by the last call: what comes of both at once is not told here"},
}};

}  // namespace

constinit const SystemRules glibc_system = {
    .name = "glibc",
    .title = "the GNU C library on Linux",
    .description =
        "profil and sprofil as functions of a library, over setitimer and SIGPROF; known from its "
        "source. A real one to check is on every Linux machine: hardclock conform --emit-c.",
    .tick_rate = Hertz(100),  // __profile_frequency(): AT_CLKTCK
    .word_bits = 64,
    .system_ticks = SystemTicks::resume_pc,
    .updates_unaligned = true,
    .profil = profil,
    .sprofil = &sprofil_call,
    .library = &library_calls,
    .lookup = lookup,
    .increment = increment,
    .after_fault = after_fault,
    .after_exec = after_exec,
    .after_fork = after_fork,
    .rules = rule_table,
    .contradictions = known_contradictions,
};

}  // namespace hardclock::profil
