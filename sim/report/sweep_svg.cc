// What the clocks of a sweep saw, as a picture: a panel for each of the main functions, a dot for
// each clock, and the band in which chance alone would put the dots.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sim/report/sweep.h"
#include "sim/report/text_table.h"

namespace hardclock::report {
namespace {

constexpr std::size_t most_panels = 4;

// In pixels.
constexpr double width = 900;
constexpr double left = 78;
constexpr double right = width - 24;
constexpr double head = 108;
constexpr double panel_height = 210;
constexpr double panel_gap = 52;
constexpr double foot = 34;

constexpr std::string_view style = R"(<style>
.paper { fill: #ffffff; } .ink { fill: #1f2328; } .muted { fill: #59636e; }
.grid { stroke: #d1d9e0; } .frame { stroke: #818b98; fill: none; }
.two { fill: #dbeafe; } .one { fill: #a9cdfa; } .exact { stroke: #0550ae; stroke-width: 1.5; }
.in { fill: #3d444d; } .out { fill: #cf222e; }
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1117; } .ink { fill: #e6edf3; } .muted { fill: #9198a1; }
.grid { stroke: #30363d; } .frame { stroke: #656c76; }
.two { fill: #11284a; } .one { fill: #1c4580; } .exact { stroke: #79c0ff; }
.in { fill: #d1d7e0; } .out { fill: #ff7b72; }
}
</style>
)";

std::string escaped(const std::string& text) {
  std::string xml;
  for (const char c : printable_name(text)) {
    switch (c) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      default:
        xml += c;
    }
  }
  return xml;
}

// From values to pixels.
struct Scale {
  double from = 0, to = 1;  // values
  double from_pixel = 0, to_pixel = 1;
  bool logarithmic = false;

  double at(double value) const {
    const auto position = [&](double v) { return logarithmic ? std::log10(v) : v; };
    const double share = (position(value) - position(from)) / (position(to) - position(from));
    return from_pixel + share * (to_pixel - from_pixel);
  }
};

// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::vector<double> marks_of(const Scale& scale, double most) {
  std::vector<double> marks;
  if (scale.logarithmic) {
    for (double decade = 1; decade <= scale.to; decade *= 10) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double mark = factor * decade;
        if (mark >= scale.from && mark <= scale.to) marks.push_back(mark);
      }
    }
    return marks;
  }
  const double step = round_step((scale.to - scale.from) / most);
  for (double i = std::ceil(scale.from / step - 1e-9); i * step <= scale.to + 1e-9 * step; ++i) {
    marks.push_back(i * step);
  }
  return marks;
}

class Drawing {
 public:
  explicit Drawing(const SweepTable& table) : table_(table), sweep_(*table.sweep) {
    for (const SweepRow& row : main_rows(table)) {
      if (row.place.address && rows_.size() < most_panels) rows_.push_back(row);
    }
    if (rows_.empty()) rows_ = main_rows(table);
    rows_.resize(std::min(rows_.size(), most_panels));
    x_ = rate_scale();
  }

  std::string draw() {
    const double height = head + static_cast<double>(rows_.size()) * (panel_height + panel_gap) +
                          foot - panel_gap + 20;
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" font-family=\"system-ui, sans-serif\" "
        "font-size=\"13\">\n",
        width, height);
    add("<title>{}</title>\n", title());
    text_ += style;
    add("<rect class=\"paper\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width, height);
    add_head();
    double top = head;
    for (const SweepRow& row : rows_) {
      add_panel(row, top);
      top += panel_height + panel_gap;
    }
    add("<text class=\"ink\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">rate of the clock, "
        "Hz{}</text>\n",
        (left + right) / 2, top - panel_gap + 40, x_.logarithmic ? " (logarithmic)" : "");
    return text_ + "</svg>\n";
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  std::string title() const {
    return fmt::format("What {} clocks saw of {}", sweep_.clocks(), escaped(sweep_.command));
  }

  Scale rate_scale() const {
    const auto first = static_cast<double>(sweep_.rates.front().value());
    const auto last = static_cast<double>(sweep_.rates.back().value());
    constexpr double widest_linear = 20;
    Scale scale{.from_pixel = left + 10, .to_pixel = right - 10};
    scale.logarithmic = last / first > widest_linear;
    const bool is_one = first == last;
    scale.from = is_one ? first - 1 : first;
    scale.to = is_one ? last + 1 : last;
    return scale;
  }

  void add_head() {
    add("<text class=\"ink\" x=\"{:.0f}\" y=\"28\" font-size=\"17\" "
        "font-weight=\"600\">{}</text>\n",
        left, title());
    add("<text class=\"muted\" x=\"{:.0f}\" y=\"49\">Each function&apos;s share of the user ticks, "
        "at {:g} MHz; {} phase{} a rate. {} of {} functions.</text>\n",
        left, static_cast<double>(sweep_.cpu.value()) / 1e6, sweep_.phases,
        sweep_.phases == 1 ? "" : "s", rows_.size(), table_.rows.size());
    const double y = 70;
    double x = left;
    const auto entry = [&](const std::string& shape, const char* words, double length) {
      add("{}<text class=\"muted\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", shape, x + 22, y, words);
      x += length;
    };
    entry(fmt::format("<line class=\"exact\" x1=\"{0:.0f}\" x2=\"{1:.0f}\" y1=\"{2:.0f}\" "
                      "y2=\"{2:.0f}\"/>",
                      x, x + 16, y - 4),
          "exact", 78);
    entry(swatch("one", x, y),
          "\xC2\xB1"
          "1 standard error",
          146);
    entry(swatch("two", x, y),
          "\xC2\xB1"
          "2 standard errors",
          152);
    entry(dot("in", x + 8, y - 4), "a clock", 88);
    entry(dot("out", x + 8, y - 4), "a clock beyond chance", 0);
  }

  static std::string swatch(const char* kind, double x, double y) {
    return fmt::format("<rect class=\"{}\" x=\"{:.0f}\" y=\"{:.0f}\" width=\"16\" height=\"12\"/>",
                       kind, x, y - 10);
  }

  // Size tells the two kinds apart as colour does.
  static std::string dot(std::string_view kind, double x, double y) {
    return fmt::format("<circle class=\"{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\"", kind, x, y,
                       kind == "in" ? "2.2" : "3.4") +
           "/>";
  }

  double rate(std::size_t index) const { return static_cast<double>(sweep_.rates[index].value()); }

  // In percent, around everything in the panel.
  Scale share_scale(const SweepRow& row, double top) const {
    const double exact = 100 * table_.exact_share(row);
    double low = exact, high = exact;
    for (std::size_t i = 0; i < sweep_.rates.size(); ++i) {
      const SeenShare seen = seen_share(table_, row, i);
      if (seen.clocks == 0) continue;
      low = std::min({low, 100 * seen.lowest, exact - 200 * seen.standard_error});
      high = std::max({high, 100 * seen.highest, exact + 200 * seen.standard_error});
    }
    const double room = std::max((high - low) * 0.06, 0.01);
    return {.from = std::max(low, 0.0) - room,
            .to = std::min(high, 100.0) + room,
            .from_pixel = top + panel_height,
            .to_pixel = top};
  }

  void add_panel(const SweepRow& row, double top) {
    const Scale y = share_scale(row, top);
    const double exact = 100 * table_.exact_share(row);
    add("<g>\n<text class=\"ink\" x=\"{:.0f}\" y=\"{:.1f}\" font-weight=\"600\">{}</text>\n", left,
        top - 6, escaped(row.place.function));
    add("<text class=\"muted\" x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\">exactly {:.2f} % of "
        "the cycles</text>\n",
        right, top - 6, exact);
    add_band("two", 200, row, y);
    add_band("one", 100, row, y);
    add_grid(y, top);
    add("<line class=\"exact\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.2f}\" y2=\"{2:.2f}\"/>\n",
        left, right, y.at(exact));
    add_dots(row, y);
    text_ += "</g>\n";
  }

  void add_grid(const Scale& y, double top) {
    const double bottom = top + panel_height;
    constexpr double most_shares = 6;
    constexpr double most_rates = 12;
    const std::vector<double> shares = marks_of(y, most_shares);
    const double step = shares.size() > 1 ? shares[1] - shares[0] : 1;
    const int decimals = step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
    for (const double share : shares) {
      add("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.2f}\" y2=\"{2:.2f}\" "
          "stroke-opacity=\"0.6\"/><text class=\"muted\" x=\"{3:.1f}\" y=\"{4:.2f}\" "
          "text-anchor=\"end\">{5:.{6}f}</text>\n",
          left, right, y.at(share), left - 8, y.at(share) + 4, share, decimals);
    }
    for (const double mark : marks_of(x_, most_rates)) {
      add("<line class=\"frame\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>"
          "<text class=\"muted\" x=\"{0:.2f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
          x_.at(mark), bottom, bottom + 5, bottom + 19, fmt::format("{:g}", mark));
    }
    add("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
        left, top, right - left, panel_height);
    add("<text class=\"ink\" transform=\"translate(22 {:.1f}) rotate(-90)\" "
        "text-anchor=\"middle\">share of user ticks, %</text>\n",
        top + panel_height / 2);
  }

  // A hundred times as many standard errors as the percents `size`, on both sides.
  void add_band(const char* kind, double size, const SweepRow& row, const Scale& y) {
    const double exact = 100 * table_.exact_share(row);
    std::string upper, lower;
    for (std::size_t i = 0; i < sweep_.rates.size(); ++i) {
      const SeenShare seen = seen_share(table_, row, i);
      if (seen.clocks == 0) continue;
      const auto point = [&](double x, double share) {
        return fmt::format("{:.2f},{:.2f} ", x, y.at(std::clamp(share, y.from, y.to)));
      };
      const double half = sweep_.rates.size() == 1 ? 12 : 0;  // a band for one rate, too
      const double x = x_.at(rate(i));
      const double distance = size * seen.standard_error;
      upper += point(x - half, exact + distance);
      lower = point(x - half, exact - distance) + lower;
      if (half == 0) continue;
      upper += point(x + half, exact + distance);
      lower = point(x + half, exact - distance) + lower;
    }
    add("<polygon class=\"{}\" points=\"{}{}\"/>\n", kind, upper, lower);
  }

  void add_dots(const SweepRow& row, const Scale& y) {
    for (std::size_t i = 0; i < sweep_.rates.size(); ++i) {
      for (std::uint32_t phase = 0; phase < sweep_.phases; ++phase) {
        const std::size_t clock = sweep_.clock(i, phase);
        if (table_.user[clock] == 0) continue;
        const auto user = static_cast<double>(table_.user[clock]);
        const double share = static_cast<double>(row.ticks[clock]) / user;
        const bool is_out = is_beyond_chance(table_, row, clock);
        add("{}\n", dot(is_out ? "out" : "in", x_.at(rate(i)), y.at(100 * share)));
      }
    }
  }

  const SweepTable& table_;
  const Sweep& sweep_;
  std::vector<SweepRow> rows_;
  Scale x_;
  std::string text_;
};

}  // namespace

std::string sweep_svg(const SweepTable& table) {
  return Drawing(table).draw();
}

}  // namespace hardclock::report
