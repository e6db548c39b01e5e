#include "sim/report/viewers/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "sim/report/chance.h"
#include "sim/report/places.h"
#include "sim/report/viewers/flame_graph.h"
#include "sim/report/viewers/page_reasons.h"
#include "sim/report/viewers/shown_calls.h"
#include "sim/report/viewers/text.h"

namespace hardclock::report {
namespace {

constexpr std::string_view page_style =
#include "sim/report/viewers/page.css.inc"
    ;
// The boxes' places stand in their attributes, in percent; their rows follow from y.
constexpr std::string_view page_script =
#include "sim/report/viewers/page.js.inc"
    ;

constexpr std::size_t longest_name = 300;
constexpr std::size_t most_rows = 2000;
constexpr double small_percent = 0.1;  // rows below are folded away
// Browsers' parsers end at 512 elements within each other.
constexpr ShownLimits tree_limits{.most = 3000, .deepest = 100, .least = 0};

std::string name_markup(const std::string& name) {
  return markup_text(shortened(name, longest_name));
}

std::string headline(std::string_view what, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", what, value);
}

std::string megahertz(Hertz rate) {
  constexpr double million = 1e6;
  return fmt::format("{:g} MHz", static_cast<double>(rate.value()) / million);
}

class Page {
 public:
  Page(const CallGraph& graph, const FlatReport& table)
      : graph_(graph), table_(table), beyond_chance_(rows_beyond_chance(table)) {
    for (const ProfiledFunction& function : graph.functions) {
      if (function.name.empty()) continue;
      const bool is_own = function.label == function.name;
      functions_[{function.label, is_own ? "" : function.object}] = &function;
    }
  }

  std::string write() {
    const std::string program(base_name(graph_.program));
    const std::string title = program.empty() ? "Profile" : name_markup(program);
    const FlameDrawing flame = flame_drawing(graph_);
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
        "<title>{0}: profile</title>\n<style>\n{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}{3}"
        "<h2 id=\"functions\">Functions</h2>\n{4}"
        "<h2 id=\"flame\">Flame graph</h2>\n{5}{6}"
        "<script>\n{7}</script>\n</body>\n</html>\n",
        title, page_style, headlines(), reasons(), functions(), flame_figure(flame), tree(),
        page_script);
  }

 private:
  std::string headlines() const {
    std::string text;
    if (!graph_.command.empty() && graph_.command != base_name(graph_.program)) {
      text += fmt::format("<p><code>{}</code></p>\n", name_markup(graph_.command));
    }
    text += "<dl>\n";
    if (!graph_.processor.empty()) text += headline("processor", name_markup(graph_.processor));
    if (graph_.cpu != Hertz()) text += headline("clock", megahertz(graph_.cpu));
    if (graph_.tick_rate != Hertz()) {
      text += headline("ticks a second", grouped(graph_.tick_rate.value()));
    }
    text += headline("ticks", grouped(table_.ticks.value()));
    if (table_.has_cycles) text += headline("cycles, exact", grouped(table_.cycles.value()));
    if (table_.has_cycles && graph_.cpu != Hertz()) {
      text += headline("user time",
                       fmt::format("{:.6f} s", static_cast<double>(table_.cycles.value()) /
                                                   static_cast<double>(graph_.cpu.value())));
    }
    text += headline("functions", grouped(table_.rows.size()));
    text += "</dl>\n";
    if (graph_.calls_not_kept != 0) {
      text += fmt::format(
          "<p>For {} calls there was no memory left: what they took counts as their "
          "callers' own.</p>\n",
          grouped(graph_.calls_not_kept));
    }
    return text;
  }

  std::string reasons() const {
    return table_.has_reasons ? reasons_legend(table_.cycles, table_.reasons) : "";
  }

