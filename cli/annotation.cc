#include "cli/annotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/answer.h"
#include "cli/code_listing.h"
#include "cli/usage_error.h"
#include "cli/wrapped_text.h"
#include "isa/instruction_sets.h"
#include "sim/base/check.h"
#include "sim/base/terminal_text.h"
#include "sim/report/code_costs.h"
#include "sim/report/reason_table.h"
#include "sim/report/viewers/data_table.h"
#include "sim/report/viewers/report_tables.h"

namespace hardclock {
namespace {

using report::FlatReport;
using report::FlatRow;

constexpr double least_percent = 1;  // of what is listed without being asked for
// A file without symbols for it may make a function of millions of instructions.
constexpr std::size_t most_at_once = 4096;
constexpr std::size_t reasons_width = 17;  // "dmiss 50 imiss 50"

bool is_called(const FlatRow& row, std::string_view name) {
  return row.function == name || row.name == name;
}

// By the truth, where that is known.
double percent(const FlatReport& table, const FlatRow& row) {
  return table.has_cycles ? table.exact_percent(row) : table.sampled_percent(row);
}

bool matters(const FlatReport& table, const FlatRow& row) {
  return std::max(table.exact_percent(row), table.sampled_percent(row)) >= least_percent;
}

// Which columns a listing has where the terminal is narrow.
struct ListingLayout {
  bool has_cycles = true;  // in numbers; their share stands in any case
  bool has_reasons = true;
  bool is_tight = false;  // small columns, and no tabs

  explicit ListingLayout(const Terminal& terminal, bool knows_reasons) {
    constexpr std::size_t with_reasons = 60;  // columns that show instructions beside them
    constexpr std::size_t with_all = 84;
    has_reasons = knows_reasons && terminal.fits(with_reasons);
    has_cycles = terminal.fits(has_reasons ? with_all : with_reasons);
    is_tight = !terminal.fits(with_reasons);
  }
};

class Annotator {
 public:
  explicit Annotator(const Annotation& what)
      : what_(what),
        table_(
            report::flat(what.sampled, what.image.symbols, what.exact, what.program, what.objects)),
        answer_(what.sink),
        layout_(what.terminal, table_.has_reasons) {
    if (what.format != "text") data_.emplace(what.format);
  }

  int print(const std::string& function) {
    const std::vector<const FlatRow*> rows =
        function.empty() ? rows_that_matter() : rows_called(function);
    if (rows.empty()) return complain(why_none(function));
    if (data_) answer_.write(data_->begin(instructions_table()));
    for (const FlatRow* const row : rows) {
      if (row != rows.front() && !data_) answer_.write("\n");
      print(*row);
    }
    if (data_) answer_.write(data_->end());
    return answer_.finish();
  }

 private:
  std::vector<const FlatRow*> rows_called(std::string_view name) const {
    std::vector<const FlatRow*> rows;
    for (const FlatRow& row : table_.rows) {
      if (row.address && is_called(row, name)) rows.push_back(&row);
    }
    return rows;
  }

  std::vector<const FlatRow*> rows_that_matter() const {
    std::vector<const FlatRow*> rows;
    for (const FlatRow& row : table_.rows) {
      if (row.address && matters(table_, row)) rows.push_back(&row);
    }
    std::ranges::stable_sort(rows, std::greater(),
                             [this](const FlatRow* row) { return percent(table_, *row); });
    return rows;
  }

  std::string why_none(const std::string& function) const {
    if (table_.rows.empty())
      return "there are no ticks and no cycles in the profile; nothing to list";
    if (function.empty())
      return "no function has a hundredth of the ticks or cycles; name one: --annotate=FUNCTION";
    const std::string name = printable(function);
    if (what_.image.symbols.find(function) != nullptr)
      return "function '" + name + "' has no ticks and no cycles; nothing can be said of it";
    std::vector<std::string_view> names;
    for (const FlatRow& row : table_.rows) {
      if (row.address) names.push_back(row.name);
    }
    const std::string_view meant = closest_name(function, names);
    return "no function '" + name + "' in the profile; " +
           (meant.empty() ? "without --annotate 'hardclock report' lists them all"
                          : "did you mean " + printable(meant) + "?");
  }

