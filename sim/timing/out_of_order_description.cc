#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline_rows.h"

namespace hardclock {
namespace {

constexpr std::uint64_t most_entries = 4096;  // of anything that the window holds
constexpr std::uint64_t widest = 16;          // instructions a cycle
constexpr std::uint64_t largest_table = 65536;
constexpr std::uint64_t most_shift = 16;
constexpr std::uint64_t longest_history = 7;  // outcomes
constexpr std::uint64_t most_turns = 16;      // instructions
constexpr std::uint64_t longest_line = 4096;  // bytes
constexpr std::size_t most_declared = 16;     // queues, and register files
constexpr std::uint64_t last_register = first_unit - 1;
// An instruction writes fewer registers than this.
constexpr std::uint64_t fewest_free = 4;

// Reads the rows of a description.
class Builder : PipelineRows {
 public:
  Builder(const CpuDescription& description, std::span<const char* const> class_names,
          std::span<const char* const> absent)
      : PipelineRows(description, class_names, absent) {
    cpu_.classes.resize(names_.size());
  }

  Result<std::shared_ptr<const OutOfOrderDescription>, std::string> build() {
    std::string mistake = read_rows(*this, {{"queue", &Builder::read_queue},
                                            {"registers", &Builder::read_registers},
                                            {"unit", &Builder::read_unit},
                                            {"class", &Builder::read_class}});
    fill_latencies();
    if (mistake.empty()) {
      mistake = read_rows(*this, {{"bypass", &Builder::read_bypass},
                                  {"result", &Builder::read_result},
                                  {"late", &Builder::read_late},
                                  {"tie", &Builder::read_tie},
                                  {"fetch", &Builder::read_fetch},
                                  {"decode", &Builder::read_decode},
                                  {"graduate", &Builder::read_graduate},
                                  {"active", &Builder::read_active},
                                  {"branches", &Builder::read_branches},
                                  {"misses", &Builder::read_misses},
                                  {"predictor", &Builder::read_predictor},
                                  {"mispredict", &Builder::read_mispredict}});
    }
    if (mistake.empty()) mistake = what_is_missing();
    if (!mistake.empty()) return failure(mistake);
    return std::shared_ptr<const OutOfOrderDescription>(
        std::make_shared<OutOfOrderDescription>(std::move(cpu_)));
  }

 private:
  using Class = OutOfOrderDescription::Class;
  static constexpr std::uint8_t none = OutOfOrderDescription::none;

  std::string what_is_missing() const {
    for (const std::string_view keyword : {"fetch", "decode", "graduate", "active"}) {
      if (!has_row_for_all(keyword)) return "no row '" + std::string(keyword) + " all'";
    }
    for (std::uint8_t i = 0; i < names_.size(); ++i) {
      if (is_described(i) && cpu_.classes[i].entries > most_at_once(cpu_.classes[i])) {
        return "class " + names_[i] + " takes more entries than can graduate in a cycle";
      }
    }
    return class_without_row();
  }

  // The entries of the active list that can graduate in a cycle.
  std::uint32_t most_at_once(const Class& timing_class) const {
    std::uint32_t most = std::min(cpu_.graduate_width, cpu_.active);
    for (std::size_t group = 0; group < cpu_.graduate_limits.size(); ++group) {
      const bool is_in = (timing_class.graduate_groups >> group & 1U) != 0;
      if (is_in) most = std::min(most, cpu_.graduate_limits[group]);
    }
    return most;
  }

  static std::uint32_t number(RowReader& row, std::string_view key, std::uint32_t otherwise,
                              std::uint64_t least, std::uint64_t most) {
    return static_cast<std::uint32_t>(row.number(key, otherwise, least, most));
  }

  static std::uint32_t power_of_two(RowReader& row, std::string_view key, std::uint32_t otherwise,
                                    std::uint64_t most) {
    const std::uint32_t value = number(row, key, otherwise, 1, most);
    if (value != 0 && !std::has_single_bit(value)) {
      row.fail(std::string(key) + " needs a power of two");
    }
    return value;
  }

  static bool yes(RowReader& row, std::string_view key) {
    return row.choice(key, {"no", "yes"}) == 1;
  }

