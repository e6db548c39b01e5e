// github.com/google/pprof, proto/profile.proto: the numbers of the messages' fields are from there.
#include <protozero/pbf_builder.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "sim/report/reason_names.h"
#include "sim/report/viewers/gzip.h"
#include "sim/report/viewers/stacks.h"
#include "sim/report/viewers/text.h"
#include "sim/report/viewers/viewers.h"

namespace hardclock::report {
namespace {

enum class Document : protozero::pbf_tag_type {
  sample_type = 1,
  sample = 2,
  mapping = 3,
  location = 4,
  function = 5,
  string_table = 6,
  duration_nanos = 10,
  period_type = 11,
  period = 12,
  comment = 13,
  default_sample_type = 14,
};
enum class ValueType : protozero::pbf_tag_type { type = 1, unit = 2 };
enum class Sample : protozero::pbf_tag_type { location_id = 1, value = 2 };
enum class Region : protozero::pbf_tag_type {
  id = 1,
  memory_start = 2,
  memory_limit = 3,
  file_offset = 4,
  filename = 5,
  has_functions = 7,
};
enum class Location : protozero::pbf_tag_type { id = 1, mapping_id = 2, address = 3, line = 4 };
enum class Line : protozero::pbf_tag_type { function_id = 1, line = 2 };
enum class Function : protozero::pbf_tag_type {
  id = 1,
  name = 2,
  system_name = 3,
  filename = 4,
  start_line = 5,
};

// Ids are indices above 0.
std::uint64_t id_of(std::uint64_t index) {
  return index + 1;
}

class Writer {
 public:
  Writer(const CallGraph& graph, const Lines& lines) : graph_(graph) {
    text("");
    for (const ProfiledFunction& each : graph.functions) {
      const bool has_file = each.is_of_program || !each.object.empty();
      const std::string_view object = each.is_of_program ? "" : std::string_view(each.object);
      tables_.push_back(has_file ? find_lines(lines, object) : nullptr);
      sources_.push_back(each.address ? source_at(tables_.back(), *each.address) : Source());
    }
  }

  std::string write() {
    if (graph_.has_cycles) value_type(Document::sample_type, "cycles");
    value_type(Document::sample_type, "ticks");
    write_types_of_reasons();
    if (graph_.has_calls) write_stacks();
    if (!graph_.has_calls || graph_.has_reasons) write_points();
    write_mappings();
    write_functions();
    write_rates();
    if (!graph_.command.empty()) {
      document_.add_int64(Document::comment, text("command: " + graph_.command));
    }
    document_.add_int64(Document::default_sample_type,
                        text(graph_.has_cycles ? "cycles" : "ticks"));
    // Behind everything that added to it.
    for (const std::string& each : strings_) document_.add_string(Document::string_table, each);
    return std::move(bytes_);
  }

 private:
  // The index of the text in the table.
  std::int64_t text(const std::string& bytes) {
    const auto next = static_cast<std::int64_t>(strings_.size());
    const auto [known, is_new] = index_.emplace(plain_text(bytes), next);
    if (is_new) strings_.push_back(known->first);
    return known->second;
  }

  void value_type(Document field, const std::string& type) {
    protozero::pbf_builder<ValueType> value(document_, field);
    value.add_int64(ValueType::type, text(type));
    value.add_int64(ValueType::unit, text("count"));
  }

  // Blanks are awkward on a command line, as in -sample_index=data_miss.
  void write_types_of_reasons() {
    if (!graph_.has_reasons) return;
    for (const CycleReason reason : all_cycle_reasons) {
      std::string type(name_of(reason));
      std::ranges::replace(type, ' ', '_');
      value_type(Document::sample_type, type);
    }
  }

  void sample(const std::vector<std::uint64_t>& locations, const Cost& cost,
              const CyclesByReason& reasons) {
    std::vector<std::int64_t> values;
    if (graph_.has_cycles) values.push_back(static_cast<std::int64_t>(cost.cycles));
    values.push_back(static_cast<std::int64_t>(cost.ticks));
    if (graph_.has_reasons) {
      for (const CycleReason reason : all_cycle_reasons) {
        values.push_back(static_cast<std::int64_t>(reasons[reason]));
      }
    }
    protozero::pbf_builder<Sample> sample(document_, Document::sample);
    sample.add_packed_uint64(Sample::location_id, locations.begin(), locations.end());
    sample.add_packed_int64(Sample::value, values.begin(), values.end());
  }

  void location(std::uint64_t id, std::uint32_t function, GuestAddr address) {
    protozero::pbf_builder<Location> location(document_, Document::location);
    location.add_uint64(Location::id, id);
    const auto mapping = mapping_of(graph_.functions[function].object);
    if (mapping != 0) location.add_uint64(Location::mapping_id, mapping);
    location.add_uint64(Location::address, address.value());
    const Source source = source_at(tables_[function], address);
    protozero::pbf_builder<Line> line(location, Location::line);
    line.add_uint64(Line::function_id, function_in(function, source.file));
    if (source.line != 0) line.add_int64(Line::line, source.line);
  }

  // Where code comes from. No file: nothing is known.
  struct Source {
    std::string file;
    std::uint32_t line = 0;
  };

