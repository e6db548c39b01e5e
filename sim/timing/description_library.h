// The descriptions of an ISA's processors and machines, which are compiled into it
// (embedded_descriptions in embed.bzl makes the list of files).
#pragma once

#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/result.h"

namespace hardclock {

struct DescriptionFile {
  const char* name;  // without folders: "r3000.timing"
  const char* text;
};

// Error: "FILE: line N: what is wrong". A file is named after what it describes.
template <class Description>
Result<std::vector<Description>, std::string> parse_descriptions(
    std::span<const DescriptionFile> files,
    Result<Description, std::string> (*parse)(std::string_view text)) {
  std::vector<Description> descriptions;
  for (const DescriptionFile& file : files) {
    auto description = parse(file.text);
    const std::string name = file.name;
    if (!description) return Failure{name + ": " + description.error()};
    if (name.substr(0, name.rfind('.')) != description->name) {
      return Failure{name + ": describes " + description->name + "; name the file after it"};
    }
    descriptions.push_back(*std::move(description));
  }
  return descriptions;
}

// What is compiled in has no mistakes once any test has run: the first one that uses it says which
// there is.
template <class Descriptions>
Descriptions without_mistakes(Result<Descriptions, std::string> descriptions) {
  if (!descriptions) std::fprintf(stderr, "%s\n", descriptions.error().c_str());
  CHECK(descriptions.ok());
  return *std::move(descriptions);
}

// Null: none is called `name`.
template <class Description>
const Description* find_description(const std::vector<Description>& descriptions,
                                    std::string_view name) {
  const auto found = std::ranges::find(descriptions, name, &Description::name);
  return found == descriptions.end() ? nullptr : &*found;
}

}  // namespace hardclock
