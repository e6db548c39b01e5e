// A log on a terminal: its lines are broken where the terminal is narrower.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

#include "sim/base/terminal.h"

namespace hardclock {

// Writes whole lines to another stream, which must outlive it, and takes over its failures.
class FittingStream : private std::streambuf, public std::ostream {
 public:
  FittingStream(std::ostream& out, const Terminal& terminal);

 private:
  int overflow(int character) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  bool write_lines();

  std::ostream& out_;
  Terminal terminal_;
  std::string waiting_;  // the beginning of a line
};

}  // namespace hardclock
