#include "sim/timing/cpu_description.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>
#include <sstream>

namespace hardclock {
namespace {

constexpr std::uint64_t hertz_per_megahertz = 1'000'000;
constexpr double fastest_megahertz = 1'000'000;
// Whose rows a keyword may stand in: those of the file whose reader takes it.
enum Reader : unsigned {
  functional = 1,
  in_order = 2,
  out_of_order = 4,
  machine = 8,
  bundles = 16
};
constexpr unsigned pipelines = in_order | bundles | out_of_order;
constexpr unsigned processors = functional | pipelines;
constexpr unsigned everywhere = processors | machine;

struct Keyword {
  std::string_view name;
  unsigned readers;
  bool once = false;     // one row in a file, whatever its name
  bool repeats = false;  // several rows of one name, which is half of what they are about
};
constexpr std::array<Keyword, 47> keywords = {{{"like", processors, false, true},
                                               {"clock", processors, true},
                                               {"revision", processors},
                                               {"has", processors},
                                               {"multiply_add", processors, true},
                                               {"undecoded", processors},
                                               {"alat", processors, true},
                                               {"register_stack", bundles, true},
                                               {"interlock", in_order},
                                               {"stages", in_order | bundles, true},
                                               {"issue", in_order, true},
                                               {"pair", in_order},
                                               {"class", pipelines},
                                               {"bypass", pipelines, false, true},
                                               {"pair_words", in_order},
                                               {"alone", in_order},
                                               {"overwrite", in_order, false, true},
                                               {"waits", in_order},
                                               {"redirect", in_order | bundles},
                                               {"continues", in_order},
                                               {"window", bundles, true},
                                               {"ports", bundles},
                                               {"second", bundles},
                                               {"in_slots", bundles},
                                               {"split", bundles, false, true},
                                               {"split_after", bundles},
                                               {"tie", out_of_order},
                                               {"late", out_of_order},
                                               {"result", out_of_order},
                                               {"fetch", out_of_order},
                                               {"decode", out_of_order},
                                               {"unit", out_of_order},
                                               {"predictor", bundles | out_of_order},
                                               {"graduate", out_of_order},
                                               {"mispredict", out_of_order},
                                               {"queue", out_of_order},
                                               {"active", out_of_order},
                                               {"branches", out_of_order},
                                               {"registers", out_of_order},
                                               {"misses", out_of_order},
                                               {"cache", everywhere},
                                               {"tlb", everywhere},
                                               {"write_buffer", everywhere, true},
                                               {"memory", everywhere},
                                               {"tick_source", everywhere},
                                               {"processor", machine, true},
                                               {"kernel", machine}}};
// From the best to the worst.
constexpr std::array<std::string_view, 6> grades = {"exact",          "published", "measured",
                                                    "vendor's table", "derived",   "unverified"};

std::optional<Hertz> parse_megahertz(const std::string& megahertz) {
  double value = 0;
  const char* const last = megahertz.data() + megahertz.size();
  const auto [end, error] = std::from_chars(megahertz.data(), last, value);
  if (error != std::errc() || end != last || !(value > 0) || value > fastest_megahertz) {
    return std::nullopt;
  }
  const auto hertz = static_cast<std::uint64_t>(value * hertz_per_megahertz + 0.5);
  if (hertz == 0) return std::nullopt;
  return Hertz(hertz);
}

struct Kind {
  PipelineKind kind;
  std::string_view word;  // in a file
  std::string_view text;  // on a page
  Reader reader;
};
constexpr std::array<Kind, 4> kinds = {
    {{PipelineKind::functional, "functional", "none known: one cycle an instruction", functional},
     {PipelineKind::in_order, "in-order", "in order", in_order},
     {PipelineKind::bundles, "bundles", "in order, in bundles", bundles},
     {PipelineKind::out_of_order, "out-of-order", "out of order", out_of_order}}};

const Kind& kind_of(const CpuDescription& cpu) {
  return *std::find_if(kinds.begin(), kinds.end(),
                       [&](const Kind& known) { return known.kind == cpu.kind; });
}

const Keyword* find_keyword(std::string_view name) {
  const auto at = std::find_if(keywords.begin(), keywords.end(),
                               [&](const Keyword& keyword) { return keyword.name == name; });
  return at == keywords.end() ? nullptr : &*at;
}

// The first row that no reader of the file takes: "line N: ..."; empty if there is none.
std::string unread_row(const std::vector<TimingRow>& rows, Reader reader,
                       const std::string& of_what) {
  for (const TimingRow& row : rows) {
    if ((find_keyword(row.keyword)->readers & reader) != 0) continue;
    return "line " + std::to_string(row.line) + ": nobody reads " + row.keyword + " rows of " +
           of_what;
  }
  return "";
}

// It throws std::bad_alloc, instead of being bad() as if the text had ended.
std::istringstream stream_of(std::string text) {
  std::istringstream stream(std::move(text));
  stream.exceptions(std::ios::badbit);
  return stream;
}

class Parser {
 public:
  explicit Parser(bool is_machine) : is_machine_(is_machine) {}

