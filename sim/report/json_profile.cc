#include "sim/report/json_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "sim/report/reason_names.h"

namespace hardclock::report {
namespace {

using Json = nlohmann::json;

// JSON with one item a line, as nlohmann::json::dump(1) lays it out. Members come in the order of
// their keys.
class JsonStream {
 public:
  explicit JsonStream(std::ostream& out) : out_(out) {}

  void begin(char bracket) {
    out_ << bracket;
    ++depth_;
    is_empty_ = true;
  }
  void end(char bracket) {
    --depth_;
    if (!is_empty_) new_line();
    out_ << bracket;
    is_empty_ = false;
  }
  // Before each item of an array.
  void item() {
    if (!is_empty_) out_ << ',';
    new_line();
    is_empty_ = false;
  }
  // Before each value of an object. The key has nothing that JSON would write otherwise.
  void key(std::string_view name) {
    item();
    out_ << '"' << name << "\": ";
  }

  void number(std::uint64_t value) { out_ << value; }
  void number(std::int64_t value) { out_ << value; }
  void text(const std::string& value) {
    out_ << Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
  }

 private:
  void new_line() { out_ << fmt::format("\n{:{}}", "", depth_); }

  std::ostream& out_;
  unsigned depth_ = 0;
  bool is_empty_ = true;
};

bool has_calls(const ProcessProfile& process) {
  return !process.call_tree.empty() || !process.call_arcs.empty() || process.calls_not_kept != 0;
}

bool has_density(const ProcessProfile& process) {
  return std::ranges::any_of(process.histograms,
                             [](const Histogram& histogram) { return histogram.density != 0; });
}

// The first one that has all of the profile: older readers take it if they can.
std::uint64_t version_for(const Profile& profile) {
  if (std::ranges::any_of(profile.processes, has_density)) return json_version_of_density;
  const auto has_reasons = [](const ProcessProfile& process) { return !process.reasons.empty(); };
  if (std::ranges::any_of(profile.processes, has_reasons)) return json_version_of_reasons;
  const bool is_oldest =
      profile.processor.empty() && std::ranges::none_of(profile.processes, has_calls);
  return is_oldest ? oldest_json_version : json_version_of_calls;
}

class Writer {
 public:
  Writer(const Profile& profile, std::ostream& out) : profile_(profile), json_(out) {}

  void write() {
    json_.begin('{');
    number("address_bits", profile_.address_bits);
    text("byte_order", profile_.byte_order == Endian::big ? "big" : "little");
    text("command", profile_.command);
    number("cpu_hz", profile_.cpu.value());
    text("format", std::string(json_profile_name));
    each("processes", profile_.processes,
         [this](const ProcessProfile& process) { write(process); });
    if (!profile_.processor.empty()) text("processor", profile_.processor);
    number("tick_hz", profile_.tick_rate.value());
    number("version", version_for(profile_));
    json_.end('}');
  }

 private:
  void write(const ProcessProfile& process) {
    json_.begin('{');
    each_if_any("arcs", process.arcs, [this](const Arc& arc) { write(arc); });
    each_if_any("call_arcs", process.call_arcs, [this](const CallArc& arc) { write(arc); });
    each_if_any("call_tree", process.call_tree, [this](const CallNode& node) { write(node); });
    each_if_any("calls", process.calls, [this](const CallCount& call) { write(call); });
    if (process.calls_not_kept != 0) number("calls_not_kept", process.calls_not_kept);
    counts("cycles", process.cycles);
    each_if_any("histograms", process.histograms,
                [this](const Histogram& histogram) { write(histogram); });
    each_if_any("mappings", process.mappings, [this](const Mapping& mapping) { write(mapping); });
    if (process.moved_by != 0) text("moved_by", hex(GuestAddr(process.moved_by), 64));
    number("pid", process.pid);
    text("program", process.program);
    if (!process.reasons.empty()) write(process.reasons);
    counts("samples", process.samples);
    if (!process.text_hash.empty()) text("text_hash", process.text_hash);
    json_.end('}');
  }

