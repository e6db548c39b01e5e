#include "syscalls/conform/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "syscalls/conform/text.h"

namespace hardclock::conform {
namespace {

const JsonValue nothing;
const std::string no_text;

std::optional<std::uint64_t> parse_digits(std::string_view text, int base) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

Node child(const Node& of, std::string_view key, const JsonValue* json) {
  return {json, of.path.empty() ? std::string(key) : fmt::format("{}.{}", of.path, key)};
}

}  // namespace

std::string Reader::message(const Node& at, std::string_view reason) const {
  constexpr std::size_t longest_path = 160;
  const std::string place = fmt::format("{}:{}: ", one_line(file_), at.json->line);
  if (at.path.empty()) return place + std::string(reason);
  return fmt::format("{}{}: {}", place, shown(at.path, longest_path), reason);
}

void Reader::fail(const Node& at, std::string_view reason) {
  if (!failed()) error_ = message(at, reason);
}

bool Reader::expect(const Node& value, JsonValue::Kind kind) {
  if (value.is(kind)) return true;
  fail(value, fmt::format("not {} but {}", kind_name(kind), kind_name(value.json->kind)));
  return false;
}

void Reader::check_keys(const Node& object, std::initializer_list<std::string_view> required,
                        std::initializer_list<std::string_view> optional) {
  if (!expect(object, JsonValue::Kind::object)) return;
  for (const auto& [key, value] : object.json->members) {
    const bool known = std::ranges::find(required, key) != required.end() ||
                       std::ranges::find(optional, key) != optional.end();
    if (known) continue;
    std::vector<std::string_view> all(required);
    all.insert(all.end(), optional);
    fail(child(object, key, value),
         fmt::format("unknown key; there are: {}", fmt::join(all, ", ")));
  }
  for (const std::string_view key : required) get(object, key);
}

Node Reader::get(const Node& object, std::string_view key) {
  const auto member = find(object, key);
  if (member) return *member;
  if (expect(object, JsonValue::Kind::object)) {
    fail(object, fmt::format("the key '{}' is missing", key));
  }
  return child(object, key, &nothing);
}

std::optional<Node> Reader::find(const Node& object, std::string_view key) const {
  const JsonValue* const json = object.json->find(key);
  if (json == nullptr) return std::nullopt;
  return child(object, key, json);
}

std::vector<Node> Reader::elements(const Node& array) {
  std::vector<Node> all;
  if (!expect(array, JsonValue::Kind::array)) return all;
  for (const auto& [name, value] : array.json->members) {
    all.push_back({value, fmt::format("{}[{}]", array.path, all.size())});
  }
  return all;
}

std::vector<std::pair<std::string, Node>> Reader::members(const Node& object) {
  std::vector<std::pair<std::string, Node>> all;
  if (!expect(object, JsonValue::Kind::object)) return all;
  for (const auto& [name, value] : object.json->members) {
    all.emplace_back(name, child(object, name, value));
  }
  return all;
}

const std::string& Reader::text(const Node& value) {
  return expect(value, JsonValue::Kind::string) ? value.json->text : no_text;
}

bool Reader::truth(const Node& value) {
  return expect(value, JsonValue::Kind::boolean) && value.json->truth;
}

std::uint64_t Reader::number(const Node& value, std::uint64_t least, std::uint64_t most) {
  if (!expect(value, JsonValue::Kind::integer)) return least;
  if (!value.json->negative && value.json->magnitude >= least && value.json->magnitude <= most) {
    return value.json->magnitude;
  }
  fail(value, fmt::format("not between {} and {}", least, most));
  return least;
}

std::int64_t Reader::signed_number(const Node& value, std::int64_t least, std::int64_t most) {
  if (!expect(value, JsonValue::Kind::integer)) return least;
  const JsonValue& json = *value.json;
  // Between -2^63 and 2^64-1, so that this holds it.
  __extension__ typedef __int128 Wide;
  const Wide number = json.negative ? -Wide{json.magnitude} : Wide{json.magnitude};
  if (number >= least && number <= most) return static_cast<std::int64_t>(number);
  fail(value, fmt::format("not between {} and {}", least, most));
  return least;
}

std::optional<std::uint64_t> parse_decimal(std::string_view text) {
  return parse_digits(text, 10);
}

std::optional<std::uint64_t> parse_hexadecimal(std::string_view text) {
  if (!text.starts_with("0x")) return std::nullopt;
  return parse_digits(text.substr(2), 16);
}

}  // namespace hardclock::conform
