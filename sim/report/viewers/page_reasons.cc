#include "sim/report/viewers/page_reasons.h"

#include <fmt/format.h>

#include <string_view>

#include "sim/report/reason_table.h"

namespace hardclock::report {
namespace {

double percent(std::uint64_t part, Cycles whole) {
  return whole == Cycles() ? 0
                           : 100 * static_cast<double>(part) / static_cast<double>(whole.value());
}

// The style has the colours in the order of the reasons.
std::string colour_of(CycleReason reason) {
  return fmt::format("--c:var(--r{})", static_cast<unsigned>(reason));
}

std::string item(std::string_view style, std::string_view name, std::uint64_t cycles,
                 const std::string& share) {
  return fmt::format("<li><i style=\"{}\"></i><span>{}</span>{}<b>{}</b></li>\n", style, name,
                     grouped(cycles), share);
}

std::string share_text(std::uint64_t part, Cycles whole) {
  return fmt::format("{:.1f} %", percent(part, whole));
}

std::string list_of(Cycles cycles, const CyclesByReason& reasons) {
  std::string text = "<ul class=\"reasons\">\n";
  for (const CycleReason reason : reasons_in(reasons)) {
    text += item(colour_of(reason), name_of(reason), reasons[reason],
                 share_text(reasons[reason], cycles));
  }
  const std::uint64_t unknown = without_reason(cycles, reasons);
  if (unknown != 0) {
    text += item("--c:var(--line)", "not known", unknown, share_text(unknown, cycles));
  }
  const std::uint64_t kernel = reasons[CycleReason::kernel];
  if (kernel != 0) text += item(colour_of(CycleReason::kernel), "kernel, on top", kernel, "");
  return text + "</ul>\n";
}

// "issue 66.5 %, operand 33.5 %"
std::string spoken(Cycles cycles, const CyclesByReason& reasons) {
  std::string text;
  for (const CycleReason reason : reasons_in(reasons)) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(reason),
                        share_text(reasons[reason], cycles));
  }
  return text;
}

std::string stack_of(Cycles cycles, const CyclesByReason& reasons) {
  const std::string label = spoken(cycles, reasons);
  std::string text =
      fmt::format("<span class=\"stack\" role=\"img\" aria-label=\"{0}\" title=\"{0}\">", label);
  for (const CycleReason reason : reasons_in(reasons)) {
    text += fmt::format("<i style=\"--w:{:.2f}%;{}\"></i>", percent(reasons[reason], cycles),
                        colour_of(reason));
  }
  return text + "</span>";
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, "\xe2\x80\xaf");
  return digits;
}

std::string reasons_legend(Cycles cycles, const CyclesByReason& reasons) {
  return "<h2 id=\"reasons\">Cycles by reason</h2>\n<div class=\"legend\">" +
         stack_of(cycles, reasons) + list_of(cycles, reasons) + "</div>\n";
}

std::string reasons_bar(Cycles cycles, const CyclesByReason& reasons) {
  return "<details><summary>" + stack_of(cycles, reasons) + "</summary>\n" +
         list_of(cycles, reasons) + "</details>";
}

}  // namespace hardclock::report
