// What the lab shows of a frame, as lines of text: each function makes one pane. Texts are ASCII,
// whatever names a program has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lab/frame.h"
#include "sim/lab/machine.h"
#include "sim/lab/session.h"

namespace hardclock::lab {

enum class Style : std::uint8_t { plain, title, soft, changed, tick, good, bad };

struct Span {
  std::string text;
  Style style = Style::plain;
};
using Line = std::vector<Span>;
using Lines = std::vector<Line>;

// `text` with '?' for all that is not printable ASCII, and a blank for a tab.
std::string ascii(std::string_view text);
// "issue 3; operand 1"
std::string joined(const std::vector<std::string>& texts);

// Cut to so many columns.
Line fitted(Line line, std::size_t columns);
// Broken at blanks into lines of at most so many columns; those behind the first are indented by
// two.
Lines wrapped(std::string_view text, std::size_t columns, Style style = Style::plain);
std::string address_text(const MachineFacts& facts, GuestAddr address);
// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);

// Each has at most `rows` lines of at most `columns` columns, and at least one if rows is not 0.
Lines pipeline_pane(const Session& session, std::size_t columns, std::size_t rows);
Lines register_pane(const Session& session, std::size_t columns, std::size_t rows);
Lines cache_pane(const Session& session, std::size_t columns, std::size_t rows);
Lines clock_pane(const Session& session, std::size_t columns, std::size_t rows);

// How the arithmetic is laid out.
enum class Layout : std::uint8_t { packed, a_step_a_line };
// `rule` is the broken one that is shown beside the kernel's, an index into Session::rules().
Lines profil_pane(const Session& session, std::optional<std::size_t> rule, Layout layout,
                  std::size_t columns, std::size_t rows);
Lines counter_pane(const Session& session, std::optional<std::size_t> rule, std::size_t columns,
                   std::size_t rows);
Lines system_pane(const Session& session, std::size_t columns, std::size_t rows);
Lines rule_pane(const Session& session, std::optional<std::size_t> rule, std::size_t columns,
                std::size_t rows);

}  // namespace hardclock::lab