  const Image& image_of(const FlatRow& row) const {
    return row.object.empty() ? what_.image : what_.objects.find(row.object)->second;
  }

  void print(const FlatRow& row) {
    const Image& image = image_of(row);
    const Symbol* const symbol = image.symbols.find(*row.address);
    const auto disassembler = find_disassembler(image);
    CHECK(symbol != nullptr && disassembler != nullptr);  // a loader takes no other programs
    const AddressRange range = range_of(image, *symbol);
    if (!data_) answer_.write(heading(row) + titles());
    lines_ = report::find_lines(what_.lines, row.object);
    shown_ = nullptr;
    std::vector<ListedCode> code;
    for_each_instruction(image, range, *disassembler, [&](const ListedCode& next) {
      const bool goes_on = code.size() < most_at_once || print(row, code, next.pc);
      if (code.size() == most_at_once) code.clear();
      code.push_back(next);
      return goes_on;
    });
    if (code.empty()) return;
    // What a damaged file gives as the function's size may go far beyond its code.
    print(row, code, std::min(range.stop, code.back().pc + disassembler->text_bytes()));
  }

  // Some of the function's code, up to `end`. False: no more can be written.
  bool print(const FlatRow& row, const std::vector<ListedCode>& code, GuestAddr end) {
    std::vector<GuestAddr> addresses;
    for (const ListedCode& each : code) addresses.push_back(each.pc);
    const std::vector<report::CodeCost> costs =
        report::costs_of(addresses, end, row.object, what_.sampled, what_.image.symbols,
                         what_.exact, what_.program, what_.objects);
    if (data_) return write_data(row, code, costs);
    for (std::size_t i = 0; i < code.size(); ++i) {
      const std::string source = fitted(source_line(code[i].pc), what_.terminal);
      const Tone tone = table_.has_cycles ? tone_of_share(share_of(costs[i])) : Tone::plain;
      const std::string text = toned(line(costs[i], code[i]), tone, what_.terminal);
      if (!answer_.write(source + text + '\n')) return false;
    }
    return true;
  }

  // Columns: function, object, address, file and line of the source, instruction, cycles,
  // cycles_percent of all, ticks, and the cycles of each reason. New ones may come at the end.
  static report::DataTable instructions_table() {
    report::DataTable table{.name = "instructions",
                            .columns = {"function", "object", "address", "file", "line",
                                        "instruction", "cycles", "cycles_percent", "ticks"},
                            .rows = {}};
    for (const std::string_view reason : report::reason_columns()) table.columns.push_back(reason);
    return table;
  }

  bool write_data(const FlatRow& row, const std::vector<ListedCode>& code,
                  const std::vector<report::CodeCost>& costs) {
    report::DataTable table = instructions_table();
    for (std::size_t i = 0; i < code.size(); ++i) {
      table.rows.push_back(data_row(row, code[i], costs[i]));
    }
    return answer_.write(data_->rows(table));
  }

  // Nothing is said of the ticks of a counter that begins further up.
  std::vector<report::DataCell> data_row(const FlatRow& row, const ListedCode& code,
                                         const report::CodeCost& cost) const {
    const report::DataCell nothing;
    const LineRange* const range = lines_ == nullptr ? nullptr : lines_->find(code.pc);
    std::string text = code.text;
    std::ranges::replace(text, '\t', ' ');
    std::vector<report::DataCell> cells = {
        row.name.empty() ? row.function : row.name,
        row.object.empty() ? nothing : report::DataCell(row.object),
        fmt::format("0x{:08x}", code.pc.value()),
        range == nullptr ? nothing : report::DataCell(lines_->file_of(*range).path),
        range == nullptr ? nothing : report::DataCell(std::uint64_t{range->line}),
        text,
        table_.has_cycles ? report::DataCell(cost.cycles.value()) : nothing,
        table_.has_cycles ? report::DataCell(share_of(cost)) : nothing,
        cost.shares_counter ? nothing : report::DataCell(cost.ticks)};
    const auto unknown = std::vector<report::DataCell>(cycle_reasons);
    const auto reasons = table_.has_reasons ? report::reason_cells(cost.reasons) : unknown;
    cells.insert(cells.end(), reasons.begin(), reasons.end());
    return cells;
  }

