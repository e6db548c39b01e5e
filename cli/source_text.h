// The text of source lines, from files of the host that debug information names.
#pragma once

#include <cstdint>
#include <ctime>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/load/line_table.h"

namespace hardclock {

class SourceText {
 public:
  // Files are looked for where the debug information says, then below each of `directories` by the
  // longest tail of their path, the first directory first. `program_time` is when the program's
  // file was last written (seconds since 1970); a source that is newer is said to be so.
  SourceText(std::vector<std::string> directories, std::optional<std::time_t> program_time);

  // "hot.c:12:  for (;;)" and an end of line, or "hot.c:12", with what is missing or doubtful about
  // the file in parentheses where it is new. Fit for a terminal.
  std::string line(const SourceFile& file, std::uint32_t number);

 private:
  struct Text {
    bool is_found = false;
    bool is_newer = false;
    std::string bytes;
    std::vector<std::size_t> starts;  // of lines, in bytes
  };

  const Text& text_of(const std::string& path);
  std::optional<std::string> find(const std::string& path) const;
  Text read(const std::string& path) const;
  static std::string_view line_of(const Text& text, std::uint32_t number);

  std::vector<std::string> directories_;
  std::optional<std::time_t> program_time_;
  std::map<std::string, Text> texts_;  // by path
  std::size_t bytes_ = 0;              // of all texts
  std::set<std::string> told_;         // paths of which it is said what is missing or doubtful
};

// When the file was last written; nullopt: it cannot be told.
std::optional<std::time_t> time_of_file(const std::string& path);

}  // namespace hardclock