  std::string functions() const {
    std::string text;
    if (table_.has_cycles) {
      text +=
          "<p class=\"soft\">Exact: the share of all cycles. Sampled: the share of all ticks. "
          "Expected: the exact share of the ticks. By chance: how often as many ticks at random "
          "times are as far from that, or farther, by the binomial distribution. " +
          far_rule() + "</p>\n<p>" + markup_text(verdict_text(chance_verdict(table_))) + "</p>\n";
    }
    std::vector<const FlatRow*> large, small;
    for (std::size_t i = 0; i < table_.rows.size() && i < most_rows; ++i) {
      const FlatRow& row = table_.rows[i];
      const double percent = std::max(table_.exact_percent(row), table_.sampled_percent(row));
      (percent >= small_percent ? large : small).push_back(&row);
    }
    text += rows_table(large, "functions");
    if (!small.empty()) {
      text += fmt::format(
          "<details class=\"rest\"><summary id=\"small\">{} functions with less than "
          "{:g} % each</summary>\n{}</details>\n",
          small.size(), small_percent, rows_table(small, "small"));
    }
    if (table_.rows.size() > most_rows) text += rest_of_rows();
    return text;
  }

  // `label` is the id of what names the table.
  std::string rows_table(const std::vector<const FlatRow*>& rows, std::string_view label) const {
    std::string text = fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"{}\">\n"
        "<table>\n<thead><tr><th scope=\"col\">function</th>",
        label);
    text += table_.has_cycles
                ? column_heads({"exact", "sampled", "ticks", "expected", "by chance", "cycles"})
                : column_heads({"sampled", "ticks"});
    if (graph_.has_calls) text += column_heads({"with callees", "calls"});
    if (table_.has_reasons) text += "<th scope=\"col\" class=\"why\">reasons</th>";
    text += "</tr></thead>\n<tbody>\n";
    for (const FlatRow* const row : rows) text += row_markup(*row);
    return text + "</tbody>\n</table>\n</div>\n";
  }

  static std::string column_heads(std::initializer_list<std::string_view> names) {
    std::string text;
    for (const std::string_view name : names)
      text += fmt::format("<th scope=\"col\">{}</th>", name);
    return text;
  }

  static std::string cell(const std::string& text) { return "<td>" + text + "</td>"; }

  std::string row_markup(const FlatRow& row) const {
    const double exact = table_.exact_percent(row);
    const double sampled = table_.sampled_percent(row);
    std::string text =
        fmt::format("<tr><th scope=\"row\" class=\"name bar\" style=\"--w:{:.1f}%\">{}</th>",
                    table_.has_cycles ? exact : sampled, name_markup(row.function));
    if (table_.has_cycles) text += cell(fmt::format("{:.2f} %", exact));
    text += cell(fmt::format("{:.2f} %", sampled));
    text += cell(fmt::format("{:g}", row.ticks));
    if (table_.has_cycles) {
      text += cell(fmt::format("{:.1f}", row.ticks - table_.difference(row)));
      text += by_chance(row);
      text += cell(grouped(row.cycles.value()));
    }
    if (graph_.has_calls) text += with_callees(row);
    if (table_.has_reasons) {
      text += "<td class=\"why\">" + reasons_bar(row.cycles, row.reasons) + "</td>";
    }
    return text + "</tr>\n";
  }

  static std::string far_rule() {
    return fmt::format(
        "Bold: at least {:g} ticks are expected, and chance would make a single row of {:g} % of "
        "such tables bold.",
        least_expected, 100 * significance);
  }

  std::string by_chance(const FlatRow& row) const {
    const std::string text = probability_text(probability_of(table_, row));
    const auto index = static_cast<std::size_t>(&row - table_.rows.data());
    return beyond_chance_[index] ? "<td class=\"far\">" + text + "</td>" : cell(text);
  }

  std::string with_callees(const FlatRow& row) const {
    const auto found = functions_.find({row.function, row.object});
    if (row.name.empty() || found == functions_.end()) return cell("") + cell("");
    const ProfiledFunction& function = *found->second;
    return cell(fmt::format("{:.2f} %", 100 * share_of(graph_, function.inclusive))) +
           cell(function.calls == 0 ? "" : grouped(function.calls));
  }

