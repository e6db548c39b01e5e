#include "sim/cli/annotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/instruction_sets.h"
#include "sim/base/check.h"
#include "sim/cli/answer.h"
#include "sim/cli/code_listing.h"
#include "sim/cli/usage_error.h"
#include "sim/report/code_costs.h"

namespace hardclock {
namespace {

using report::FlatReport;
using report::FlatRow;

constexpr double least_percent = 1;  // of what is listed without being asked for
// A file without symbols for it may make a function of millions of instructions.
constexpr std::size_t most_at_once = 4096;

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

class Annotator {
 public:
  explicit Annotator(const Annotation& what)
      : what_(what),
        table_(
            report::flat(what.sampled, what.image.symbols, what.exact, what.program, what.objects)),
        answer_(what.sink) {}

  int print(const std::string& function) {
    const std::vector<const FlatRow*> rows =
        function.empty() ? rows_that_matter() : rows_called(function);
    if (rows.empty()) return complain(why_none(function));
    for (const FlatRow* const row : rows) {
      if (row != rows.front()) answer_.write("\n");
      print(*row);
    }
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
    answer_.write(heading(row));
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
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (!answer_.write(source_line(code[i].pc) + line(costs[i], code[i]))) return false;
    }
    return true;
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
    return text + (table_.has_cycles ? "      cycles       %" : "") + "   ticks\n";
  }

  std::string line(const report::CodeCost& cost, const ListedCode& code) const {
    std::string text;
    if (table_.has_cycles && cost.cycles == Cycles()) text += fmt::format("{:20}", "");
    if (cost.cycles != Cycles()) {
      const double share = 100 * static_cast<double>(cost.cycles.value()) /
                           static_cast<double>(table_.cycles.value());
      text += fmt::format("{:>12} {:>7.2f}", cost.cycles.value(), share);
    }
    const std::string ticks = cost.ticks != 0       ? std::to_string(cost.ticks)
                              : cost.shares_counter ? "\""
                                                    : "";
    return text + fmt::format("{:>8}  {:>8x}:\t{}\n", ticks, code.pc.value(), code.text);
  }

  const Annotation& what_;
  FlatReport table_;
  Answer answer_;
  const LineTable* lines_ = nullptr;  // of the function's file; null: it has none
  const LineRange* shown_ = nullptr;  // of the instruction before
};

}  // namespace

int annotate(const Annotation& what, const std::string& function) {
  return Annotator(what).print(function);
}

}  // namespace hardclock
