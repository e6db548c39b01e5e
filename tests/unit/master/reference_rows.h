// The listings of system calls that the call tables are compared with.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace hardclock::master {

// The rows of tests/unit/master/NAME, each of so many columns. Lines that begin with # are for
// readers.
inline std::vector<std::vector<std::string>> reference_rows(const std::string& name,
                                                            std::size_t columns) {
  std::ifstream file("tests/unit/master/" + name);
  EXPECT_TRUE(file) << name;
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream in(line);
    std::vector<std::string>& row = rows.emplace_back();
    for (std::string cell; std::getline(in, cell, '\t');) row.push_back(cell);
    row.resize(columns);
  }
  return rows;
}

}  // namespace hardclock::master
