// Disassembly listings in objdump's form: "  4000b0:	24020675 	li	v0,1653".
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace hardclock::cli_test {

struct ListedWord {
  std::uint32_t address = 0;
  std::string word;  // eight hexadecimal digits
  std::string mnemonic;

  friend bool operator==(const ListedWord&, const ListedWord&) = default;
};

// The lines that list an instruction.
std::vector<ListedWord> parse_listing(const std::string& text);
void PrintTo(const ListedWord& listed, std::ostream* out);

}  // namespace hardclock::cli_test