  // Of all cycles, in percent.
  double share_of(const report::CodeCost& cost) const {
    return 100 * static_cast<double>(cost.cycles.value()) /
           static_cast<double>(table_.cycles.value());
  }

  // Where another source line begins. Code without one, between code with lines, is marked.
  std::string source_line(GuestAddr pc) {
    const LineRange* const range = lines_ == nullptr ? nullptr : lines_->find(pc);
    const LineRange* const before = std::exchange(shown_, range);
    if (range == nullptr) return before == nullptr ? "" : "(no line)\n";
    if (before != nullptr && before->file == range->file && before->line == range->line) return "";
    return what_.source.line(lines_->file_of(*range), range->line);
  }

  std::string heading(const FlatRow& row) const {
    std::string text = printable(row.function, row.function.size()) + ": ";
    if (table_.has_cycles) {
      text += fmt::format("{} cycles, {:.1f} %; ", row.cycles.value(), table_.exact_percent(row));
    }
    const int decimals = row.ticks == std::floor(row.ticks) ? 0 : 1;
    text += fmt::format("{:.{}f} tick{}, {:.1f} %\n\n", row.ticks, decimals,
                        row.ticks == 1 ? "" : "s", table_.sampled_percent(row));
    if (table_.has_reasons) {
      text.pop_back();
      constexpr std::string_view label = "reasons:";
      text += wrapped(label, report::all_reasons(row), label.size() + 1) + '\n';
    }
    return fitted(text, what_.terminal);
  }

  std::string titles() const {
    std::string text = cells("cycles", "%", "ticks", "reasons, %");
    text.erase(text.find_last_not_of(' ') + 1);
    return toned(text, Tone::heading, what_.terminal) + '\n';
  }

  std::string cells(std::string_view cycles, std::string_view share, std::string_view ticks,
                    std::string_view reasons) const {
    const std::size_t share_width = layout_.is_tight ? 6 : 7;
    const std::size_t ticks_width = layout_.is_tight ? 6 : 8;
    std::string text;
    if (table_.has_cycles && layout_.has_cycles) text += fmt::format("{:>12} ", cycles);
    if (table_.has_cycles) text += fmt::format("{:>{}}", share, share_width);
    text += fmt::format("{:>{}}", ticks, ticks_width);
    if (layout_.has_reasons) text += fmt::format("  {:<{}}", reasons, reasons_width);
    return text;
  }

  std::string line(const report::CodeCost& cost, const ListedCode& code) const {
    std::string cycles, share;
    if (cost.cycles != Cycles()) {
      cycles = std::to_string(cost.cycles.value());
      share = fmt::format("{:.2f}", share_of(cost));
    }
    const std::string ticks = cost.ticks != 0       ? std::to_string(cost.ticks)
                              : cost.shares_counter ? "\""
                                                    : "";
    const std::string_view between = layout_.has_reasons ? " " : "  ";
    std::string instruction = fmt::format("{:>8x}:\t{}", code.pc.value(), code.text);
    if (layout_.is_tight) std::ranges::replace(instruction, '\t', ' ');
    return cells(cycles, share, ticks, report::main_reasons(cost.reasons)) + std::string(between) +
           instruction;
  }

  const Annotation& what_;
  FlatReport table_;
  Answer answer_;
  ListingLayout layout_;
  std::optional<report::DataWriter> data_;  // nullopt: a listing is written
  const LineTable* lines_ = nullptr;        // of the function's file; null: it has none
  const LineRange* shown_ = nullptr;        // of the instruction before
};

}  // namespace

int annotate(const Annotation& what, const std::string& function) {
  return Annotator(what).print(function);
}

}  // namespace hardclock
