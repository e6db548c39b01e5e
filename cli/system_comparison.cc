#include "cli/system_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <variant>
#include <vector>

#include "cli/page_answers.h"
#include "cli/system_text.h"
#include "cli/wrapped_text.h"
#include "sim/base/bits.h"
#include "sim/base/check.h"
#include "syscalls/profil/charge.h"

namespace hardclock {
namespace {

using profil::ProfilArguments;
using profil::State;
using profil::SystemRules;

// Addresses that every system has, even the PDP-11. There the difference of a pc and the offset can
// be 0xfffe only by wrapping.
constexpr std::uint64_t buff_address = 0x4000;
constexpr std::uint64_t buff_size = 0x4000;
constexpr std::uint64_t text_offset = 0x1000;
constexpr std::uint64_t half = 0x8000;  // as a scale

constexpr std::string_view no_sprofil = "there is no sprofil";
constexpr std::string_view nowhere = "-";

// The counters and some bytes after them; nothing else is mapped.
class Buffer final : public profil::CounterMemory {
 public:
  Endian endian() const override { return Endian::big; }
  bool is_accessible(GuestAddr address, unsigned bytes) override {
    const std::uint64_t place = address - GuestAddr(buff_address);
    return is_mapped && place < bytes_.size() && bytes <= bytes_.size() - place;
  }
  void read(GuestAddr address, std::span<std::uint8_t> bytes) override {
    std::ranges::copy_n(place_of(address, bytes.size()), static_cast<std::ptrdiff_t>(bytes.size()),
                        bytes.begin());
  }
  void write(GuestAddr address, std::span<const std::uint8_t> bytes) override {
    std::ranges::copy(bytes, place_of(address, bytes.size()));
  }

  // The first counter.
  std::uint64_t counter(unsigned width) const {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) value = value << 8 | bytes_[i];
    return value;
  }
  void set_counter(unsigned width, std::uint64_t value) {
    for (unsigned i = 0; i < width; ++i) {
      bytes_[i] = static_cast<std::uint8_t>(value >> 8 * (width - 1 - i));
    }
  }

  bool is_mapped = true;