  void write(const Arc& arc) {
    json_.begin('{');
    number("count", arc.count);
    address("from", arc.from);
    address("self", arc.self);
    json_.end('}');
  }

  void write(const CallArc& arc) {
    json_.begin('[');
    address_item(arc.site);
    address_item(arc.function);
    number_item(arc.calls);
    number_item(arc.cycles);
    json_.end(']');
  }

  void write(const CallNode& node) {
    json_.begin('[');
    json_.item();
    json_.number(node.parent == CallNode::none ? std::int64_t{-1} : std::int64_t{node.parent});
    address_item(node.function);
    number_item(node.calls);
    number_item(node.cycles);
    number_item(node.ticks);
    json_.end(']');
  }

  void write(const CallCount& call) {
    json_.begin('{');
    number("calls", call.calls);
    address("function", call.function);
    json_.end('}');
  }

  void write(const Histogram& histogram) {
    json_.begin('{');
    each("counts", histogram.counts, [this](std::uint64_t count) { json_.number(count); });
    if (histogram.density != 0) number("density", histogram.density);
    address("high", histogram.high);
    address("low", histogram.low);
    json_.end('}');
  }

  void write(const Mapping& mapping) {
    json_.begin('{');
    text("file", mapping.file);
    number("offset", mapping.offset);
    number("size", mapping.size);
    address("start", mapping.start);
    json_.end('}');
  }

  void write(const ReasonsByPc& reasons) {
    std::map<std::string_view, const CyclesByPc*> by_name;
    for (const CycleReason reason : all_cycle_reasons) by_name[name_of(reason)] = &reasons[reason];
    json_.key("reasons");
    json_.begin('{');
    for (const auto& [name, cycles] : by_name) counts(name, *cycles);
    json_.end('}');
  }

  // Nothing if there are none.
  template <class Counts>
  void counts(std::string_view key, const Counts& by_pc) {
    if (by_pc.empty()) return;
    json_.key(key);
    json_.begin('{');
    const unsigned bits = profile_.address_bits;
    if (bits == 64 || by_pc.rbegin()->first.value() >> bits == 0) {
      for (const auto& [pc, count] : by_pc) number(hex(pc, bits), count);
    } else {
      // Of several lengths, in which the order of the keys is not that of the addresses.
      std::map<std::string, std::uint64_t> by_key;
      for (const auto& [pc, count] : by_pc) by_key.emplace(hex(pc, bits), count);
      for (const auto& [pc, count] : by_key) number(pc, count);
    }
    json_.end('}');
  }

  template <class Items, class Write>
  void each(std::string_view key, const Items& items, const Write& write) {
    json_.key(key);
    json_.begin('[');
    for (const auto& item : items) {
      json_.item();
      write(item);
    }
    json_.end(']');
  }
  template <class Items, class Write>
  void each_if_any(std::string_view key, const Items& items, const Write& write) {
    if (!items.empty()) each(key, items, write);
  }

  static std::string hex(GuestAddr address, unsigned bits) {
    return fmt::format("0x{:0{}x}", address.value(), bits / 4);
  }
  void number(std::string_view key, std::uint64_t value) {
    json_.key(key);
    json_.number(value);
  }
  void text(std::string_view key, const std::string& value) {
    json_.key(key);
    json_.text(value);
  }
  void address(std::string_view key, GuestAddr value) {
    text(key, hex(value, profile_.address_bits));
  }
  void address_item(GuestAddr value) {
    json_.item();
    json_.text(hex(value, profile_.address_bits));
  }
  void number_item(std::uint64_t value) {
    json_.item();
    json_.number(value);
  }

  const Profile& profile_;
  JsonStream json_;
};

}  // namespace

void write_json_profile(const Profile& profile, std::ostream& out) {
  Writer(profile, out).write();
  out << '\n';
}

}  // namespace hardclock::report
