#include "syscalls/conform/case_parser.h"

#include <fmt/format.h>

#include <set>

#include "syscalls/conform/case_reader.h"
#include "syscalls/conform/json_tree.h"
#include "syscalls/conform/observation_reader.h"
#include "syscalls/conform/reader.h"
#include "syscalls/conform/text.h"

namespace hardclock::conform {
namespace {

constexpr std::string_view format_name = "hardclock profil conformance cases, v1";

std::vector<Case> read_cases(Reader& reader, const Node& root) {
  reader.check_keys(root, {"format", "cases"}, {"conventions"});
  const Node format = reader.get(root, "format");
  if (reader.text(format) != format_name) {
    reader.fail(format, fmt::format("not \"{}\"", format_name));
  }
  std::vector<Case> cases;
  std::set<std::string> ids;
  for (const Node& node : reader.elements(reader.get(root, "cases"))) {
    if (reader.failed()) break;
    cases.push_back(CaseReader(reader).read(node));
    if (!ids.insert(cases.back().id).second) {
      reader.fail(reader.get(node, "id"),
                  fmt::format("the id '{}' is there twice", shown(cases.back().id)));
    }
  }
  return cases;
}

}  // namespace

Result<std::vector<Case>, std::string> parse_cases(std::string_view text, std::string_view file) {
  const auto tree = parse_json(text);
  if (!tree) {
    const JsonError& error = tree.error();
    return Failure{fmt::format("{}:{}: {}", one_line(file), error.line, error.reason)};
  }
  Reader reader{std::string(file)};
  const Node root = {&tree->root(), ""};
  std::vector<Case> cases;
  if (reader.find(root, "cases")) {
    cases = read_cases(reader, root);
  } else if (reader.find(root, "rows")) {
    cases = read_observations(reader, root);
  } else {
    reader.fail(root, "no conformance cases: neither 'cases' nor 'rows' is in it");
  }
  if (reader.failed()) return Failure{reader.error()};
  return cases;
}

}  // namespace hardclock::conform
