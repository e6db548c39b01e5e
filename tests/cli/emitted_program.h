// The fixture of the tests of hardclock conform --emit-c: what the program prints.
#pragma once

#include <string>
#include <vector>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {

// One line of TAP.
struct Verdict {
  bool passed = false;
  std::string id;
  bool skipped = false;

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

class EmittedProgram : public CommandTest {
 protected:
  // The lines of a TAP file as perl's TAP::Parser reads them; it must have no complaint.
  std::vector<Verdict> verdicts_of(const std::string& tap) const {
    constexpr const char* reader = R"(
use strict; use warnings; use TAP::Parser;
open my $file, '<:raw', $ARGV[0] or die $!;
my $parser = TAP::Parser->new({ tap => join '', <$file> });
while (my $result = $parser->next) {
  die 'unknown: ' . $result->raw if $result->is_unknown;
  next unless $result->is_test;
  my ($id) = $result->description =~ /^- (\S+)/;
  print $result->is_actual_ok ? 1 : 0, $result->has_skip ? 1 : 0, $id, "\n";
}
die join "\n", $parser->parse_errors if $parser->parse_errors;
die 'plan' unless $parser->is_good_plan;
)";
    write("system.tap", tap);
    const Finished read = other_program({"perl", "-e", reader, path("system.tap")});
    EXPECT_EQ(read.status, 0) << read.err << tap;
    std::vector<Verdict> verdicts;
    for (const std::string& line : lines_of(read.out)) {
      verdicts.push_back({line[0] == '1', line.substr(2), line[1] == '1'});
    }
    return verdicts;
  }
};

}  // namespace hardclock::cli_test
