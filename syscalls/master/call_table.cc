#include "syscalls/master/call_table.h"

namespace hardclock {

CallTable::CallTable(std::string_view text, std::span<const PackedCall> calls,
                     std::span<const PackedArgument> arguments) {
  const auto unpacked_text = [text](PackedText part) { return text.substr(part.start, part.size); };
  const auto unpacked = [&](const PackedArgument& argument) {
    return ArgInfo{argument.kind, unpacked_text(argument.name), argument.size_argument};
  };
  arguments_.reserve(arguments.size());
  for (const PackedArgument& argument : arguments) arguments_.push_back(unpacked(argument));
  std::span<const ArgInfo> left = arguments_;
  calls_.reserve(calls.size());
  for (const PackedCall& call : calls) {
    calls_.push_back({.number = call.number,
                      .subcode = call.subcode,
                      .state = call.state,
                      .name = unpacked_text(call.name),
                      .word_bits = call.word_bits,
                      .result = call.result,
                      .second_result = {},
                      .arguments = left.first(call.argument_count),
                      .slot_count = call.slot_count,
                      .selector = call.selector,
                      .prototype = unpacked_text(call.prototype),
                      .note = unpacked_text(call.note)});
    if (call.second_result) calls_.back().second_result = unpacked(*call.second_result);
    left = left.subspan(call.argument_count);
  }
}

}  // namespace hardclock
