// tools/programs: its verdicts, against what was shipped and against a peer, here a script.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Programs : public CommandTest {
 protected:
  void SetUp() override {
    fs::create_directories(path("tree/bin"));
    fs::copy_file(guest("compute"), path("tree/bin/compute"));
    write("tree/wanted", expected_output("compute.txt"));
    write("tree/other", "nothing of the kind\n");
    // It prints what compute prints.
    write("peer", "#!/bin/sh\ncat " + path("tree/wanted") + "\n");
    fs::permissions(path("peer"), fs::perms::owner_all);
  }

  Json list(const std::vector<Json>& rows, const std::string& peer = "") const {
    Json root = {{"system", "IRIX"}, {"abi", "o32"}};
    if (!peer.empty()) root["peer"] = peer;
    return {{"roots", {{"tree", root}}}, {"rows", rows}};
  }
  Finished compare(const Json& spec, std::vector<std::string> options = {}) const {
    write("list.json", spec.dump());
    std::vector<std::string> command = {fs::absolute("tools/programs").string(), "--hardclock",
                                        hardclock_path(), "--root", "tree=" + path("tree")};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back(path("list.json"));
    return other_program(command);
  }
};

Json row(const Json& more = Json::object()) {
  Json row = {{"program", "compute"}, {"origin", "ours"}, {"run", "/bin/compute"}};
  row.update(more);
  return row;
}

// A row for each word: one line, with those that are not good.
TEST_F(Programs, ARowMayStandForSeveral) {
  fs::create_directories(path("tree/all/one"));
  write("tree/all/one/first", "");
  const Finished run = compare(list(
      {row({{"each", {"wanted", "other"}}, {"copy", {".=/all"}}, {"shipped", {{"stdout", "/{}"}}}}),
       row({{"each", {"wanted"}}, {"shipped", {{"stdout", "/{}"}}}})}));
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_TRUE(contains(run.out, "| identical: 1 of 2; not: other (differs: stdout) |")) << run.out;
  EXPECT_TRUE(contains(run.out, "| identical |")) << run.out;
  EXPECT_TRUE(contains(run.out, "3 commands: 2 identical")) << run.out;
}

TEST_F(Programs, WhatWasShippedDecides) {
  const Finished run = compare(
      list({row({{"shipped", {{"stdout", "/wanted"}, {"status", 0}}}}),
            row({{"shipped", {{"stdout", "/other"}}}}), row({{"shipped", {{"status", 3}}}})}));
  EXPECT_EQ(run.status, 1) << run.err;
  const auto lines = lines_of(run.out);
  ASSERT_GE(lines.size(), 6U) << run.out << run.err;
  EXPECT_TRUE(contains(lines[2], "| IRIX, o32 | identical |")) << lines[2];
  EXPECT_TRUE(contains(lines[3], "| differs: stdout |")) << lines[3];
  EXPECT_TRUE(contains(lines[4], "| differs: status |")) << lines[4];
  EXPECT_TRUE(contains(run.out, "3 commands: 1 identical, 0 as the list says")) << run.out;
}

TEST_F(Programs, APeerDecides) {
  const Finished same = compare(list({row()}, path("peer")));
  EXPECT_EQ(same.status, 0) << same.out << same.err;
  EXPECT_TRUE(contains(same.out, "| identical |")) << same.out;
  write("peer", "#!/bin/sh\nexit 4\n");
  const Finished other = compare(list({row()}, path("peer")));
  EXPECT_EQ(other.status, 1);
  EXPECT_TRUE(contains(other.out, "| differs: status 0, not 4, output |")) << other.out;
}

TEST_F(Programs, WithoutAPeerTheStatusDecides) {
  const Finished run =
      compare(list({row(), row({{"status", 9}}), row({{"run", "/bin/absent"}, {"status", 125}})}));
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_TRUE(contains(run.out, "| runs |")) << run.out;
  EXPECT_TRUE(contains(run.out, "| status 0 |")) << run.out;
  EXPECT_TRUE(contains(run.out, "| refused |")) << run.out;
}

// What a program says decides, and a list names what cannot be good: it is tried all the same.
TEST_F(Programs, AListSaysWhatCannotBeGoodAndWhy) {
  const Json each = {"first", "second"};
  const auto says = [&](const std::string& text, const Json& words) {
    return row(
        {{"run", "/bin/compute {}"}, {"says", text}, {"each", each}, {"not", {{"why", words}}}});
  };
  const Finished listed = compare(list({says("nowhere", each)}));
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_TRUE(contains(listed.out, "| none good: 0 of 2; not, as the list says: 2 (why) |"))
      << listed.out;
  EXPECT_TRUE(contains(listed.out, "2 commands: 0 identical, 2 as the list says")) << listed.out;
  const Finished not_listed = compare(list({says("nowhere", {"first"})}));
  EXPECT_EQ(not_listed.status, 1);
  EXPECT_TRUE(contains(not_listed.out,
                       "; not: second (says something else); not, as the list says: 1 (why) |"))
      << not_listed.out;
  const Finished better = compare(list({says("", {"first"})}));
  EXPECT_EQ(better.status, 1);
  EXPECT_TRUE(contains(better.out, "| runs: 2 of 2; good, which the list does not say: first |"))
      << better.out;
  EXPECT_EQ(compare(list({says("", {"third"})})).status, 2);
}

TEST_F(Programs, TheTableGoesIntoADocument) {
  write("doc.md", "before\n<!-- programs-table -->\nold\n<!-- programs-table -->\nafter\n");
  const Finished run = compare(list({row()}), {"--into", path("doc.md")});
  EXPECT_EQ(run.status, 0) << run.err;
  const std::string document = read("doc.md");
  EXPECT_TRUE(document.starts_with("before\n<!-- programs-table -->\n| program |")) << document;
  EXPECT_TRUE(document.ends_with("<!-- programs-table -->\nafter\n")) << document;
  EXPECT_FALSE(contains(document, "old"));
}

TEST_F(Programs, MistakesAreNamed) {
  EXPECT_EQ(compare(list({row()}), {"--root", "x=/nowhere"}).status, 2);
  const Finished nowhere = compare(list({row()}), {"--into", path("nowhere.md")});
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_EQ(lines_of(nowhere.err).size(), 1U) << nowhere.err;
  write("list.json", "no list");
  EXPECT_EQ(other_program({fs::absolute("tools/programs").string(), "--hardclock", hardclock_path(),
                           path("list.json")})
                .status,
            2);
}

}  // namespace
}  // namespace hardclock::cli_test