  // The number of something that has been declared.
  static std::uint8_t lookup(RowReader& row, const std::map<std::string, std::uint8_t>& numbers,
                             const std::string& what, const std::string& name) {
    const auto at = numbers.find(name);
    if (at != numbers.end()) return at->second;
    row.fail("unknown " + what + " '" + name + "'");
    return none;
  }

  void read_queue(RowReader& row) {
    row.require("entries");
    row.require("until");
    if (cpu_.queues.size() == most_declared) {
      row.fail("more than " + std::to_string(most_declared) + " queues");
      return;
    }
    queue_numbers_.emplace(row.name(), static_cast<std::uint8_t>(cpu_.queues.size()));
    cpu_.queues.push_back({number(row, "entries", 1, 1, most_entries),
                           row.choice("until", {"issue", "graduation"}) == 1});
    if (row.has("addresses")) cpu_.addresses_after = number(row, "addresses", 0, 0, longest);
    if (row.has("forward")) cpu_.forward_after = number(row, "forward", 0, 0, longest);
  }

  void read_registers(RowReader& row) {
    row.require("first");
    row.require("last");
    const std::uint64_t first = row.number("first", 0, 0, last_register);
    const std::uint64_t last = row.number("last", first, first, last_register);
    const std::uint8_t file = row.has("with")
                                  ? lookup(row, file_numbers_, "registers", row.word("with", ""))
                                  : add_file(row);
    if (cpu_.file_of.size() <= last) cpu_.file_of.resize(last + 1, none);
    for (std::uint64_t i = first; i <= last; ++i) {
      if (cpu_.file_of[i] != none) row.fail("register " + std::to_string(i) + " is in two files");
      cpu_.file_of[i] = file;
    }
  }

  std::uint8_t add_file(RowReader& row) {
    const auto file = static_cast<std::uint8_t>(cpu_.files.size());
    if (file == most_declared) {
      row.fail("more than " + std::to_string(most_declared) + " register files");
      return none;
    }
    row.require("free");
    const std::uint32_t free = number(row, "free", fewest_free, fewest_free, most_entries);
    cpu_.files.push_back({free, number(row, "most", fewest_free, 1, fewest_free)});
    file_numbers_.emplace(row.name(), file);
    return file;
  }

  void read_unit(RowReader& row) {
    row.require("queue");
    const auto unit = static_cast<std::uint8_t>(cpu_.units.size());
    if (unit == OutOfOrderDescription::most_units) {
      row.fail("more than " + std::to_string(unit) + " units");
      return;
    }
    const std::uint8_t queue = lookup(row, queue_numbers_, "queue", row.word("queue", ""));
    const std::uint8_t port =
        row.has("port") ? lookup(row, unit_numbers_, "unit", row.word("port", "")) : unit;
    if (port != unit && port != none && cpu_.units[port].port != port) {
      row.fail("unit " + row.name() + " issues through one that has no port of its own");
    }
    unit_numbers_.emplace(row.name(), unit);
    cpu_.units.push_back({queue, port});
  }

  void read_class(RowReader& row) {
    row.require("latency");
    row.require("unit");
    Class read;
    read.latency = static_cast<std::uint16_t>(row.number("latency", 1, 1, longest));
    read.repeat = static_cast<std::uint16_t>(row.number("repeat", 1, 1, longest));
    read.every = static_cast<std::uint8_t>(row.number("every", 1, 1, most_turns));
    if (read.every != 1) {
      if (read.repeat == 1) row.fail("'every' needs a repeat above 1");
      read.turn = static_cast<std::uint8_t>(cpu_.turns++);
    }
    read.takes_all = row.choice("takes", {"one", "all"}) == 1;
    const std::string units = row.word("unit", "none");
    if (units != "none") read_units(row, read, words_of_list(units));
    if (row.has("entry")) {
      read.second_queue = lookup(row, queue_numbers_, "queue", row.word("entry", ""));
      if (read.second_queue == read.queue) row.fail("a second entry in its units' own queue");
    }
    if (row.has("also")) read_second(row, read);
    for (const std::uint8_t index : described_by(row)) cpu_.classes[index] = read;
  }

