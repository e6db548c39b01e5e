#include "sim/report/viewers/flame_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/report/places.h"
#include "sim/report/viewers/shown_calls.h"
#include "sim/report/viewers/text.h"

namespace hardclock::report {
namespace {

constexpr std::uint32_t row_height = 18;  // px
// A tenth of a percent is about a pixel.
constexpr ShownLimits limits{.most = 10'000, .deepest = 256, .least = 0.001};

// Of a name: the same in every graph. Bright enough for black letters.
std::string colour_of(std::string_view name) {
  std::uint32_t hash = 0x811c9dc5;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
  const unsigned red = 225 + hash % 28;
  const unsigned green = 130 + (hash >> 8) % 100;
  const unsigned blue = 70 + (hash >> 16) % 60;
  return fmt::format("#{:02x}{:02x}{:02x}", red, green, blue);
}

class Drawing {
 public:
  explicit Drawing(const CallGraph& graph)
      : graph_(graph), shown_(shown_calls(graph, limits)), next_(1, 0) {}

  FlameDrawing draw() {
    ShownCall all;
    all.inclusive = graph_.total;
    const std::string program(base_name(graph_.program));
    box(0, 0, 1, program.empty() ? "program" : program, "#d8d8d8", numbers_text(graph_, all));
    for (const ShownCall& call : shown_.calls) draw(call);
    return {.svg = fmt::format("<svg class=\"flame\" xmlns=\"http://www.w3.org/2000/svg\" "
                               "width=\"100%\" height=\"{}\" font-family=\"ui-monospace, "
                               "monospace\" font-size=\"12\">\n{}</svg>\n",
                               height(), boxes_),
            .note = note()};
  }

  std::uint32_t height() const { return (rows_ + 1) * row_height; }

 private:
  // Behind what was drawn of the same caller.
  void draw(const ShownCall& call) {
    next_.resize(call.depth + 1);
    const double left = next_.back();
    const double width = share_of(graph_, call.inclusive);
    const std::string label = label_of(graph_, call);
    box(call.depth + 1, left, width, label, call.summed != 0 ? "#b8b8b8" : colour_of(label),
        numbers_text(graph_, call));
    next_.back() += width;
    next_.push_back(left);
  }

  // An element that clips what it contains.
  void box(std::uint32_t row, double left, double width, const std::string& label,
           std::string_view colour, const std::string& numbers) {
    constexpr std::size_t longest_title = 500;
    constexpr std::size_t longest_label = 150;
    constexpr double room_for_letters = 0.01;
    rows_ = std::max(rows_, row);
    boxes_ += fmt::format(
        "<svg x=\"{:.3f}%\" y=\"{}\" width=\"{:.3f}%\" height=\"{}\"><title>{}: {}</title>"
        "<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>",
        100 * left, row * row_height, 100 * width, row_height - 1,
        markup_text(shortened(label, longest_title)), numbers, colour);
    if (width >= room_for_letters) {
      boxes_ += fmt::format("<text x=\"3\" y=\"13\">{}</text>",
                            markup_text(shortened(label, longest_label)));
    }
    boxes_ += "</svg>\n";
  }

  std::string note() const {
    if (shown_.summed == 0) return {};
    return fmt::format(
        "Grey boxes stand for {} paths of calls that have less than {:g} % of all "
        "{} each or are more than {} calls deep.",
        shown_.summed, 100 * shown_.least, unit_of(graph_), limits.deepest);
  }

  const CallGraph& graph_;
  ShownCalls shown_;
  std::vector<double> next_;  // by depth, where the next box begins, as a share
  std::string boxes_;
  std::uint32_t rows_ = 0;
};

}  // namespace

FlameDrawing flame_drawing(const CallGraph& graph) {
  return Drawing(graph).draw();
}

std::string to_flame_graph(const CallGraph& graph) {
  constexpr std::uint32_t margin = 10;
  constexpr std::uint32_t heading = 40;
  constexpr std::uint32_t foot = 24;
  constexpr std::size_t longest_heading = 120;
  Drawing drawing(graph);
  const FlameDrawing flame = drawing.draw();
  const std::string& name = graph.command.empty() ? graph.program : graph.command;
  const std::uint64_t all = weight_of(graph, graph.total);
  const std::string title =
      markup_text(fmt::format("{}: {} {}", shortened(name, longest_heading), all, unit_of(graph)));
  const std::uint32_t height = heading + drawing.height() + foot;
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1220\" height=\"{0}\">\n"
      "<title>{1}</title>\n"
      "<style>\n"
      ".paper {{ fill: #ffffff }} .outside {{ fill: #202020 }} .flame text {{ fill: #000000 }}\n"
      ".flame rect {{ stroke: #ffffff; stroke-width: 0.5 }}\n"
      "@media (prefers-color-scheme: dark) {{ .paper {{ fill: #1c1c1c }} "
      ".outside {{ fill: #e0e0e0 }} .flame rect {{ stroke: #1c1c1c; stroke-width: 0.5 }} }}\n"
      "</style>\n"
      "<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      "<g font-family=\"sans-serif\">\n"
      "<text class=\"outside\" x=\"{2}\" y=\"26\" font-size=\"15\">{1}</text>\n"
      "<text class=\"outside\" x=\"{2}\" y=\"{3}\" font-size=\"11\">{4}</text>\n"
      "</g>\n"
      "<svg x=\"{2}\" y=\"{5}\" width=\"1200\" height=\"{6}\">\n{7}</svg>\n"
      "</svg>\n",
      height, title, margin, height - margin, flame.note, heading, drawing.height(), flame.svg);
}

}  // namespace hardclock::report
