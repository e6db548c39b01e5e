// The descriptions of an ISA's processors and machines, which are compiled into it
// (embedded_descriptions in embed.bzl makes the list of texts).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/result.h"

namespace hardclock {

// Parses all of `texts`, in which there are no mistakes: tests read them first.
template <class Description>
std::vector<Description> parse_descriptions(
    std::span<const char* const> texts,
    Result<Description, std::string> (*parse)(std::string_view text)) {
  std::vector<Description> descriptions;
  for (const char* const text : texts) {
    auto description = parse(text);
    CHECK(description.ok());
    descriptions.push_back(*std::move(description));
  }
  return descriptions;
}

// Null: none is called `name`.
template <class Description>
const Description* find_description(const std::vector<Description>& descriptions,
                                    std::string_view name) {
  for (const Description& description : descriptions) {
    if (description.name == name) return &description;
  }
  return nullptr;
}

}  // namespace hardclock
