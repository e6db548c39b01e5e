// A syscalls.master file as parsed, and what mastergen does with it: parser.cc, checker.cc and
// emitter.cc. The format is defined in README.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/codegen/diagnostics.h"
#include "syscalls/master/call_info.h"

namespace hardclock::mastergen {

using codegen::Diagnostic;
using codegen::Diagnostics;

struct Parameter {
  ValueKind kind = ValueKind::int32;
  std::string name;  // empty for pad, ... and ?
  std::string size;  // in(SIZE), out(SIZE): the name of the parameter that holds the size
};

struct Call {
  unsigned number = 0;
  std::optional<unsigned> subcode;
  CallState state = CallState::missing;
  ValueKind result = ValueKind::int32;
  std::string name;
  std::string handler;  // the name, unless the line says `as`
  std::vector<Parameter> parameters;
  std::optional<Parameter> second_result;
  std::string prototype;  // with single blanks
  std::string note;
  int line = 0;
};

struct Table {
  std::string system;
  unsigned word_bits = 0;
  std::vector<Call> calls;  // in the file's order
};

// The slot of a multiplexed call's sub-code; nullopt for any other call.
std::optional<unsigned> subcode_slot(const Call& call);

bool has_parameter(const Call& call, ValueKind kind);

// "1044", or "1040.55".
std::string call_id(const Call& call);

// The table, or everything that breaks the grammar (README.md, "Grammar"), by line. Any bytes are
// accepted as input.
Result<Table, Diagnostics> parse(std::string_view text);

// Everything that breaks a rule (README.md, "Rules"), by line; empty for a good table.
Diagnostics check(const Table& table);

// ---- The C++ of a checked table. README.md, "What is generated", says what it contains.

// NAME_calls.h. `source_name` is the table's file, for the comment at the top.
std::string emit_header(const Table& table, std::string_view source_name);

// NAME_calls.cc; it includes the header as "header_path".
std::string emit_source(const Table& table, std::string_view source_name,
                        std::string_view header_path);

}  // namespace hardclock::mastergen
