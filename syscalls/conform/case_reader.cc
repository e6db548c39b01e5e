#include "syscalls/conform/case_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "syscalls/conform/text.h"

namespace hardclock::conform {
namespace {

constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();

std::uint64_t highest_value(unsigned width) {
  return any >> (64 - 8 * width);
}

bool is_object_name(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name.front()) && name != "BAD" && name != "TV" &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool overlap(const MemoryObject& a, const MemoryObject& b) {
  return a.address - b.address < b.size || b.address - a.address < a.size;
}

bool is_signal_name(std::string_view name) {
  return name.size() > 3 && name.starts_with("SIG") &&
         std::ranges::all_of(name, [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace

Case CaseReader::read(const Node& node) {
  case_.file = reader_.file();
  case_.line = node.json->line;
  reader_.check_keys(node,
                     {"id", "title", "system", "call", "args", "initial", "events", "expect",
                      "source", "certainty"},
                     {"ambiguity", "note"});
  read_description(node);
  read_system(reader_.get(node, "system"));
  const Node initial = reader_.get(node, "initial");
  reader_.check_keys(initial, {"mem"});
  read_memory(reader_.get(initial, "mem"));

  const Node expect = reader_.get(node, "expect");
  const auto call = read_call(reader_.get(node, "call"), reader_.get(node, "args"));
  if (call) case_.first.call = *call;
  case_.first.expect = read_answer(expect);
  for (const Node& event : reader_.elements(reader_.get(node, "events"))) {
    if (reader_.failed()) break;
    read_event(event);
  }
  read_expectation(expect);
  if (!reader_.failed()) resolve_bad_addresses();
  return std::move(case_);
}

void CaseReader::read_description(const Node& node) {
  const Node id = reader_.get(node, "id");
  case_.id = reader_.text(id);
  if (case_.id.empty()) reader_.fail(id, "an id has at least one character");
  case_.title = reader_.text(reader_.get(node, "title"));
  for (const Node& line : reader_.elements(reader_.get(node, "source"))) {
    case_.source.push_back(reader_.text(line));
  }
  if (case_.source.empty()) reader_.fail(reader_.get(node, "source"), "a case needs a source");

  const Node certainty = reader_.get(node, "certainty");
  const std::string& word = reader_.text(certainty);
  if (word == "doc") {
    case_.certainty = Certainty::documented;
  } else if (word == "source") {
    case_.certainty = Certainty::source;
  } else if (word == "inferred") {
    case_.certainty = Certainty::inferred;
  } else {
    reader_.fail(certainty, "not one of doc, source, inferred");
  }
  if (const auto text = reader_.find(node, "ambiguity")) case_.ambiguity = reader_.text(*text);
  if (const auto text = reader_.find(node, "note")) case_.note = reader_.text(*text);
}

void CaseReader::read_system(const Node& name) {
  case_.system = reader_.text(name);
  case_.variant = find_variant(case_.system);
  if (case_.variant == nullptr) {
    defect(name,
           fmt::format("unknown system '{}'; 'hardclock systems' lists them", shown(case_.system)));
  }
}

void CaseReader::read_memory(const Node& array) {
  for (const Node& node : reader_.elements(array)) {
    MemoryObject object = read_object(node);
    for (const MemoryObject& other : case_.memory) {
      if (other.name == object.name) {
        reader_.fail(node, fmt::format("the name '{}' is there twice", object.name));
      }
      if (overlap(other, object)) {
        reader_.fail(node, fmt::format("overlaps '{}'", other.name));
      }
    }
    if (reader_.failed()) return;
    case_.memory.push_back(std::move(object));
  }
}

MemoryObject CaseReader::read_object(const Node& node) {
  reader_.check_keys(node, {"name", "addr", "size", "width"}, {"set", "prot"});
  MemoryObject object;
  const Node name = reader_.get(node, "name");
  object.name = reader_.text(name);
  if (!is_object_name(object.name)) {
    reader_.fail(name, "not a name: letters, digits and _, but not BAD or TV");
  }
  object.address = read_literal(reader_.get(node, "addr"));
  const Node size = reader_.get(node, "size");
  object.size = reader_.number(size, 1, any);
  check_range(size, object.address, object.size);
  object.width = read_width(reader_.get(node, "width"));
  if (const auto set = reader_.find(node, "set")) read_presets(*set, object);
  if (const auto prot = reader_.find(node, "prot")) object.protection = read_protection(*prot);
  return object;
}

void CaseReader::read_presets(const Node& node, MemoryObject& object) {
  for (const auto& [width_name, elements] : reader_.members(node)) {
    const auto width = parse_decimal(width_name);
    if (width != 1 && width != 2 && width != 4 && width != 8) {
      reader_.fail(elements, "not a width: 1, 2, 4 or 8");
      return;
    }
    const auto bytes = static_cast<unsigned>(*width);
    for (const auto& [index_name, value] : reader_.members(elements)) {
      const auto index = parse_decimal(index_name);
      if (!index || *index >= object.size / bytes) {
        reader_.fail(value, fmt::format("not an index below {}", object.size / bytes));
        return;
      }
      object.presets.push_back({bytes, *index, reader_.number(value, 0, highest_value(bytes))});
    }
  }
}

Protection CaseReader::read_protection(const Node& node) {
  const std::string& word = reader_.text(node);
  Protection protection = {false, false, false};
  std::string_view rest = word;
  const auto accept = [&](char letter) {
    const bool there = rest.starts_with(letter);
    if (there) rest.remove_prefix(1);
    return there;
  };
  if (word == "none") return protection;
  protection = {accept('r'), accept('w'), accept('x')};
  if (word.empty() || !rest.empty()) reader_.fail(node, "not none, r, w, x, rw, rx, wx or rwx");
  return protection;
}

unsigned CaseReader::read_width(const Node& node) {
  const std::uint64_t width = reader_.number(node, 1, 8);
  if (width != 1 && width != 2 && width != 4 && width != 8) {
    reader_.fail(node, "not a width: 1, 2, 4 or 8");
    return 1;
  }
  return static_cast<unsigned>(width);
}

void CaseReader::read_expectation(const Node& node) {
  reader_.check_keys(node, {"ret", "errno", "counters"}, {"tv", "profiling", "ended"});
  read_counters(reader_.get(node, "counters"));
  if (const auto profiling = reader_.find(node, "profiling")) read_profiling(*profiling);
  if (const auto ended = reader_.find(node, "ended")) read_ended(*ended);
}

void CaseReader::read_counters(const Node& node) {
  for (const auto& [pid_name, buffers] : reader_.members(node)) {
    const auto pid = read_known_pid(pid_name, buffers);
    if (!pid) return;
    for (const auto& [buffer, elements] : reader_.members(buffers)) {
      const MemoryObject* const object = find_object(case_, buffer);
      if (object == nullptr) {
        reader_.fail(elements, "no such object in initial.mem");
        return;
      }
      read_elements(elements, *object, case_.expect.counters[*pid][buffer]);
    }
  }
}

void CaseReader::read_elements(const Node& node, const MemoryObject& object, Elements& elements) {
  for (const auto& [index_name, value] : reader_.members(node)) {
    const auto index = parse_decimal(index_name);
    const std::uint64_t count = object.size / object.width;
    if (!index || *index >= count) {
      reader_.fail(value, fmt::format("not an index below {}", count));
      return;
    }
    if (!elements.emplace(*index, reader_.number(value, 1, highest_value(object.width))).second) {
      reader_.fail(value, fmt::format("the element {} is there twice", *index));
    }
  }
}

void CaseReader::read_profiling(const Node& node) {
  for (const auto& [pid_name, state] : reader_.members(node)) {
    const auto pid = read_known_pid(pid_name, state);
    if (!pid) return;
    if (state.is(JsonValue::Kind::null)) continue;
    const std::string& word = reader_.text(state);
    if (word != "on" && word != "off") reader_.fail(state, "not \"on\", \"off\" or null");
    case_.expect.profiling[*pid] = word == "on";
  }
}

void CaseReader::read_ended(const Node& node) {
  for (const auto& [pid_name, signal] : reader_.members(node)) {
    const auto pid = read_known_pid(pid_name, signal);
    if (!pid) return;
    const std::string& word = reader_.text(signal);
    if (!is_signal_name(word)) reader_.fail(signal, "not the name of a signal: SIGSEGV");
    case_.expect.ended[*pid] = word;
  }
}

std::optional<int> CaseReader::read_known_pid(const std::string& name, const Node& node) {
  const auto number = parse_decimal(name);
  if (number && *number <= static_cast<std::uint64_t>(highest_pid) &&
      pids_.contains(static_cast<int>(*number))) {
    return static_cast<int>(*number);
  }
  reader_.fail(node, fmt::format("there is no process '{}'", shown(name)));
  return std::nullopt;
}

void CaseReader::defect(const Node& at, std::string_view reason) {
  if (case_.defect.empty()) case_.defect = reader_.message(at, reason);
}

std::uint64_t CaseReader::highest_address() const {
  return case_.variant == nullptr ? any : case_.variant->highest_address();
}

}  // namespace hardclock::conform