  // What is in the file, complete or not.
  Result<CpuDescription, std::string> parse(std::string_view text) {
    std::istringstream lines = stream_of(std::string(text));
    std::string line;
    for (unsigned number = 1; std::getline(lines, line); ++number) {
      line_ = number;
      std::string statement = without_comment(line);
      while (statement.ends_with('\\') && std::getline(lines, line)) {
        statement.back() = ' ';
        statement += without_comment(line);
        ++number;
      }
      std::istringstream words = stream_of(statement);
      std::string keyword;
      if (words >> keyword && !parse_statement(keyword, words)) {
        return Failure{"line " + std::to_string(line_) + ": " + error_};
      }
    }
    if (cpu_.name.empty()) return Failure{std::string("no cpu line")};
    return cpu_;
  }

 private:
  bool fail(std::string what) {
    error_ = std::move(what);
    return false;
  }

  static std::string without_comment(const std::string& line) {
    std::string text = line.substr(0, line.find('#'));
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
    return text;
  }

  static std::string rest_of(std::istringstream& words) {
    std::string rest;
    std::getline(words >> std::ws, rest);
    return rest;
  }

  bool parse_statement(const std::string& keyword, std::istringstream& words) {
    std::string* const text = keyword == "cpu"     ? &cpu_.name
                              : keyword == "isa"   ? &cpu_.isa
                              : keyword == "about" ? &cpu_.about
                                                   : nullptr;
    if (is_machine_ && (keyword == "isa" || keyword == "pipeline" || keyword == "called")) {
      return fail("nobody reads the " + keyword + " of machines: their processors have it");
    }
    if (text == nullptr && keyword != "note" && keyword != "pipeline" && keyword != "called") {
      return parse_row(keyword, words);
    }
    const std::string rest = rest_of(words);
    if (rest.empty()) return fail(keyword + " needs a value");
    if (keyword == "pipeline") return parse_pipeline(rest);
    if (keyword == "called") return parse_other_names(rest);
    if (keyword == "note")
      cpu_.notes.push_back(rest);
    else
      *text = rest;
    return true;
  }

  bool parse_other_names(const std::string& list) {
    cpu_.other_names = words_of_list(list);
    const auto is_name = [](const std::string& word) {
      return !word.empty() && word.find(' ') == std::string::npos;
    };
    return std::ranges::all_of(cpu_.other_names, is_name) ||
           fail("called needs names, with a comma between two");
  }

  bool parse_pipeline(const std::string& kind) {
    for (const Kind& known : kinds) {
      if (known.word != kind) continue;
      cpu_.kind = known.kind;
      return true;
    }
    return fail("unknown pipeline '" + kind + "'");
  }

  bool parse_row(const std::string& keyword, std::istringstream& words) {
    if (find_keyword(keyword) == nullptr) {
      return fail("unknown keyword '" + keyword + "'");
    }
    TimingRow row;
    row.keyword = keyword;
    row.line = line_;
    std::string word;
    words >> row.name;
    if (row.name.empty() || row.name.back() == ':') return fail(keyword + " needs a name");
    while (words >> word && word.back() != ':') {
      std::string value;
      if (word == "vendor's" && words >> value) {
        word += " " + value;
        break;
      }
      if (!(words >> value) || value.back() == ':') return fail(word + " needs a value");
      row.values.emplace_back(word, value);
      word.clear();
    }
    row.grade = word.empty() ? "" : word.substr(0, word.size() - 1);
    if (std::find(grades.begin(), grades.end(), row.grade) == grades.end()) {
      return fail("a row ends with its grade and source, as in 'published: SOURCE'");
    }
    row.source = rest_of(words);
    if (row.source.empty()) return fail("the row names no source");
    return add(std::move(row));
  }

