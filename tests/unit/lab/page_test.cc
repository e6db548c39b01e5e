// The page's data: JSON, with the instructions that were asked for.
#include "sim/lab/page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/unit/lab/toy_machine.h"

namespace hardclock::lab {
namespace {

using Json = nlohmann::json;

std::string toy_page(std::uint64_t frames, std::string name = "loop") {
  ToyMachine machine(nullptr, std::move(name));
  return page_of(machine, frames);
}

Json data_of(const std::string& page) {
  constexpr std::string_view begin = "id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(LabPage, HasAsManyInstructionsAsAskedForAroundTheTicks) {
  const Json data = data_of(toy_page(300));
  ASSERT_EQ(data.at("frames").size(), 300U);
  EXPECT_EQ(data.at("frames")[0][0], 1);
  EXPECT_EQ(data.at("frames")[59][0], 60) << "a fifth of them stands at the start";
  // 100 cycles before the tick at 3,000, then 20 instructions, and so on.
  EXPECT_EQ(data.at("frames")[60][0], 2'901);
  EXPECT_EQ(data.at("frames")[159][0], 3'000);
  EXPECT_TRUE(data.at("frames")[159][13].is_array());
  EXPECT_EQ(data.at("frames")[179][0], 3'020);
  EXPECT_EQ(data.at("frames")[180][0], 5'901);
  EXPECT_EQ(data.at("ending"), "");
}

TEST(LabPage, EndsWithTheProgram) {
  const Json data = data_of(toy_page(50'000));
  EXPECT_EQ(data.at("frames").back()[0], ToyMachine::length);
  EXPECT_EQ(data.at("ending"), "exit status 0");
}

TEST(LabPage, IsTheSameEachTime) {
  EXPECT_EQ(toy_page(500), toy_page(500));
}

// A program may be called anything.
TEST(LabPage, NamesDoNotBecomeMarkup) {
  const std::string page = toy_page(20, "</script><b>\"'\\\xff");
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(data_of(page).at("facts").at("program").get<std::string>().substr(0, 12),
            "</script><b>");
}

}  // namespace
}  // namespace hardclock::lab
