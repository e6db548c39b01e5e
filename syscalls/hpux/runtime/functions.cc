#include "syscalls/hpux/runtime/functions.h"

#include <algorithm>
#include <utility>

#include "sim/load/imports.h"

namespace hardclock::hpux {
namespace {

constexpr std::string_view tables[] = {
#include "guest/hpux/functions.inc"
    ,
#include "guest/hpux/libm_functions.inc"
};

constexpr std::pair<std::string_view, FunctionState> states[] = {
    {"done", FunctionState::done},
    {"partial", FunctionState::partial},
    {"missing", FunctionState::missing},
};

// Cuts off the first word, and the blanks behind it.
std::string_view next_word(std::string_view& line) {
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return word;
}

LibraryFunction parse(std::string_view line) {
  const std::string_view name = next_word(line), state = next_word(line);
  const auto* found =
      std::ranges::find(states, state, &std::pair<std::string_view, FunctionState>::first);
  const FunctionState value = found == std::end(states) ? FunctionState::missing : found->second;
  // Behind "done" are the formats that have it.
  return {name, value, value == FunctionState::partial ? line : std::string_view()};
}

void add_table(std::string_view rest, std::vector<LibraryFunction>& functions) {
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!line.empty() && line.front() != '#') functions.push_back(parse(line));
  }
}

std::vector<LibraryFunction> parse_tables() {
  std::vector<LibraryFunction> functions;
  for (const std::string_view table : tables) add_table(table, functions);
  std::ranges::sort(functions, {}, &LibraryFunction::name);
  return functions;
}

}  // namespace

std::string_view name_of(FunctionState state) {
  return std::ranges::find(states, state, &std::pair<std::string_view, FunctionState>::second)
      ->first;
}

const std::vector<LibraryFunction>& library_functions() {
  static const std::vector<LibraryFunction> functions = parse_tables();
  return functions;
}

LibraryFunction find_function(std::string_view name) {
  const auto& all = library_functions();
  const auto found = std::ranges::lower_bound(all, name, {}, &LibraryFunction::name);
  const bool is_there = found != all.end() && found->name == name;
  return is_there ? *found : LibraryFunction{name, FunctionState::missing, {}};
}

std::vector<ProgramImport> imports_of(FileWindow& program) {
  std::vector<ProgramImport> imports;
  std::vector<std::string> names = read_som_imports(program);
  if (names.empty()) names = read_elf_imports(program);
  for (std::string& name : names) {
    const LibraryFunction function = find_function(name);
    imports.push_back({std::move(name), function.state, function.note});
  }
  return imports;
}

}  // namespace hardclock::hpux