  bool add(TimingRow row) {
    const Keyword& keyword = *find_keyword(row.keyword);
    const auto is_same = [&](const TimingRow& r) {
      return r.keyword == row.keyword && (keyword.once || r.name == row.name) && !keyword.repeats;
    };
    if (std::any_of(cpu_.rows.begin(), cpu_.rows.end(), is_same)) {
      return fail("a second row for " + row.keyword + (keyword.once ? "" : " " + row.name));
    }
    if (row.keyword == "clock" && !parse_clocks(row)) return false;
    cpu_.rows.push_back(std::move(row));
    return true;
  }

  bool parse_clocks(const TimingRow& row) {
    const auto clock = parse_megahertz(row.name);
    if (!clock) return fail("clock needs a number of MHz, not '" + row.name + "'");
    cpu_.clock = *clock;
    for (const auto& [key, rates] : row.values) {
      if (key != "also") return fail("unknown word '" + key + "' in a clock row");
      for (const std::string& rate : words_of_list(rates)) {
        if (!parse_megahertz(rate)) return fail("also needs numbers of MHz, not '" + rate + "'");
      }
    }
    return true;
  }

  bool is_machine_;
  CpuDescription cpu_;
  unsigned line_ = 0;
  std::string error_;
};

// A number, hexadecimal after 0x, else with an optional K or M; nullopt if it is not a number or
// does not fit.
bool parse_number(std::string_view text, std::uint64_t& number) {
  std::uint64_t factor = 1;
  const bool is_hexadecimal = text.starts_with("0x");
  if (is_hexadecimal) text.remove_prefix(2);
  if (text.ends_with('K')) factor = 1024;
  if (text.ends_with('M')) factor = std::uint64_t{1024} * 1024;
  if (factor != 1) text.remove_suffix(1);
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || end != last) return false;
  if (number > std::numeric_limits<std::uint64_t>::max() / factor) return false;
  number *= factor;
  return true;
}

std::string values_of(const TimingRow& row) {
  std::string text;
  for (const auto& [key, value] : row.values) {
    text += (text.empty() ? "" : " ") + key + " " + value;
  }
  return text;
}

}  // namespace

Result<CpuDescription, std::string> parse_cpu_description(std::string_view text) {
  auto cpu = Parser(false).parse(text);
  if (!cpu) return cpu;
  if (cpu->clock == Hertz(0)) return Failure{std::string("no clock line")};
  const Kind& kind = kind_of(*cpu);
  std::string unread = unread_row(cpu->rows, kind.reader, std::string(kind.word) + " processors");
  if (!unread.empty()) return Failure{std::move(unread)};
  return cpu;
}

Result<MachineDescription, std::string> parse_machine_description(std::string_view text) {
  auto file = Parser(true).parse(text);
  if (!file) return Failure{file.error()};
  if (std::string unread = unread_row(file->rows, machine, "machines"); !unread.empty()) {
    return Failure{std::move(unread)};
  }
  MachineDescription described{file->name, file->about, {}, {}, file->rows, file->notes};
  for (const TimingRow& row : file->rows) {
    if (row.keyword != "processor") continue;
    RowReader reader(row);
    reader.require("mhz");
    const auto clock = parse_megahertz(reader.word("mhz", "1"));
    if (!clock) reader.fail("mhz needs a number");
    if (const std::string error = reader.error(); !error.empty()) return Failure{error};
    described.processor = row.name;
    described.clock = *clock;
  }
  if (described.processor.empty()) return Failure{std::string("no processor line")};
  return described;
}

bool is_row_keyword(std::string_view keyword) {
  return find_keyword(keyword) != nullptr;
}

bool stands_once(std::string_view keyword) {
  const Keyword* const known = find_keyword(keyword);
  return known != nullptr && known->once;
}

std::string_view pipeline_word(const CpuDescription& cpu) {
  return kind_of(cpu).word;
}

const std::string& worse_grade(const std::string& a, const std::string& b) {
  return std::ranges::find(grades, a) < std::ranges::find(grades, b) ? b : a;
}

std::vector<std::string> words_of_list(std::string_view list) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t comma = list.find(',');
    words.emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return words;
    list.remove_prefix(comma + 1);
  }
}

