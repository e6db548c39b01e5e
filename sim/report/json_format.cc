// hardclock's own profile format: everything that a Profile holds, as JSON with sorted keys, so
// that equal profiles are equal bytes and two of them can be compared with diff.
//
//   {"format": "hardclock-profile", "version": 1, "command": text, "byte_order": "big"|"little",
//    "address_bits": 32|64, "cpu_hz": n, "tick_hz": n, "processor": text,
//    "processes": [{"pid": n, "program": text,
//      "text_hash": text, "moved_by": pc,
//      "mappings": [{"start": pc, "size": n, "file": text, "offset": n}],
//      "samples": {pc: ticks}, "cycles": {pc: cycles}, "reasons": {reason: {pc: cycles}},
//      "histograms": [{"low": pc, "high": pc, "counts": [ticks], "density": n}],
//      "calls": [{"function": pc, "calls": n}], "arcs": [{"from": pc, "self": pc, "count": n}],
//      "call_tree": [[parent, pc, calls, cycles, ticks]], "call_arcs": [[pc, pc, calls, cycles]],
//      "calls_not_kept": n}]}
//
// Version 1 has none of the last three, and no processor; versions 1 and 2 have no reasons;
// versions 1 to 3 have no density, which may be absent. A
// parent is an index, or -1. A reason is one of cycle_reason_names. A pc is text, "0x00400120". A
// process may leave out all but the first two keys when they are empty or 0. docs/profiles.md says
// what they mean. Text that is not UTF-8 is written with U+FFFD in place of the wrong bytes.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>

#include "sim/report/format.h"
#include "sim/report/histogram.h"
#include "sim/report/json_document.h"
#include "sim/report/json_profile.h"
#include "sim/report/reason_names.h"

namespace hardclock::report {
namespace {

std::string hex(GuestAddr address, unsigned bits) {
  return fmt::format("0x{:0{}x}", address.value(), bits / 4);
}

// Reads a document; the first thing wrong with it stays in error() and the rest is skipped.
class Reader {
 public:
  Profile read(const Json& document) {
    Profile profile;
    check_keys(document, "",
               {"format", "version", "command", "byte_order", "address_bits", "cpu_hz", "tick_hz",
                "processor", "processes"});
    const std::string format = text(document, "", "format");
    if (ok() && format != json_profile_name)
      fail("format", fmt::format("is not {}", quote(json_profile_name)));
    const std::uint64_t version = number(document, "", "version");
    if (ok() && (version < oldest_json_version || version > json_version_of_density)) {
      fail("version", fmt::format("is {}, and this hardclock reads {} to {} only", version,
                                  oldest_json_version, json_version_of_density));
    }
    profile.command = text(document, "", "command");
    const std::string order = text(document, "", "byte_order");
    if (ok() && order != "big" && order != "little") {
      fail("byte_order", R"(is neither "big" nor "little")");
    }
    profile.byte_order = order == "little" ? Endian::little : Endian::big;
    bits_ = static_cast<unsigned>(number(document, "", "address_bits", 64));
    if (ok() && bits_ != 32 && bits_ != 64) fail("address_bits", "is neither 32 nor 64");
    profile.address_bits = bits_;
    profile.cpu = Hertz(number(document, "", "cpu_hz"));
    profile.tick_rate = Hertz(number(document, "", "tick_hz"));
    if (ok() && document.contains("processor")) {
      profile.processor = text(document, "", "processor");
    }
    for_each(document, "", "processes", [&](const Json& item, const std::string& path) {
      profile.processes.push_back(process(item, path));
    });
    return profile;
  }

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }

 private:
  void fail(std::string_view path, std::string_view why) {
    if (ok()) error_ = fmt::format("{} {}", path, why);
  }

  static std::string join(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
  }