 private:
  std::vector<std::uint8_t>::iterator place_of(GuestAddr address, std::size_t bytes) {
    CHECK(is_accessible(address, static_cast<unsigned>(bytes)));
    return bytes_.begin() + static_cast<std::ptrdiff_t>(address - GuestAddr(buff_address));
  }

  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(buff_size + 8);
};

// A program with counters for the text from text_offset up.
State profiled(const SystemRules& system, std::uint64_t scale = half,
               std::uint64_t buff = buff_address) {
  const auto state = system.profil(State{}, ProfilArguments{buff, buff_size, text_offset, scale},
                                   system.word_bits);
  CHECK(state.ok());
  return *state;
}

// "3", or "-" for a pc that is not counted or does not exist on a small machine.
std::string element_at(const SystemRules& system, const State& state, std::uint64_t pc) {
  if (pc != bit_field(pc, 0, state.address_bits)) return std::string(nowhere);
  const profil::Lookup lookup = system.lookup(state, counted_pc(system, GuestAddr(pc)));
  const profil::Access* const access = std::get_if<profil::Access>(&lookup);
  if (access == nullptr) return std::string(nowhere);
  return fmt::format("{}", access->byte_offset / access->width);
}

// The elements for the pcs, or why there are none.
std::string elements(const SystemRules& system, const ProfilArguments& arguments,
                     std::span<const std::uint64_t> pcs) {
  const unsigned bits = system.word_bits;
  for (const std::uint64_t number : {arguments.offset, arguments.scale}) {
    if (number != bit_field(number, 0, bits)) return fmt::format("no such {}-bit number", bits);
  }
  const auto state = system.profil(State{}, arguments, bits);
  if (!state) return std::string(error_name(state.error()));
  if (!state->on()) return "off";
  std::string text;
  for (const std::uint64_t pc : pcs) {
    text += (text.empty() ? "" : ", ") + element_at(system, *state, pc);
  }
  return text;
}

// Those for pcs that are so far from the offset.
template <std::uint64_t bufsiz, std::uint64_t scale, std::uint64_t... differences>
std::string in_bytes(const SystemRules& system) {
  return elements(system, {buff_address, bufsiz, text_offset, scale},
                  std::array{text_offset + differences...});
}
template <std::uint64_t scale, std::uint64_t... differences>
std::string at_scale(const SystemRules& system) {
  return in_bytes<buff_size, scale, differences...>(system);
}

std::string describe(const profil::Increment& increment, std::uint64_t counter) {
  switch (increment.effect) {
    case profil::Increment::Effect::counted:
      return fmt::format("{}", counter);
    case profil::Increment::Effect::wrapped:
      return fmt::format("wraps to {}", counter);
    case profil::Increment::Effect::saturated:
      return fmt::format("stays at {}", counter);
    case profil::Increment::Effect::stopped:
      return fmt::format("keeps {}, and profiling stops", counter);
  }
  CHECK(false);
  return {};
}

std::string charge_first(const SystemRules& system, State state, std::uint64_t preset,
                         Ticks ticks) {
  Buffer buffer;
  buffer.set_counter(state.counter_bytes, preset);
  const profil::Charge charge =
      profil::charge(system, state, GuestAddr(text_offset), ticks, buffer);
  CHECK(charge.increment.has_value());
  return describe(*charge.increment, buffer.counter(state.counter_bytes));
}

template <std::uint64_t preset>
std::string a_tick_after(const SystemRules& system) {
  return charge_first(system, profiled(system), preset, Ticks(1));
}

// The state of sprofil with each of its flags, for one region.
std::vector<State> sprofil_states(const SystemRules& system) {
  std::vector<State> states;
  const std::array regions = {
      profil::Region{GuestAddr(buff_address), buff_size, GuestAddr(text_offset), half}};
  for (const profil::Flag& flag : system.sprofil->flags) {
    const auto state = system.sprofil->start({}, regions, flag.value, system.word_bits);
    if (state) states.push_back(*state);
  }
  return states;
}

std::string counter_width(const SystemRules& system) {
  std::string text = fmt::format("profil {}", profiled(system).counter_bytes);
  if (system.sprofil == nullptr) return text;
  std::vector<unsigned> widths;
  for (const State& state : sprofil_states(system)) widths.push_back(state.counter_bytes);
  std::ranges::sort(widths);
  widths.erase(std::unique(widths.begin(), widths.end()), widths.end());
  return fmt::format("{}; sprofil {}", text, fmt::join(widths, ", "));
}

std::string just_below_offset(const SystemRules& system) {
  return elements(system, {buff_address, buff_size, text_offset, 0x100},
                  std::array{text_offset - 2});
}
std::string offset_behind_half(const SystemRules& system) {
  return elements(system, {buff_address, buff_size, 0xfffff000, half},
                  std::array{std::uint64_t{0x1000}});
}

std::string several_ticks(const SystemRules& system) {
  if (system.system_ticks == profil::SystemTicks::none) return "is never charged so";
  return charge_first(system, profiled(system), 0xfffe, Ticks(3));
}
std::string widest_overflow(const SystemRules& system) {
  if (system.sprofil == nullptr) return std::string(no_sprofil);
  const std::vector<State> states = sprofil_states(system);
  const State widest = *std::ranges::max_element(states, {}, &State::counter_bytes);
  const std::uint64_t most = ~std::uint64_t{0} >> (64 - 8 * widest.counter_bytes);
  return fmt::format("{} bytes: {}", widest.counter_bytes,
                     charge_first(system, widest, most, Ticks(1)));
}

std::string odd_buffer(const SystemRules& system) {
  State state = profiled(system, half, buff_address + 1);
  Buffer buffer;
  profil::charge(system, state, GuestAddr(text_offset), Ticks(1), buffer);
  return state.on() ? "counted" : "a fault, profiling is off";
}

std::string unmapped_buffer(const SystemRules& system) {
  if (system.library != nullptr) return "SIGSEGV ends the program";
  State state = profiled(system);
  Buffer buffer;
  buffer.is_mapped = false;
  profil::charge(system, state, GuestAddr(text_offset), Ticks(1), buffer);
  const bool is_on = state.on();
  buffer.is_mapped = true;
  profil::charge(system, state, GuestAddr(text_offset), Ticks(1), buffer);
  const bool counts = buffer.counter(2) != 0;
  return fmt::format("{}, and {} when it is mapped again", is_on ? "on" : "off",
                     counts ? "counts" : "does not count");
}

std::string tick_rate(const SystemRules& system) {
  const std::string rate = fmt::format("{} a second", system.tick_rate.value());
  if (system.fast_tick_rate == Hertz(0)) return rate;
  return fmt::format("{}, {} with PROF_FAST", rate, system.fast_tick_rate.value());
}

std::string system_ticks(const SystemRules& system) {
  switch (system.system_ticks) {
    case profil::SystemTicks::none:
      return "nowhere";
    case profil::SystemTicks::resume_pc:
      return "at the pc where the program goes on";
    case profil::SystemTicks::trap_pc:
      return "at the pc of the system call";
  }
  CHECK(false);
  return {};
}

std::string signals(const SystemRules& system) {
  const bool is_ahead = system.charges_before_signals;
  if (system.system_ticks != profil::SystemTicks::resume_pc) return system_ticks(system);
  return is_ahead ? "at the pc behind the call" : "at the start of the handler or its trampoline";
}

std::string kernel_exit(const SystemRules& system) {
  State state = profiled(system);
  Buffer buffer;
  buffer.is_mapped = false;
  if (system.probes_on_kernel_exit) {
    profil::charge(system, state, GuestAddr(text_offset), Ticks(0), buffer);
  }
  return state.on() ? "still on" : "off";
}

std::string threads(const SystemRules& system) {
  switch (system.owner) {
    case profil::Owner::process:
      return "the process";
    case profil::Owner::thread:
      return "each thread, by its own call";
  }
  CHECK(false);
  return {};
}

std::string fork(const SystemRules& system) {
  return system.after_fork(profiled(system)).on() ? "on in both" : "off in the child";
}
std::string exec(const SystemRules& system) {
  const State after = system.after_exec(profiled(system));
  const bool is_fatal =
      system.library != nullptr && !system.library->fatal_signal(after, GuestAddr(0)).empty();
  if (is_fatal) {
    return fmt::format("the next tick's {} ends the program",
                       system.library->fatal_signal(after, GuestAddr(0)));
  }
  return system.after_exec(profiled(system)).on() ? "on" : "off";
}

std::string call_with_no_memory(const SystemRules& system) {
  const auto state =
      system.profil(State{}, {buff_address, buff_size, text_offset, half}, system.word_bits);
  return state ? "0" : std::string(error_name(state.error()));
}

std::string failing_sprofil(const SystemRules& system) {
  if (system.sprofil == nullptr) return std::string(no_sprofil);
  if (system.library != nullptr) return "none fails";
  return "on";  // what the call makes is put in place only when it succeeds (Sprofil)
}

std::string no_regions(const SystemRules& system) {
  if (system.sprofil == nullptr) return std::string(no_sprofil);
  const auto count = system.sprofil->region_count(0, system.sprofil->flags.front().value);
  return count ? "turns profiling off" : std::string(error_name(count.error()));
}

// The one of two regions, 8 bytes of text apart, that a pc counts in.
template <std::uint64_t distance>
std::string overlapping_regions(const SystemRules& system) {
  if (system.sprofil == nullptr) return std::string(no_sprofil);
  const std::array regions = {
      profil::Region{GuestAddr(buff_address), 64, GuestAddr(text_offset), half},
      profil::Region{GuestAddr(buff_address + 64), 64, GuestAddr(text_offset + 8), half},
  };
  const auto flag = std::ranges::find(system.sprofil->flags, std::string_view("PROF_USHORT"),
                                      &profil::Flag::name);
  CHECK(flag != system.sprofil->flags.end());
  const auto state = system.sprofil->start({}, regions, flag->value, system.word_bits);
  if (!state) return std::string(error_name(state.error()));
  const GuestAddr pc = counted_pc(system, GuestAddr(text_offset + distance));
  const profil::Lookup lookup = system.lookup(*state, pc);
  const profil::Access* const access = std::get_if<profil::Access>(&lookup);
  if (access == nullptr) return std::string(nowhere);
  return access->region == 0 ? "the lower one" : "the higher one";
}
constexpr std::array questions = {
    Question{"The calls", calls_of, "call"},
    Question{"Bytes of a counter", counter_width, "counter"},
    Question{"Scale 0xffff: elements for pc-offset = 0, 2, 4, 6", at_scale<0xffff, 0, 2, 4, 6>,
             "arithmetic"},
    Question{"Scale 0xffff, bufsiz 0xa000: elements for pc-offset = 0x8000, 0x8002",
             in_bytes<0xa000, 0xffff, 0x8000, 0x8002>, "arithmetic"},
    Question{"Scale 0x10000: elements for pc-offset = 0, 2, 4, 6", at_scale<0x10000, 0, 2, 4, 6>,
             "arithmetic"},
    Question{"Scale 0x8000: elements for pc-offset = 0, 2, 4, 6", at_scale<half, 0, 2, 4, 6>,
             "arithmetic"},
    Question{"Scale 0xc000: elements for pc-offset = 1, 3, 5", at_scale<0xc000, 1, 3, 5>,
             "arithmetic"},
    Question{"Scale 0x20000: elements for pc-offset = 0, 2, 4", at_scale<0x20000, 0, 2, 4>,
             "arithmetic"},
    Question{"Scale 2: elements for pc-offset = 0, 0x8000, 0x10000, 0x20000",
             at_scale<2, 0, 0x8000, 0x10000, 0x20000>, "arithmetic"},
    Question{"Scale 1: elements for pc-offset = 0, 0x8000, 0x10000, 0x20000",
             at_scale<1, 0, 0x8000, 0x10000, 0x20000>, "off"},
    Question{"Scale 0", at_scale<0, 0>, "off"},
    Question{"Scale 0x100: element for pc = offset - 2", just_below_offset, "below offset"},
    Question{"Scale 0x8000, offset 0xfffff000: element for pc = 0x1000", offset_behind_half,
             "below offset"},
    Question{"Scale 0x8000, bufsiz 5: elements for pc-offset = 0, 4, 8, 12",
             in_bytes<5, half, 0, 4, 8, 12>, "range"},
    Question{"Scale 0x8000, bufsiz 2: elements for pc-offset = 0, 2", in_bytes<2, half, 0, 2>,
             "range"},
    Question{"Scale 0x8000, bufsiz 0: element for pc = offset", in_bytes<0, half, 0>, "range"},
    Question{"Scale 2, bufsiz 0: element for pc = offset", in_bytes<0, 2, 0>, "range"},
    Question{"A counter of 65535, one tick later", a_tick_after<0xffff>, "overflow"},
    Question{"A counter of 32766, one tick later", a_tick_after<0x7ffe>, "overflow"},
    Question{"A counter of 32767, one tick later", a_tick_after<0x7fff>, "overflow"},
    Question{"A counter of 65534 that is charged 3 ticks in one step", several_ticks, "overflow"},
    Question{"The widest counter of sprofil, full, one tick later", widest_overflow, "overflow"},
    Question{"An odd buffer address", odd_buffer, "alignment"},
    Question{"profil() of a buffer that is not mapped answers", call_with_no_memory, "call"},
    Question{"A tick while the buffer is not mapped", unmapped_buffer, "fault"},
    Question{"Ticks", tick_rate, "tick"},
    Question{"Ticks in the kernel are counted", system_ticks, "system time"},
    Question{"Ticks in the kernel are counted, if the call ends with a caught signal", signals,
             "signals"},
    Question{"A system call without a tick while the buffer is not mapped", kernel_exit,
             "system time"},
    Question{"The profile belongs to", threads, "threads"},
    Question{"After fork", fork, "fork"},
    Question{"After exec", exec, "exec"},
    Question{"sprofil() with profcnt 0", no_regions, "call"},
    Question{"After a sprofil() that fails, the profile before it is", failing_sprofil, "call"},
    Question{"sprofil of two regions that overlap: a pc of both counts in", overlapping_regions<12>,
             "range"},
    Question{"sprofil of two regions that overlap: the first pc of both counts in",
             overlapping_regions<8>, "range"},
};

struct Group {
  std::string answer;
  std::vector<std::string> systems;
};

void add(std::vector<Group>& groups, std::string answer, std::string system) {
  auto group = std::ranges::find(groups, answer, &Group::answer);
  if (group == groups.end()) group = groups.insert(group, Group{std::move(answer), {}});
  group->systems.push_back(std::move(system));
}

std::vector<Group> groups_of(const Question& question,
                             std::span<const SystemRules* const> systems) {
  std::vector<Group> groups;
  for (const SystemRules* const system : systems) {
    std::string answer = question.answer(*system);
    const bool is_inferred =
        grade_of(*system, question.topic) == Grade::inferred && answer != no_sprofil;
    add(groups, std::move(answer), std::string(system->name) + (is_inferred ? "*" : ""));
  }
  return groups;
}

// What the pages answer, where that is something else.
std::vector<Group> groups_by_page(const Question& question,
                                  std::span<const SystemRules* const> systems) {
  std::vector<Group> groups;
  for (const PageAnswer& page : page_answers()) {
    const auto system = std::ranges::find(systems, page.system, &SystemRules::name);
    if (page.question != question.text || system == systems.end()) continue;
    add(groups, std::string(page.answer), std::string(page.system));
  }
  return groups;
}

// "all", or "all; irix*" where the answers of some are inferred.
std::string names_of_all(const std::vector<std::string>& names) {
  std::string text = "all";
  for (const std::string& name : names) {
    if (name.ends_with('*')) text += (text == "all" ? "; " : ", ") + name;
  }
  return text;
}

}  // namespace

std::span<const Question> comparison_questions() {
  return questions;
}

std::string compare_systems(std::span<const SystemRules* const> systems) {
  constexpr std::size_t answer_indent = 4;
  std::string text;
  for (const Question& question : questions) {
    if (!text.empty()) text += "\n";
    text += fmt::format("{}\n", question.text);
    const std::vector<Group> groups = groups_of(question, systems);
    for (const Group& group : groups) {
      const bool is_all = groups.size() == 1 && systems.size() > 2;
      const std::string names =
          is_all ? names_of_all(group.systems) : fmt::format("{}", fmt::join(group.systems, ", "));
      text += wrapped(fmt::format("  {}:", group.answer), names, answer_indent);
    }
    for (const Group& group : groups_by_page(question, systems)) {
      text += wrapped(fmt::format("  by the page, {}:", group.answer),
                      fmt::format("{}", fmt::join(group.systems, ", ")), answer_indent);
    }
  }
  return text + "\n* inferred: no page and no kernel says so; see hardclock systems NAME\n";
}

}  // namespace hardclock
