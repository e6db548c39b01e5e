#include "syscalls/conform/emit_c/emit_c.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "syscalls/conform/emit_c/case_text.h"
#include "syscalls/conform/emit_c/targets.h"
#include "syscalls/conform/text.h"
#include "syscalls/profil/system.h"

namespace hardclock::conform {
namespace {

// The parts of the program that are the same for all cases.
constexpr std::string_view library_name =
#include "guest/agents/library.inc"
    ;
constexpr std::string_view main =
#include "guest/agents/main.inc"
    ;

constexpr std::string_view head =
    R"(/* Conformance cases of profil(2), as one program for the system it is compiled on.
   Made by hardclock conform --emit-c.

   cc -o conform conform.c && ./conform

   It prints TAP (testanything.org): one line a case. Ticks of the real clock are counted, so it
   takes about a second a case, and the machine should have nothing else to do. Compilers that do
   not say which system they are for need -DCONFORM_SYSTEM=NAME; the names are in part 1. The
   program is C89; it runs itself again for cases with an exec, so start it by a path. */

/* Part 1: which system this is, and what it has. Nothing here but what the systems' manuals have in
   section 2, and no stdio: what it would keep in a buffer would come out once from each process. */

)";

// A string literal. C89 promises no more than 509 characters in one.
std::string literal(std::string_view text) {
  constexpr std::size_t highest_accepted = 300;
  std::string out = "\"";
  for (const char c : text.substr(0, highest_accepted)) {
    const bool is_plain = c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?';
    out += is_plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return out + (text.size() > highest_accepted ? "...\"" : "\"");
}

// A TAP description ends at a '#', which begins a directive.
std::string description(const Case& of) {
  std::string out;
  for (const char c : one_line(of.id + " " + of.title)) {
    if (c == '#' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string identifier(std::size_t number, std::string_view id) {
  std::string out = fmt::format("{}_", number);
  constexpr std::size_t highest_accepted = 20;
  for (const char c : id.substr(0, highest_accepted)) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    out += is_letter || (c >= '0' && c <= '9') ? c : '_';
  }
  return out;
}

// The cases of one system, or with a defect, in the file's order.
std::string system_part(const profil::SystemRules& system, std::span<const Case* const> cases) {
  std::string functions;
  std::string tests;
  std::vector<std::string> resumed;
  std::size_t number = 0;
  for (const Case* const each : cases) {
    const bool has_defect = !each->defect.empty() || each->variant == nullptr;
    if (!has_defect && each->variant->system != &system) continue;
    const std::string title = literal(description(*each));
    ++number;
    if (has_defect) {
      tests += fmt::format("    {{{}, 0, 0, {}, 0}},\n", title, literal(one_line(each->defect)));
      continue;
    }
    const auto text = case_text(*each, identifier(number, each->id), resumed.size());
    if (!text) {
      tests += fmt::format("    {{{}, 0, {}, 0, 0}},\n", title, literal(one_line(text.error())));
      continue;
    }
    functions += text->functions;
    resumed.insert(resumed.end(), text->resumed.begin(), text->resumed.end());
    tests += fmt::format("    {{{}, {}, 0, 0, {}}},\n", title, text->start,
                         each->expect.ended.empty() ? "0" : each->expect.ended.begin()->second);
  }
  std::string out = fmt::format("#if CASES_OF == {}\n/* {} */\n\n", target_of(system.name).constant,
                                system.title);
  out += functions;
  out += fmt::format("struct test tests[] = {{\n{}}};\n#define TESTS {}\n\n", tests, number);
  out += "void (*resumed[])(void) = {";
  for (const std::string& function : resumed) out += function + ", ";
  return out + "0};\n#endif\n\n";
}

}  // namespace

std::string emit_c(std::span<const Case* const> cases) {
  std::string out(head);
  out += choice_of_target(targets()) + "\n";
  out += library_name;
  out += "\n/* Part 7: the cases of each system. */\n\n";
  out += "struct test {\n  const char *title;\n  void (*perform)(void);\n";
  out += "  const char *skipped; /* why it is not performed */\n";
  out += "  const char *defect;  /* why nobody can perform it */\n";
  out += "  int ended_by;        /* the signal that must end it; 0: none */\n};\n\n";
  for (const profil::SystemRules* const system : profil::systems_and_libraries()) {
    const auto is_of_system = [&](const Case* each) {
      return each->variant != nullptr && each->variant->system == system;
    };
    if (std::ranges::any_of(cases, is_of_system)) out += system_part(*system, cases);
  }
  out += "#ifndef TESTS\n#error \"there are no cases of this system\"\n#endif\n\n";
  out += main;
  return out;
}

}  // namespace hardclock::conform