  std::string rest_of_rows() const {
    double ticks = 0;
    std::uint64_t cycles = 0;
    for (std::size_t i = most_rows; i < table_.rows.size(); ++i) {
      ticks += table_.rows[i].ticks;
      cycles += table_.rows[i].cycles.value();
    }
    return fmt::format(
        "<p class=\"soft\">{} more functions have {:g} ticks and {} cycles together; "
        "--format=csv lists all.</p>\n",
        grouped(table_.rows.size() - most_rows), ticks, grouped(cycles));
  }

  std::string flame_figure(const FlameDrawing& flame) const {
    return fmt::format(
        "<figure>\n<div class=\"tools\"><label>Search <input type=\"search\"/></label>"
        "<output></output></div>\n<div class=\"scroll\">\n{}</div>\n<figcaption>Callers above, "
        "what "
        "they called below; widths are {}.{}{} <span class=\"tools\">A click zooms. On the "
        "keyboard: "
        "arrows, Enter, Escape.</span></figcaption>\n</figure>\n",
        flame.svg, unit_of(graph_),
        graph_.has_calls ? "" : " The profile has no calls, only functions.",
        flame.note.empty() ? "" : " " + flame.note);
  }

  // Elements within each other as the calls are.
  std::string tree() const {
    if (!graph_.has_calls) return {};
    const ShownCalls shown = shown_calls(graph_, tree_limits);
    std::string text = "<h2>Calls</h2>\n<div id=\"tree\">\n";
    std::size_t open = 0;  // elements
    for (std::size_t i = 0; i < shown.calls.size(); ++i) {
      const ShownCall& call = shown.calls[i];
      for (; open > call.depth; --open) text += "</details>\n";
      const bool has_callees = i + 1 < shown.calls.size() && shown.calls[i + 1].depth > call.depth;
      text += has_callees ? opening(call) : leaf(call);
      if (has_callees) ++open;
    }
    for (; open > 0; --open) text += "</details>\n";
    text += "</div>\n";
    if (shown.summed != 0) {
      text += fmt::format(
          "<p class=\"soft\">{} paths of calls that have less than {:g} % of all {} each "
          "or are more than {} calls deep are shown as sums.</p>\n",
          grouped(shown.summed), 100 * shown.least, unit_of(graph_), tree_limits.deepest);
    }
    return text;
  }

  std::string opening(const ShownCall& call) const {
    constexpr double open_from = 0.1;
    constexpr std::uint32_t open_to = 12;  // calls deep
    const bool is_open = share_of(graph_, call.inclusive) >= open_from && call.depth < open_to;
    return fmt::format("<details{}><summary>{}</summary>\n", is_open ? " open=\"\"" : "",
                       line(call));
  }

  std::string leaf(const ShownCall& call) const {
    return "<div class=\"leaf\">" + line(call) + "</div>\n";
  }

  std::string line(const ShownCall& call) const {
    std::string soft;
    if (call.calls != 0)
      soft += fmt::format(" {} call{}", grouped(call.calls), call.calls == 1 ? "" : "s");
    if (call.summed == 0 && weight_of(graph_, call.own) != weight_of(graph_, call.inclusive)) {
      soft += fmt::format("{} {:.2f} % itself", soft.empty() ? "" : ",",
                          100 * share_of(graph_, call.own));
    }
    return fmt::format(
        "<b>{:.2f} %</b><span class=\"name\">{}</span><span class=\"soft\">{}</span>",
        100 * share_of(graph_, call.inclusive), name_markup(label_of(graph_, call)), soft);
  }

  const CallGraph& graph_;
  const FlatReport& table_;
  std::vector<bool> beyond_chance_;  // of the table's rows
  // By FlatRow::function and object.
  std::map<std::pair<std::string, std::string>, const ProfiledFunction*> functions_;
};

}  // namespace

std::string to_page(const CallGraph& graph, const FlatReport& table) {
  return Page(graph, table).write();
}

}  // namespace hardclock::report