  // `value` is an object without other keys than these.
  void check_keys(const Json& value, const std::string& path,
                  std::initializer_list<std::string_view> known) {
    check_keys(value, path, std::span(known.begin(), known.size()));
  }
  void check_keys(const Json& value, const std::string& path,
                  std::span<const std::string_view> known) {
    if (!ok()) return;
    if (!value.is_object()) return fail(path.empty() ? "the document" : path, "is not an object");
    for (const auto& [key, ignored] : value.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        const std::string where = path.empty() ? "the document" : path;
        return fail(where, fmt::format("has the unknown key {}", quote(key)));
      }
    }
  }

  // The member, or nullptr after an error. `object` went through check_keys.
  const Json* member(const Json& object, const std::string& path, const char* key) {
    if (!ok()) return nullptr;
    const auto found = object.find(key);
    if (found != object.end()) return &*found;
    fail(join(path, key), "is missing");
    return nullptr;
  }

  std::string text(const Json& object, const std::string& path, const char* key) {
    const Json* value = member(object, path, key);
    if (value == nullptr) return {};
    if (value->is_string()) return value->get<std::string>();
    fail(join(path, key), "is not text");
    return {};
  }

  std::uint64_t to_number(const Json& value, const std::string& path, std::uint64_t most) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() <= most) {
      return value.get<std::uint64_t>();
    }
    fail(path, fmt::format("is not a whole number from 0 to {}", most));
    return 0;
  }

  std::uint64_t number(const Json& object, const std::string& path, const char* key,
                       std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    const Json* value = member(object, path, key);
    return value == nullptr ? 0 : to_number(*value, join(path, key), most);
  }

  // A count of ticks or cycles, added to `sum`, which must stay below 2^64.
  std::uint64_t count(const Json& value, const std::string& path, std::uint64_t& sum) {
    const std::uint64_t n = to_number(value, path, std::numeric_limits<std::uint64_t>::max());
    add(n, path, sum);
    return n;
  }
  void add(std::uint64_t n, const std::string& path, std::uint64_t& sum) {
    if (__builtin_add_overflow(sum, n, &sum)) {
      fail(path, "brings the sum of the counts above 2^64 - 1");
    }
  }

  GuestAddr to_address(std::string_view digits, const std::string& path) {
    const std::uint64_t address = to_number_of(digits, path);
    // Above the 32 bits of an address, 32-bit programs for IA-64 have the number of its region.
    constexpr std::uint64_t region = std::uint64_t{7} << 61;
    if (ok() && bits_ == 32 && (address & ~region) > std::numeric_limits<std::uint32_t>::max()) {
      fail(path, fmt::format("has {}, an address of more than 32 bits", quote(digits)));
    }
    return GuestAddr(address);
  }

  // "0x" and hexadecimal digits, up to 64 bits.
  std::uint64_t to_number_of(std::string_view digits, const std::string& path) {
    std::uint64_t address = 0;
    const bool prefixed = digits.starts_with("0x");
    const char* const begin = digits.data() + (prefixed ? 2 : 0);
    const char* const end = digits.data() + digits.size();
    const auto [stop, problem] = std::from_chars(begin, end, address, 16);
    if (!prefixed || problem != std::errc() || stop != end) {
      fail(path,
           fmt::format("has {} where an address such as \"0x00400120\" belongs", quote(digits)));
    }
    return address;
  }

  GuestAddr address(const Json& object, const std::string& path, const char* key) {
    return to_address(text(object, path, key), join(path, key));
  }

  // By pc, ascending. `sum` must stay below 2^64.
  std::vector<CyclesByPc::value_type> counts_by_pc(const Json& object, const std::string& path,
                                                   const char* key, std::uint64_t& sum) {
    std::vector<CyclesByPc::value_type> counts;
    if (!ok() || !object.contains(key)) return counts;
    const std::string where = join(path, key);
    const Json& value = object[key];
    if (value.is_object()) {
      if (!value.empty()) to_address(value.begin().key(), where);
      return counts;
    }
    if (!is_counts(value)) fail(where, "is not an object");
    if (!ok()) return counts;
    counts.reserve(number_of_items(value));
    for (std::size_t i = 0; ok() && i < number_of_items(value); ++i) {
      const CountAt item = count_in(value, i);
      const std::string digits = hex(GuestAddr(item.address), bits_);
      counts.emplace_back(to_address(digits, where), item.count);
      add(item.count, where + "." + digits, sum);
    }
    std::ranges::sort(counts, {}, &CyclesByPc::value_type::first);
    const auto twice = std::ranges::adjacent_find(counts, {}, &CyclesByPc::value_type::first);
    if (twice != counts.end())
      fail(where, fmt::format("has the address {} twice", quote(hex(twice->first, bits_))));
    if (!ok()) counts.clear();  // what is adopted has no address twice
    return counts;
  }

  void read_reasons(const Json& object, const std::string& path, ProcessProfile& process) {
    if (!ok() || !object.contains("reasons")) return;
    const std::string where = join(path, "reasons");
    const Json& value = object["reasons"];
    check_keys(value, where, cycle_reason_names);
    for (const CycleReason reason : all_cycle_reasons) {
      const std::string name(name_of(reason));
      std::uint64_t& sum = reason == CycleReason::kernel ? kernel_cycles_ : reason_cycles_;
      auto cycles = counts_by_pc(value, where, name.c_str(), sum);
      std::erase_if(cycles, [](const auto& item) { return item.second == 0; });
      process.reasons[reason] = to_cycles_by_pc(std::move(cycles));
    }
    check_reasons(process, path);
  }

  // Each pc's own are its cycles.
  void check_reasons(const ProcessProfile& process, const std::string& path) {
    const auto compare = [&](GuestAddr pc, std::uint64_t cycles) {
      const std::uint64_t own = process.reasons.at(pc).own();
      if (!ok() || own == cycles) return;
      fail(join(path, "reasons"),
           fmt::format("are {} of the {} cycles of {}", own, cycles, hex(pc, bits_)));
    };
    for (const auto& [pc, cycles] : process.cycles) compare(pc, cycles);
    process.reasons.for_each([&](GuestAddr pc, CycleReason, std::uint64_t) {
      if (!process.cycles.contains(pc)) compare(pc, 0);
    });
  }

  // Calls visit(item, path) for each item of the array `key`.
  template <class Visit>
  void for_each(const Json& object, const std::string& path, const char* key, Visit visit) {
    const Json* array = member(object, path, key);
    if (array == nullptr) return;
    const std::string where = join(path, key);
    const bool has_rows = is_rows(*array);
    if (!array->is_array() && !has_rows) return fail(where, "is not an array");
    const std::size_t size = has_rows ? number_of_items(*array) : array->size();
    for (std::size_t i = 0; ok() && i < size; ++i) {
      const std::string at = fmt::format("{}[{}]", where, i);
      if (has_rows) {
        visit(row_in(*array, i), at);
      } else {
        visit((*array)[i], at);
      }
    }
  }

  Histogram histogram(const Json& object, const std::string& path) {
    Histogram result;
    check_keys(object, path, {"low", "high", "counts", "density"});
    result.low = address(object, path, "low");
    result.high = address(object, path, "high");
    if (ok() && result.high <= result.low) fail(join(path, "high"), "is not above low");
    for_each(object, path, "counts", [&](const Json& item, const std::string& where) {
      result.counts.push_back(count(item, where, histogram_ticks_));
    });
    if (ok() && result.counts.empty()) fail(join(path, "counts"), "is empty");
    if (!ok() || !object.contains("density")) return result;
    const std::uint64_t density = number(object, path, "density", Histogram::most_density);
    if (ok() && (density == 0 || !can_have(result, density))) {
      fail(join(path, "density"), "leaves counters without addresses");
    }
    return with_density(std::move(result), density);
  }

  Mapping mapping(const Json& object, const std::string& path) {
    constexpr std::uint64_t highest_accepted = std::numeric_limits<std::uint64_t>::max();
    Mapping result;
    check_keys(object, path, {"start", "size", "file", "offset"});
    result.start = address(object, path, "start");
    result.size = number(object, path, "size", highest_accepted - result.start.value());
    if (ok() && result.size == 0) fail(join(path, "size"), "is 0");
    result.file = text(object, path, "file");
    result.offset = number(object, path, "offset", highest_accepted - result.size);
    return result;
  }

  // In the order of their addresses, none over another.
  std::vector<Mapping> mappings(const Json& object, const std::string& path) {
    std::vector<Mapping> all;
    for_each(object, path, "mappings", [&](const Json& item, const std::string& where) {
      all.push_back(mapping(item, where));
      if (!ok() || all.size() < 2) return;
      const Mapping& before = all[all.size() - 2];
      if (all.back().start < before.start + before.size) {
        fail(join(where, "start"), "is not behind the mapping before");
      }
    });
    return all;
  }

  CallCount call(const Json& object, const std::string& path) {
    CallCount result;
    check_keys(object, path, {"function", "calls"});
    result.function = address(object, path, "function");
    result.calls = number(object, path, "calls");
    return result;
  }

  Arc arc(const Json& object, const std::string& path) {
    Arc result;
    check_keys(object, path, {"from", "self", "count"});
    result.from = address(object, path, "from");
    result.self = address(object, path, "self");
    result.count = number(object, path, "count");
    return result;
  }

  // Item `i` of an array of addresses and numbers. nullptr after an error.
  const Json* item(const Json& array, const std::string& path, std::size_t i, std::size_t size) {
    if (!ok()) return nullptr;
    if (array.is_array() && array.size() == size) return &array[i];
    fail(path, fmt::format("is not an array of {} items", size));
    return nullptr;
  }
  GuestAddr address_item(const Json& array, const std::string& path, std::size_t i,
                         std::size_t size) {
    const Json* const value = item(array, path, i, size);
    if (value == nullptr) return {};
    if (value->is_string()) return to_address(value->get_ref<const std::string&>(), path);
    fail(path, fmt::format("has no address as its item {}", i));
    return {};
  }
  // `sum`: of all such numbers, must stay below 2^64.
  std::uint64_t count_item(const Json& array, const std::string& path, std::size_t i,
                           std::size_t size, std::uint64_t& sum) {
    const Json* const value = item(array, path, i, size);
    return value == nullptr ? 0 : count(*value, path, sum);
  }

  CallNode call_node(const Json& array, const std::string& path, std::size_t number) {
    constexpr std::size_t size = 5;
    CallNode node;
    const Json* const parent = item(array, path, 0, size);
    if (parent == nullptr) return node;
    if (*parent != -1 && number == 0) fail(path, "is the first, and has a parent");
    if (ok() && *parent != -1)
      node.parent = static_cast<std::uint32_t>(to_number(*parent, path, number - 1));
    node.function = address_item(array, path, 1, size);
    node.calls = count_item(array, path, 2, size, calls_);
    node.cycles = count_item(array, path, 3, size, tree_cycles_);
    node.ticks = count_item(array, path, 4, size, tree_ticks_);
    return node;
  }

  CallArc call_arc(const Json& array, const std::string& path) {
    constexpr std::size_t size = 4;
    std::uint64_t inclusive = 0;
    return {.site = address_item(array, path, 0, size),
            .function = address_item(array, path, 1, size),
            .calls = count_item(array, path, 2, size, arc_calls_),
            .cycles = count_item(array, path, 3, size, inclusive)};
  }

  void read_calls(const Json& object, const std::string& path, ProcessProfile& process) {
    if (ok() && object.contains("call_tree")) {
      for_each(object, path, "call_tree", [&](const Json& item, const std::string& where) {
        process.call_tree.push_back(call_node(item, where, process.call_tree.size()));
      });
    }
    if (ok() && object.contains("call_arcs")) {
      for_each(object, path, "call_arcs", [&](const Json& item, const std::string& where) {
        process.call_arcs.push_back(call_arc(item, where));
        if (!ok() || process.call_arcs.size() < 2) return;
        const CallArc& before = process.call_arcs.rbegin()[1];
        const CallArc& arc = process.call_arcs.back();
        if (std::tie(arc.site, arc.function) <= std::tie(before.site, before.function))
          fail(where, "is not behind the arc before");
      });
    }
    if (ok() && object.contains("calls_not_kept"))
      process.calls_not_kept = number(object, path, "calls_not_kept");
  }

  ProcessProfile process(const Json& object, const std::string& path) {
    ProcessProfile result;
    check_keys(
        object, path,
        {"pid", "program", "text_hash", "moved_by", "mappings", "samples", "cycles", "reasons",
         "histograms", "calls", "arcs", "call_tree", "call_arcs", "calls_not_kept"});
    result.pid = static_cast<std::uint32_t>(
        number(object, path, "pid", std::numeric_limits<std::uint32_t>::max()));
    result.program = text(object, path, "program");
    if (ok() && object.contains("text_hash")) result.text_hash = text(object, path, "text_hash");
    if (ok() && object.contains("moved_by")) {
      result.moved_by = to_number_of(text(object, path, "moved_by"), join(path, "moved_by"));
    }
    if (ok() && object.contains("mappings")) result.mappings = mappings(object, path);
    const auto samples = counts_by_pc(object, path, "samples", sample_ticks_);
    result.samples = {samples.begin(), samples.end()};
    result.cycles = to_cycles_by_pc(counts_by_pc(object, path, "cycles", cycles_));
    read_reasons(object, path, result);
    if (ok() && object.contains("histograms")) {
      for_each(object, path, "histograms", [&](const Json& item, const std::string& where) {
        result.histograms.push_back(histogram(item, where));
      });
    }
    if (ok() && object.contains("calls")) {
      for_each(object, path, "calls", [&](const Json& item, const std::string& where) {
        result.calls.push_back(call(item, where));
      });
    }
    if (ok() && object.contains("arcs")) {
      for_each(object, path, "arcs", [&](const Json& item, const std::string& where) {
        result.arcs.push_back(arc(item, where));
      });
    }
    read_calls(object, path, result);
    return result;
  }

  unsigned bits_ = 64;
  std::uint64_t sample_ticks_ = 0;
  std::uint64_t histogram_ticks_ = 0;
  std::uint64_t cycles_ = 0;
  std::uint64_t reason_cycles_ = 0;  // all but the kernel's
  std::uint64_t kernel_cycles_ = 0;
  std::uint64_t calls_ = 0;  // of trees, as the next two
  std::uint64_t tree_cycles_ = 0;
  std::uint64_t tree_ticks_ = 0;
  std::uint64_t arc_calls_ = 0;
  std::string error_;
};

Result<Profile, std::string> read(std::span<const std::uint8_t> bytes, const Target&) {
  const auto document = parse_json(bytes);
  if (!document) return Failure{document.error()};
  Reader reader;
  Profile profile = reader.read(*document);
  if (!reader.ok()) return Failure{reader.error()};
  return profile;
}

// An object whose first key begins, or that ends at once. A brace alone says little: 0x7b is also
// the first byte of a HP-UX library's addresses.
Recognition recognize(std::span<const std::uint8_t> bytes, const Target&) {
  constexpr std::string_view space = " \t\r\n";
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
  if (!text.starts_with('{')) return {};
  text.remove_prefix(1);
  text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
  const bool is_json = text.starts_with('"') || text.starts_with('}');
  return {.match = is_json ? Match::certain : Match::no, .objection = {}};
}

}  // namespace

Format json_format() {
  return {.name = "hardclock",
          .title = "hardclock JSON",
          .suffixes = {".json"},
          .recognize = recognize,
          .read = read,
          .stream = write_json_profile};
}

}  // namespace hardclock::report
