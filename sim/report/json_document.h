// JSON from files that anyone may have written. A part of the JSON format of profiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/result.h"

namespace hardclock::report {

using Json = nlohmann::json;

// Refuses, by a line for the user, what is no JSON, has a key twice in one object, or has more
// members, values or levels of nesting than any profile.
//
// There may be any number of two kinds of items, which stand in the document as a table of 8 bytes
// a number: an object of which every key is an address, "0x00400120", and every value a whole
// number is_counts(); an array of rows like those of call_tree or call_arcs is_rows(). An address
// may be there twice.
Result<Json, std::string> parse_json(std::span<const std::uint8_t> bytes);

struct CountAt {
  std::uint64_t address = 0;
  std::uint64_t count = 0;
};

// A table's subtype is the size of an item.
inline bool is_counts(const Json& value) {
  return value.is_binary() && value.get_binary().subtype() == sizeof(CountAt);
}
inline bool is_rows(const Json& value) {
  return value.is_binary() && !is_counts(value);
}
std::size_t number_of_items(const Json& table);
// In the document's order.
CountAt count_in(const Json& counts, std::size_t i);
// The array, as the file has it.
Json row_in(const Json& rows, std::size_t i);

// `text` from the file, made safe for a one line message.
std::string quote(std::string_view text);

}  // namespace hardclock::report
