#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace hardclock {
namespace {

// What narrower lines would show is not worth it.
constexpr std::size_t least_columns = 20;

std::optional<std::size_t> columns_in(const char* text) {
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = text;
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), columns);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size();
  return is_number && columns >= least_columns ? std::optional(columns) : std::nullopt;
}

bool is_set(const char* text) {
  return text != nullptr && *text != '\0';
}

}  // namespace

Terminal terminal_of(std::optional<std::size_t> window,
                     const std::function<const char*(const char*)>& variable) {
  Terminal terminal;
  if (window && *window >= least_columns) terminal.columns = *window;
  if (const auto columns = columns_in(variable("COLUMNS"))) terminal.columns = *columns;
  const char* const kind = variable("TERM");
  const bool is_dumb = kind == nullptr || std::string_view(kind) == "dumb";
  terminal.has_colour = window && !is_dumb && !is_set(variable("NO_COLOR"));
  return terminal;
}

Terminal terminal_of(int descriptor) {
  std::optional<std::size_t> window;
  if (::isatty(descriptor) == 1) {
    ::winsize size{};
    window = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  }
  return terminal_of(window, [](const char* name) { return std::getenv(name); });
}

}  // namespace hardclock
