#include "tests/unit/conform/case_files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace hardclock::conform {

std::string case_file(std::string_view name) {
  std::ifstream file("tests/conformance/" + std::string(name), std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace hardclock::conform