  void read_units(RowReader& row, Class& read, const std::vector<std::string>& names) {
    if (names.size() > OutOfOrderDescription::most_choices) {
      row.fail("more than " + std::to_string(OutOfOrderDescription::most_choices) + " units");
      return;
    }
    for (const std::string& name : names) {
      const std::uint8_t number = lookup(row, unit_numbers_, "unit", name);
      if (number == none) return;
      const OutOfOrderDescription::Unit& unit = cpu_.units[number];
      if (read.queue != none && read.queue != unit.queue) row.fail("units of different queues");
      read.queue = unit.queue;
      read.units[read.unit_count++] = number;
      read.holds = read.holds || read.repeat != 1 || unit.port != number;
    }
    if (read.takes_all && read.holds) {
      row.fail("one that takes all of its units can hold none, and each needs a port of its own");
    }
  }

  void read_second(RowReader& row, Class& read) {
    row.require("after");
    read.second = lookup(row, unit_numbers_, "unit", row.word("also", ""));
    read.second_after = static_cast<std::uint16_t>(row.number("after", 1, 1, longest));
    if (read.second != none && cpu_.units[read.second].port != read.second) {
      row.fail("'also' needs a unit with a port of its own");
    }
  }

  void fill_latencies() {
    const std::size_t count = cpu_.classes.size();
    cpu_.latencies.assign((count + 1) * count, 0);
    for (std::size_t producer = 0; producer < count; ++producer) {
      for (std::size_t consumer = 0; consumer < count; ++consumer) {
        cpu_.latencies[(producer + 1) * count + consumer] = cpu_.classes[producer].latency;
      }
    }
  }

  void read_bypass(RowReader& row) {
    row.require("to");
    row.require("latency");
    const auto latency = static_cast<std::uint16_t>(row.number("latency", 1, 1, longest));
    const std::vector<std::uint8_t> consumers = classes_of(row, row.word("to", row.name()));
    for (const std::uint8_t producer : classes_of(row, row.name())) {
      const std::size_t first = (producer + 1) * cpu_.classes.size();
      for (const std::uint8_t consumer : consumers) cpu_.latencies[first + consumer] = latency;
    }
  }

  void read_result(RowReader& row) {
    for (const char* const key : {"first", "last", "latency"}) row.require(key);
    const std::uint64_t first = row.number("first", 0, 0, last_register);
    const std::uint64_t last = row.number("last", first, first, last_register);
    const auto latency = static_cast<std::uint16_t>(row.number("latency", 1, 0, longest));
    if (cpu_.result_latencies.size() <= last) {
      cpu_.result_latencies.resize(last + 1, OutOfOrderDescription::by_class);
    }
    for (std::uint64_t i = first; i <= last; ++i) cpu_.result_latencies[i] = latency;
  }

  void read_late(RowReader& row) {
    for (const char* const key : {"first", "last", "queue"}) row.require(key);
    if (cpu_.late_queue != none) row.fail("a second row of late registers");
    cpu_.first_late = static_cast<Resource>(row.number("first", 0, 0, last_register));
    cpu_.last_late = static_cast<Resource>(row.number("last", 0, cpu_.first_late, last_register));
    cpu_.late_queue = lookup(row, queue_numbers_, "queue", row.word("queue", ""));
  }

  void read_tie(RowReader& row) {
    row.require("latency");
    const auto latency = static_cast<std::uint16_t>(row.number("latency", 1, 1, longest));
    for (const std::uint8_t index : classes_of(row, row.name())) cpu_.classes[index].tie = latency;
  }

  void read_fetch(RowReader& row) {
    if (row.name() != "all") row.fail("fetch is for all");
    row.require("width");
    cpu_.fetch_width = number(row, "width", 1, 1, widest);
    if (const std::uint32_t line = power_of_two(row, "line", 0, longest_line); line != 0) {
      cpu_.fetch_line_shift = static_cast<std::uint32_t>(std::countr_zero(line));
    }
    cpu_.fetch_buffer = number(row, "buffer", cpu_.fetch_width, 1, most_entries);
    cpu_.target_delay = number(row, "target", 1, 1, longest);
  }

  // Makes a group of the row's classes.
  void add_limit(RowReader& row, std::vector<std::uint32_t>& limits, std::uint8_t Class::*groups) {
    const std::size_t group = limits.size();
    if (group == OutOfOrderDescription::most_limits) {
      row.fail("more than " + std::to_string(group) + " groups of classes with a width");
      return;
    }
    limits.push_back(number(row, "width", 1, 1, widest));
    for (const std::uint8_t index : classes_of(row, row.name())) {
      (cpu_.classes[index].*groups) |= static_cast<std::uint8_t>(1U << group);
    }
  }

