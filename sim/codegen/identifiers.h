// Which names of an input file can become C++ names.
#pragma once

#include <string_view>

namespace hardclock::codegen {

// C++20's keywords [lex.key] and the operators that are spelled as words [lex.digraph].
bool is_keyword(std::string_view name);

}  // namespace hardclock::codegen