std::vector<std::size_t> positions_in(RowReader& row, std::string_view list,
                                      const std::vector<std::string>& names) {
  std::vector<std::size_t> positions;
  for (const std::string& word : words_of_list(list)) {
    const auto at = std::find(names.begin(), names.end(), word);
    if (at == names.end()) {
      row.fail("unknown timing class " + word);
    } else {
      positions.push_back(static_cast<std::size_t>(at - names.begin()));
    }
  }
  return positions;
}

const std::string* RowReader::find(std::string_view key) {
  for (std::size_t i = 0; i < row_.values.size(); ++i) {
    if (row_.values[i].first != key) continue;
    used_[i] = true;
    return &row_.values[i].second;
  }
  return nullptr;
}

bool RowReader::has(std::string_view key) const {
  return std::any_of(row_.values.begin(), row_.values.end(),
                     [&](const auto& value) { return value.first == key; });
}

std::uint64_t RowReader::number(std::string_view key, std::uint64_t otherwise, std::uint64_t least,
                                std::uint64_t most) {
  const std::string* const text = find(key);
  if (text == nullptr) return otherwise;
  std::uint64_t value = 0;
  if (!parse_number(*text, value) || value < least || value > most) {
    fail(std::string(key) + " needs a number from " + std::to_string(least) + " to " +
         std::to_string(most) + ", not '" + *text + "'");
    return otherwise;
  }
  return value;
}

std::string RowReader::word(std::string_view key, std::string otherwise) {
  const std::string* const text = find(key);
  return text == nullptr ? std::move(otherwise) : *text;
}

std::size_t RowReader::choice(std::string_view key, const std::vector<std::string_view>& choices) {
  const std::string* const text = find(key);
  if (text == nullptr) return 0;
  const auto at = std::find(choices.begin(), choices.end(), *text);
  if (at == choices.end()) {
    fail("unknown " + std::string(key) + " '" + *text + "'");
    return 0;
  }
  return static_cast<std::size_t>(at - choices.begin());
}

void RowReader::require(std::string_view key) {
  if (!has(key)) fail(row_.keyword + " " + row_.name + " needs " + std::string(key));
}

void RowReader::fail(std::string what) {
  if (error_.empty()) error_ = std::move(what);
}

std::string RowReader::error() const {
  std::string what = error_;
  for (std::size_t i = 0; i < used_.size() && what.empty(); ++i) {
    if (!used_[i])
      what = "unknown word '" + row_.values[i].first + "' in a " + row_.keyword + " row";
  }
  if (what.empty()) return what;
  const std::string file = row_.of.empty() ? "" : row_.of + ": ";
  return file + "line " + std::to_string(row_.line) + ": " + what;
}

namespace {

void write_rows(std::ostream& out, const std::vector<TimingRow>& rows,
                const std::vector<std::string>& notes) {
  const auto column = [&](const std::string& text, std::size_t width) {
    out << text << std::string(text.size() < width ? width - text.size() : 1, ' ');
  };
  std::string keyword;
  for (const TimingRow& row : rows) {
    if (row.keyword != std::exchange(keyword, row.keyword)) out << "\n  " << keyword << "\n";
    out << "    ";
    column(row.name, 13);
    column(values_of(row), 38);
    column(row.grade, 16);
    out << (row.of.empty() ? "" : "as " + row.of + ": ") << row.source << "\n";
  }
  if (!notes.empty()) out << "\n";
  for (const std::string& note : notes) out << "  " << note << "\n";
}

double megahertz(Hertz clock) {
  return static_cast<double>(clock.value()) / static_cast<double>(hertz_per_megahertz);
}

}  // namespace

std::string to_text(const CpuDescription& description) {
  std::ostringstream out;
  out << description.name << ": " << description.about << "\n";
  if (!description.other_names.empty()) {
    out << "  also called     ";
    for (const std::string& name : description.other_names) out << " " << name;
    out << "\n";
  }
  out << "  instruction set  " << description.isa << "\n";
  out << "  clock            " << megahertz(description.clock) << " MHz\n";
  out << "  pipeline         " << kind_of(description).text << "\n";
  write_rows(out, description.rows, description.notes);
  return out.str();
}

std::string to_text(const MachineDescription& description) {
  std::ostringstream out;
  out << description.name << ": " << description.about << "\n";
  out << "  processor        " << description.processor << "\n";
  out << "  clock            " << megahertz(description.clock) << " MHz\n";
  write_rows(out, description.rows, description.notes);
  return out.str();
}

}  // namespace hardclock
