#include "cli/profile_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace hardclock {
namespace {

// A report reads 1 GiB.
TEST(ProfileFiles, OneThatIsTooLongToReadIsSaidToBe) {
  const std::string path = ::testing::TempDir() + "/p.json",
                    page = ::testing::TempDir() + "/p.html";
  const std::uint64_t most = std::uint64_t{1} << 30;
  for (const std::string& file : {path, page}) std::ofstream(file).close();
  std::filesystem::resize_file(path, most);
  EXPECT_EQ(objection_to_size(path), std::nullopt);
  for (const std::string& file : {path, page}) std::filesystem::resize_file(file, most + 1);
  const auto objection = objection_to_size(path);
  ASSERT_TRUE(objection);
  EXPECT_NE(objection->find("p.json has 1073741825 bytes"), std::string::npos) << *objection;
  EXPECT_EQ(objection_to_size(page), std::nullopt);
  EXPECT_EQ(objection_to_size("/dev/null"), std::nullopt);
  for (const std::string& file : {path, page}) std::filesystem::remove(file);
}

}  // namespace
}  // namespace hardclock
