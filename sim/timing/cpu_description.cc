#include "sim/timing/cpu_description.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <sstream>

namespace hardclock {
namespace {

constexpr std::uint64_t hertz_per_megahertz = 1'000'000;
constexpr double fastest_megahertz = 1'000'000;
constexpr std::uint32_t longest_latency = 1000;

class Parser {
 public:
  Result<CpuDescription, std::string> parse(std::string_view text) {
    std::istringstream lines{std::string(text)};
    std::string line;
    for (unsigned number = 1; std::getline(lines, line); ++number) {
      std::istringstream words(line.substr(0, line.find('#')));
      std::string keyword;
      if (words >> keyword && !parse_line(keyword, words)) {
        return Failure{"line " + std::to_string(number) + ": " + error_};
      }
    }
    if (cpu_.name.empty()) return Failure{std::string("no cpu line")};
    if (cpu_.clock == Hertz(0)) return Failure{std::string("no clock line")};
    return cpu_;
  }

 private:
  bool fail(std::string what) {
    error_ = std::move(what);
    return false;
  }

  static std::string rest_of(std::istringstream& words) {
    std::string rest;
    std::getline(words >> std::ws, rest);
    while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest.back()))) rest.pop_back();
    return rest;
  }

  bool parse_line(const std::string& keyword, std::istringstream& words) {
    if (keyword == "class") return parse_class(words);
    const std::string rest = rest_of(words);
    if (rest.empty()) return fail(keyword + " needs a value");
    if (keyword == "cpu")
      cpu_.name = rest;
    else if (keyword == "isa")
      cpu_.isa = rest;
    else if (keyword == "about")
      cpu_.about = rest;
    else if (keyword == "note")
      cpu_.notes.push_back(rest);
    else if (keyword == "clock")
      return parse_clock(rest);
    else if (keyword == "pipeline")
      return parse_pipeline(rest);
    else
      return fail("unknown keyword '" + keyword + "'");
    return true;
  }

  bool parse_clock(const std::string& megahertz) {
    double value = 0;
    const auto [end, error] =
        std::from_chars(megahertz.data(), megahertz.data() + megahertz.size(), value);
    if (error != std::errc() || end != megahertz.data() + megahertz.size() || !(value > 0) ||
        value > fastest_megahertz) {
      return fail("clock needs a number of MHz, not '" + megahertz + "'");
    }
    cpu_.clock = Hertz(static_cast<std::uint64_t>(value * hertz_per_megahertz + 0.5));
    return true;
  }

  bool parse_pipeline(const std::string& kind) {
    if (kind != "in-order" && kind != "functional") return fail("unknown pipeline '" + kind + "'");
    cpu_.functional = kind == "functional";
    return true;
  }

  bool parse_class(std::istringstream& words) {
    TimingRow row;
    words >> row.timing_class;
    const auto is_same = [&](const TimingRow& r) { return r.timing_class == row.timing_class; };
    if (std::any_of(cpu_.rows.begin(), cpu_.rows.end(), is_same)) {
      return fail("a second row for " + row.timing_class);
    }
    std::string word;
    while (words >> word && word.back() != ':') {
      if (word == "latency") {
        if (!parse_count(words, row.latency)) return fail("latency needs a number of cycles");
      } else if (word == "repeat") {
        if (!parse_count(words, row.repeat)) return fail("repeat needs a number of cycles");
      } else if (word == "unit") {
        words >> row.unit;
      } else {
        return fail("unknown word '" + word + "' in a class row");
      }
    }
    if (row.repeat != 1 && row.unit.empty()) return fail("repeat without a unit has no effect");
    row.grade = word.empty() ? "" : word.substr(0, word.size() - 1);
    static const std::vector<std::string> grades = {"exact", "published", "measured", "unverified"};
    if (std::find(grades.begin(), grades.end(), row.grade) == grades.end()) {
      return fail("a class row ends with its grade and source, as in 'published: SOURCE'");
    }
    row.source = rest_of(words);
    if (row.source.empty()) return fail("the row names no source");
    cpu_.rows.push_back(std::move(row));
    return true;
  }

  static bool parse_count(std::istringstream& words, std::uint32_t& count) {
    return static_cast<bool>(words >> count) && count >= 1 && count <= longest_latency;
  }

  CpuDescription cpu_;
  std::string error_;
};

}  // namespace

Result<CpuDescription, std::string> parse_cpu_description(std::string_view text) {
  return Parser().parse(text);
}

Result<std::shared_ptr<const Pipeline>, std::string> make_pipeline(
    const CpuDescription& description, std::span<const char* const> class_names) {
  if (description.functional) {
    return std::shared_ptr<const Pipeline>(std::make_shared<FunctionalPipeline>());
  }
  std::map<std::string, Resource> units;
  std::vector<InOrderPipeline::Class> classes;
  for (const char* const name : class_names) {
    const auto row = std::find_if(description.rows.begin(), description.rows.end(),
                                  [&](const TimingRow& r) { return r.timing_class == name; });
    if (row == description.rows.end()) {
      return Failure{description.name + ": no row for timing class " + name};
    }
    InOrderPipeline::Class timing{row->latency, row->repeat, 0};
    if (!row->unit.empty()) {
      const auto next = static_cast<Resource>(first_unit + units.size());
      timing.unit = units.try_emplace(row->unit, next).first->second;
    }
    classes.push_back(timing);
  }
  for (const TimingRow& row : description.rows) {
    if (std::find(class_names.begin(), class_names.end(), row.timing_class) == class_names.end()) {
      return Failure{description.name + ": unknown timing class " + row.timing_class};
    }
  }
  return std::shared_ptr<const Pipeline>(std::make_shared<InOrderPipeline>(std::move(classes)));
}

std::string to_text(const CpuDescription& description) {
  std::ostringstream out;
  out << description.name << ": " << description.about << "\n";
  out << "  instruction set  " << description.isa << "\n";
  const std::uint64_t hertz = description.clock.value();
  out << "  clock            " << static_cast<double>(hertz) / hertz_per_megahertz << " MHz\n";
  out << "  pipeline         "
      << (description.functional ? "none known: one cycle an instruction"
                                 : "in order, single issue")
      << "\n";
  if (!description.rows.empty()) {
    out << "\n  class      latency  repeat  unit   grade       source\n";
  }
  for (const TimingRow& row : description.rows) {
    const auto column = [&](const std::string& text, std::size_t width) {
      out << text << std::string(text.size() < width ? width - text.size() : 1, ' ');
    };
    out << "  ";
    column(row.timing_class, 11);
    column(std::to_string(row.latency), 9);
    column(std::to_string(row.repeat), 8);
    column(row.unit.empty() ? "-" : row.unit, 7);
    column(row.grade, 12);
    out << row.source << "\n";
  }
  if (!description.notes.empty()) out << "\n";
  for (const std::string& note : description.notes) out << "  " << note << "\n";
  return out.str();
}

}  // namespace hardclock