  static Source source_at(const LineTable* table, GuestAddr address) {
    const LineRange* const range = table != nullptr ? table->find(address) : nullptr;
    if (range == nullptr) return {};
    return {.file = table->file_of(*range).path, .line = range->line};
  }

  // The id of the function's part that comes from `file`: pprof has one file for a function, and
  // adds up those of the same name.
  std::uint64_t function_in(std::uint32_t function, const std::string& file) {
    if (file.empty() || file == sources_[function].file) return id_of(function);
    const std::uint64_t next = id_of(graph_.functions.size() + parts_.size());
    return parts_.emplace(std::pair(function, file), next).first->second;
  }

  // The innermost function first.
  void write_stacks() {
    for_each_stack(graph_, [&](std::span<const std::uint32_t> functions, const Cost& own) {
      std::vector<std::uint64_t> locations;
      for (std::size_t i = functions.size(); i-- > 0;) locations.push_back(id_of(functions[i]));
      sample(locations, own, {});
    });
    for (std::uint32_t i = 0; i < graph_.functions.size(); ++i) {
      location(id_of(i), i, graph_.functions[i].address.value_or(GuestAddr(0)));
    }
  }

  // Instructions. Beside stacks they have the reasons alone, which are not known of paths.
  void write_points() {
    const std::size_t first = graph_.has_calls ? graph_.functions.size() : 0;
    for (std::size_t i = 0; i < graph_.points.size(); ++i) {
      const CodePoint& point = graph_.points[i];
      const CyclesByReason reasons = graph_.reasons_of(i);
      if (graph_.has_calls && reasons == CyclesByReason()) continue;
      sample({id_of(first + i)}, graph_.has_calls ? Cost() : point.own, reasons);
      location(id_of(first + i), point.function, point.address);
    }
  }

  // 0: of no file.
  std::uint64_t mapping_of(const std::string& object) {
    if (object.empty()) return 0;
    return mappings_.emplace(object, id_of(mappings_.size())).first->second;
  }

  void write_mappings() {
    std::map<std::uint64_t, const std::string*> by_id;
    for (const auto& [object, id] : mappings_) by_id[id] = &object;
    for (const auto& [id, object] : by_id) {
      protozero::pbf_builder<Region> mapping(document_, Document::mapping);
      mapping.add_uint64(Region::id, id);
      for (const ObjectRange& range : graph_.objects) {
        if (range.object != *object) continue;
        mapping.add_uint64(Region::memory_start, range.low.value());
        mapping.add_uint64(Region::memory_limit, range.high.value());
        mapping.add_uint64(Region::file_offset, range.offset);
      }
      mapping.add_int64(Region::filename, text(*object));
      mapping.add_bool(Region::has_functions, true);
    }
  }

  void write_functions() {
    for (std::uint32_t i = 0; i < graph_.functions.size(); ++i) {
      write_function(id_of(i), i, sources_[i]);
    }
    for (const auto& [part, id] : parts_) {
      write_function(id, part.first, {.file = part.second, .line = 0});
    }
  }

  void write_function(std::uint64_t id, std::uint32_t index, const Source& source) {
    const std::string& title = graph_.functions[index].title();
    protozero::pbf_builder<Function> function(document_, Document::function);
    function.add_uint64(Function::id, id);
    function.add_int64(Function::name, text(title));
    function.add_int64(Function::system_name, text(title));
    if (!source.file.empty()) function.add_int64(Function::filename, text(source.file));
    if (source.line != 0) function.add_int64(Function::start_line, source.line);
  }

  // The period is the time between two ticks, in cycles.
  void write_rates() {
    if (graph_.cpu != Hertz() && graph_.has_cycles) {
      constexpr double nanoseconds = 1e9;
      document_.add_int64(
          Document::duration_nanos,
          static_cast<std::int64_t>(static_cast<double>(graph_.total.cycles) /
                                    static_cast<double>(graph_.cpu.value()) * nanoseconds));
    }
    if (graph_.cycles_per_tick() == 0) return;
    value_type(Document::period_type, "cycles");
    document_.add_int64(Document::period, static_cast<std::int64_t>(graph_.cycles_per_tick()));
  }

  const CallGraph& graph_;
  std::vector<const LineTable*> tables_;  // by function, as the next
  std::vector<Source> sources_;           // where it begins
  // Ids of functions' parts that come from other files.
  std::map<std::pair<std::uint32_t, std::string>, std::uint64_t> parts_;
  std::string bytes_;
  protozero::pbf_builder<Document> document_{bytes_};
  std::vector<std::string> strings_;
  std::map<std::string, std::int64_t> index_;      // of strings_
  std::map<std::string, std::uint64_t> mappings_;  // ids by object
};

}  // namespace

Written to_pprof(const CallGraph& graph, const Lines& lines) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::uint64_t kernel = graph.reasons[CycleReason::kernel];
  if (graph.total.cycles > most || graph.total.ticks > most || kernel > most) {
    return Failure{
        std::string("the sum of the counts is above 2^63 - 1, where pprof's numbers end")};
  }
  constexpr std::uint64_t most_bytes = 5;  // of an id of 32 bits
  if (auto why = too_long(graph, "pprof's samples", [](std::uint32_t) { return most_bytes; }))
    return Failure{*why};
  return gzipped(Writer(graph, lines).write());
}

}  // namespace hardclock::report
