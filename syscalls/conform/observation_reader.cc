#include "syscalls/conform/observation_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "syscalls/conform/case_reader.h"
#include "syscalls/conform/text.h"

namespace hardclock::conform {
namespace {

constexpr unsigned counter = 2;  // bytes
constexpr std::string_view element_name = "ELEMENT";
constexpr std::string_view witness = "BUF";
constexpr std::uint64_t witness_bytes = 64;

using Kernels = std::map<std::string, std::string>;  // system -> which kernel on which machine

// One row: a process spun at one pc under one profil() call. The rows do not say whether profiling
// stayed on: it does, except for a scale of 0 and an odd buffer on the PDP-11, whose processor
// traps.
class RowReader {
 public:
  RowReader(Reader& reader, const Kernels& kernels) : reader_(reader), kernels_(kernels) {}

  Case read(const Node& node, std::size_t number);

 private:
  void read_system(const Node& name, std::size_t number);
  std::uint64_t read_word(const Node& node, std::string_view key);
  void expect_element(const Node& node, const Node& observed, const ProfilCall& call);
  void read_preset(const Node& node, MemoryObject& element);
  void expect_nothing(const ProfilCall& call);

  Reader& reader_;
  const Kernels& kernels_;
  Case case_;
  std::uint64_t highest_ = std::numeric_limits<std::uint64_t>::max();
};

Case RowReader::read(const Node& node, std::size_t number) {
  reader_.check_keys(node,
                     {"system", "buff", "bufsiz", "offset", "scale", "pc", "observed_element"},
                     {"preset", "ticks", "final", "note"});
  case_.file = reader_.file();
  case_.line = node.json->line;
  case_.certainty = Certainty::observed;
  read_system(reader_.get(node, "system"), number);
  if (const auto note = reader_.find(node, "note")) case_.note = reader_.text(*note);

  ProfilCall call;
  call.buff.value = GuestAddr(read_word(node, "buff"));
  call.bufsiz = read_word(node, "bufsiz");
  call.offset.value = GuestAddr(read_word(node, "offset"));
  call.scale = read_word(node, "scale");
  const TickEvent tick = {.pc = GuestAddr(read_word(node, "pc"))};
  case_.events.push_back({tick});
  const Node observed = reader_.get(node, "observed_element");
  const bool is_counted = !observed.is(JsonValue::Kind::null);
  if (is_counted) {
    expect_element(node, observed, call);
  } else {
    for (const std::string_view key : {"preset", "ticks", "final"}) {
      if (const auto extra = reader_.find(node, key)) {
        reader_.fail(*extra, "only for an observed element");
      }
    }
    expect_nothing(call);
  }
  case_.title =
      fmt::format("profil({:#x}, {}, {:#x}, {:#x}) at {:#x}: {}", call.buff.value.value(),
                  call.bufsiz, call.offset.value.value(), call.scale, tick.pc.value(),
                  is_counted ? fmt::format("element {}", observed.json->magnitude) : "nothing");
  case_.first.call = std::move(call);
  return std::move(case_);
}

void RowReader::read_system(const Node& name, std::size_t number) {
  case_.system = reader_.text(name);
  case_.id = fmt::format("{}#{}", case_.system, number);
  case_.variant = find_variant(case_.system);
  const auto kernel = kernels_.find(case_.system);
  case_.source.push_back("observed: " + (kernel == kernels_.end() ? case_.system : kernel->second));
  if (case_.variant != nullptr) {
    highest_ = case_.variant->highest_address();
  } else {
    case_.defect = reader_.message(
        name,
        fmt::format("unknown system '{}'; 'hardclock systems' lists them", shown(case_.system)));
  }
}

std::uint64_t RowReader::read_word(const Node& node, std::string_view key) {
  return reader_.number(reader_.get(node, key), 0, highest_);
}

// Nothing but the observed element can be written: a tick anywhere else stops profiling.
void RowReader::expect_element(const Node& node, const Node& observed, const ProfilCall& call) {
  const std::uint64_t index = reader_.number(observed, 0, highest_ / counter);
  const std::uint64_t address = (call.buff.value.value() + counter * index) & highest_;
  if (address == highest_) reader_.fail(observed, "the element reaches beyond the address space");
  MemoryObject element = {.name = std::string(element_name),
                          .address = GuestAddr(address),
                          .size = counter,
                          .width = counter};
  case_.expect.counters[1][element.name][0] = 1;
  case_.expect.profiling[1] = true;
  if (reader_.find(node, "preset") || reader_.find(node, "ticks") || reader_.find(node, "final")) {
    read_preset(node, element);
  }
  case_.memory.push_back(std::move(element));
}

// The ticks are sixtieths of a second of user time, as times(2) counted them on all three systems
// (4.2BSD lib/libc/compat-4.1/times.c scale60()). The clock of 4.3BSD ticks 100 times a second: the
// 23 sixtieths of its row are the 39 ticks that its counter got.
void RowReader::read_preset(const Node& node, MemoryObject& element) {
  constexpr std::uint64_t highest_accepted = std::numeric_limits<std::uint16_t>::max();
  constexpr std::uint64_t times_rate = 60;
  const std::uint64_t preset = reader_.number(reader_.get(node, "preset"), 0, highest_accepted);
  const std::uint64_t sixtieths = reader_.number(reader_.get(node, "ticks"), 1, most_ticks);
  const std::uint64_t final_value = reader_.number(reader_.get(node, "final"), 0, highest_accepted);
  element.presets.push_back({counter, 0, preset});
  const std::uint64_t rate =
      case_.variant == nullptr ? times_rate : case_.variant->system->tick_rate.value();
  std::get<TickEvent>(case_.events.front().what).n =
      (sixtieths * rate + times_rate - 1) / times_rate;
  Elements& elements = case_.expect.counters[1][element.name];
  elements.clear();
  if (final_value != 0) elements[0] = final_value;
}

// Nothing can be written at all, and a tick that tries to write stops profiling. Where it is off
// anyway, there is memory to reveal a tick that counts.
void RowReader::expect_nothing(const ProfilCall& call) {
  case_.expect.counters[1] = {};
  const bool is_pdp11 = highest_ == std::numeric_limits<std::uint16_t>::max();
  const bool traps = is_pdp11 && call.buff.value.value() % counter != 0;
  case_.expect.profiling[1] = call.scale != 0 && !traps;
  const std::uint64_t room = highest_ - call.buff.value.value();
  const std::uint64_t size = std::min({call.bufsiz, witness_bytes, room});
  if (case_.expect.profiling[1] || size < counter) return;
  case_.memory.push_back(
      {.name = std::string(witness), .address = call.buff.value, .size = size, .width = counter});
  case_.expect.counters[1][std::string(witness)] = {};
}

}  // namespace

std::vector<Case> read_observations(Reader& reader, const Node& root) {
  reader.check_keys(root, {"rows"}, {"what", "kernels", "preset"});
  for (const std::string_view key : {"what", "preset"}) {
    if (const auto text = reader.find(root, key)) reader.text(*text);
  }
  Kernels kernels;
  if (const auto names = reader.find(root, "kernels")) {
    for (const auto& [system, kernel] : reader.members(*names)) {
      kernels[system] = reader.text(kernel);
    }
  }
  std::vector<Case> cases;
  for (const Node& row : reader.elements(reader.get(root, "rows"))) {
    if (reader.failed()) break;
    cases.push_back(RowReader(reader, kernels).read(row, cases.size()));
  }
  return cases;
}

}  // namespace hardclock::conform