  void read_decode(RowReader& row) {
    if (row.name() == "all") {
      row.require("width");
      cpu_.decode_width = number(row, "width", 1, 1, widest);
      return;
    }
    if (row.has("width")) add_limit(row, cpu_.decode_limits, &Class::decode_groups);
    const bool nop = yes(row, "nop");
    const bool alone = yes(row, "alone");
    for (const std::uint8_t index : classes_of(row, row.name())) {
      cpu_.classes[index].nop_at_decode |= nop;
      cpu_.classes[index].serializes |= alone;
    }
  }

  void read_graduate(RowReader& row) {
    row.require("width");
    if (row.name() == "all") {
      cpu_.graduate_width = number(row, "width", 1, 1, widest);
      cpu_.graduate_after = number(row, "after", 1, 1, longest);
      return;
    }
    add_limit(row, cpu_.graduate_limits, &Class::graduate_groups);
  }

  void read_active(RowReader& row) {
    if (row.name() == "all") {
      row.require("entries");
      cpu_.active = number(row, "entries", 1, 1, most_entries);
      return;
    }
    row.require("each");
    const auto each = static_cast<std::uint8_t>(row.number("each", 1, 1, widest));
    for (const std::uint8_t index : classes_of(row, row.name())) cpu_.classes[index].entries = each;
  }

  void read_branches(RowReader& row) {
    row.require("entries");
    if (cpu_.branch_stack != 0) row.fail("a second branch stack");
    cpu_.branch_stack = number(row, "entries", 1, 1, most_entries);
    for (const std::uint8_t index : classes_of(row, row.name())) {
      cpu_.classes[index].branch_stack = true;
    }
  }

  void read_misses(RowReader& row) {
    if (row.name() == "all") {
      row.require("outstanding");
      cpu_.outstanding = number(row, "outstanding", 1, 1, most_entries);
      return;
    }
    row.require("wait");
    const bool waits = row.choice("wait", {"no", "yes"}) == 1;
    for (const std::uint8_t index : classes_of(row, row.name()))
      cpu_.classes[index].posted = !waits;
  }

  void read_predictor(RowReader& row) {
    row.require("entries");
    BranchPredictor::Shape& shape = cpu_.predictor;
    if (row.name() == "bht") {
      shape.counters = power_of_two(row, "entries", 1, largest_table);
      shape.counter_shift = number(row, "shift", shape.counter_shift, 0, most_shift);
      shape.history = number(row, "history", 0, 1, longest_history);
      if (row.has("history") && shape.history % 2 == 0) row.fail("history needs an odd number");
    } else if (row.name() == "returns") {
      shape.returns = number(row, "entries", 1, 1, most_entries);
    } else if (row.name() == "targets") {
      shape.targets = power_of_two(row, "entries", 1, largest_table);
      shape.target_shift = number(row, "shift", shape.target_shift, 0, most_shift);
      shape.associative_targets = yes(row, "associative");
      if (shape.associative_targets && row.has("shift")) row.fail("associative takes no shift");
    } else {
      row.fail("unknown predictor '" + row.name() + "'");
    }
  }

  void read_mispredict(RowReader& row) {
    row.require("cycles");
    const std::uint32_t cycles = number(row, "cycles", 0, 0, longest);
    if (row.name() == "taken") {
      cpu_.mispredicted_taken = cycles;
    } else if (row.name() == "not_taken") {
      cpu_.mispredicted_not_taken = cycles;
    } else if (row.name() == "indirect") {
      cpu_.mispredicted_indirect = cycles;
    } else {
      row.fail("unknown misprediction '" + row.name() + "'");
    }
  }

  OutOfOrderDescription cpu_;
  std::map<std::string, std::uint8_t> queue_numbers_;
  std::map<std::string, std::uint8_t> file_numbers_;
  std::map<std::string, std::uint8_t> unit_numbers_;
};

}  // namespace

Result<std::shared_ptr<const OutOfOrderDescription>, std::string> make_out_of_order(
    const CpuDescription& description, std::span<const char* const> class_names,
    std::span<const char* const> absent) {
  return Builder(description, class_names, absent).build();
}

}  // namespace hardclock
