#include "syscalls/conform/json_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "syscalls/conform/text.h"

namespace hardclock::conform {
namespace {

// Walks the text and exposes how far the library has read.
class WatchedIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  WatchedIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}

  reference operator*() const { return *at_; }
  WatchedIterator& operator++() {
    *furthest_ = ++at_;
    return *this;
  }
  WatchedIterator operator++(int) {
    WatchedIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const WatchedIterator& other) const { return at_ == other.at_; }
  bool operator!=(const WatchedIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

// "[json.exception...] parse error at line 3, column 5: syntax error while parsing value - X; last
// read: 'Y'" without the parts that the caller adds itself.
std::string library_reason(std::string_view message) {
  for (const std::string_view prefix : {"] ", ": "}) {
    const std::size_t at = message.find(prefix);
    if (at != std::string_view::npos) message.remove_prefix(at + prefix.size());
  }
  constexpr std::size_t longest = 160;  // it quotes all of a string that does not end
  return "not JSON: " + shown(message, longest) + "; mend the file there";
}

}  // namespace

// Receives the values from nlohmann's parser, which does not recurse either.
class JsonTreeBuilder {
 public:
  explicit JsonTreeBuilder(std::string_view text)
      : counted_(text.data()), end_(text.data() + text.size()), furthest_(text.data()) {}

  WatchedIterator begin() { return {counted_, &furthest_}; }
  WatchedIterator end() { return {end_, &furthest_}; }
  JsonTree take_tree() { return std::move(tree_); }
  JsonError error() const { return error_.value_or(JsonError{1, "not JSON"}); }

  bool null() { return add(JsonValue::Kind::null) != nullptr; }
  bool boolean(bool truth) {
    JsonValue* value = add(JsonValue::Kind::boolean);
    if (value == nullptr) return false;
    value->truth = truth;
    return true;
  }
  bool number_integer(std::int64_t number) {
    JsonValue* value = add(JsonValue::Kind::integer);
    if (value == nullptr) return false;
    value->negative = number < 0;
    value->magnitude = number < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(number)
                                  : static_cast<std::uint64_t>(number);
    return true;
  }
  bool number_unsigned(std::uint64_t number) {
    JsonValue* value = add(JsonValue::Kind::integer);
    if (value == nullptr) return false;
    value->magnitude = number;
    return true;
  }
  bool number_float(double, const std::string&) { return add(JsonValue::Kind::real) != nullptr; }
  bool string(std::string& text) {
    JsonValue* value = add(JsonValue::Kind::string);
    if (value == nullptr) return false;
    value->text = std::move(text);
    return true;
  }
  bool binary(std::vector<std::uint8_t>&) { return fail("not JSON: a binary value"); }

  bool start_object(std::size_t) { return open(JsonValue::Kind::object); }
  bool start_array(std::size_t) { return open(JsonValue::Kind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    if (!open_.back().names.insert(name).second) {
      return fail(fmt::format("the key '{}' is there twice", shown(name)));
    }
    name_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) {
    return fail(library_reason(error.what()));
  }

 private:
  struct Open {
    JsonValue* value;
    std::unordered_set<std::string> names = {};
  };

  // The library has read the value's last character, and of a number also the one behind it.
  std::size_t line() {
    if (furthest_ > counted_) {
      line_ += static_cast<std::size_t>(std::count(counted_, furthest_ - 1, '\n'));
      counted_ = furthest_ - 1;
    }
    return line_;
  }

  bool fail(std::string reason) {
    if (!error_) error_ = JsonError{line(), std::move(reason)};
    return false;
  }

  // Null: too many.
  JsonValue* add(JsonValue::Kind kind) {
    if (tree_.values_.size() == most_json_values) {
      fail(fmt::format("more than {} values", most_json_values));
      return nullptr;
    }
    JsonValue& value = tree_.values_.emplace_back();
    value.kind = kind;
    value.line = line();
    if (!open_.empty()) open_.back().value->members.emplace_back(std::move(name_), &value);
    name_.clear();
    return &value;
  }

  bool open(JsonValue::Kind kind) {
    JsonValue* value = add(kind);
    if (value == nullptr) return false;
    if (open_.size() == deepest_json) {
      return fail(fmt::format("nested deeper than {} levels", deepest_json));
    }
    open_.push_back({value});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  JsonTree tree_;
  std::vector<Open> open_;
  std::string name_;  // of the next value
  std::optional<JsonError> error_;
  const char* counted_;  // line_ is that of this character
  const char* end_;
  const char* furthest_;  // behind the last character that the library has read
  std::size_t line_ = 1;
};

const JsonValue* JsonValue::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(members, [&](const auto& member) { return member.first == name; });
  return kind == Kind::object && found != members.end() ? found->second : nullptr;
}

std::string_view kind_name(JsonValue::Kind kind) {
  switch (kind) {
    case JsonValue::Kind::null:
      return "null";
    case JsonValue::Kind::boolean:
      return "true or false";
    case JsonValue::Kind::integer:
      return "a number";
    case JsonValue::Kind::real:
      return "a fraction or a number beyond 64 bits";
    case JsonValue::Kind::string:
      return "a string";
    case JsonValue::Kind::array:
      return "an array";
    case JsonValue::Kind::object:
      return "an object";
  }
  return "";
}

Result<JsonTree, JsonError> parse_json(std::string_view text) {
  JsonTreeBuilder builder(text);
  if (!nlohmann::json::sax_parse(builder.begin(), builder.end(), &builder)) {
    return Failure{builder.error()};
  }
  return builder.take_tree();
}

}  // namespace hardclock::conform
