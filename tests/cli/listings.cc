#include "tests/cli/listings.h"

#include <ostream>

#include "tests/cli/command_test.h"
#include "tests/cli/scanner.h"

namespace hardclock::cli_test {

std::vector<ListedWord> parse_listing(const std::string& text) {
  std::vector<ListedWord> words;
  for (const std::string& line : lines_of(text)) {
    ListedWord listed;
    Scanner scan(line);
    scan.skip_blanks();
    if (!scan.read(listed.address, 16) || !scan.skip(":")) continue;
    listed.word = scan.word();
    listed.mnemonic = scan.word();
    if (listed.word.size() == 8) words.push_back(listed);
  }
  return words;
}

void PrintTo(const ListedWord& listed, std::ostream* out) {
  *out << std::hex << listed.address << ": " << listed.word << " " << listed.mnemonic;
}

}  // namespace hardclock::cli_test
