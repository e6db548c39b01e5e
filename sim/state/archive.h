// What the state of a simulation is. Each class that has some says so in a member function
// archive(Archive&), which names all of its members, in a structured binding; so the compiler
// notices a new one. (Where all members are state, it only says how many there are, in
// `state_members`. Where a base class has members, too, no binding is possible, and nobody
// notices.) A member is
//   state     what is to come depends on it
//   derived   it follows from the state, is there for speed, or lives only while run() does
//   wiring    a description, an option, or somebody who looks on; the same in a new simulation that
//             is set up alike
//   counted   for reports alone: the guests never see it
// Two engines that have come to the same place have the same state: where they represent it
// differently, archive() gives a form that both have.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/owner.h"
#include "sim/base/units.h"

namespace hardclock {

// Where the state belongs, for those who want to know in which part two simulations differ.
enum class StatePart : std::uint8_t {
  kernel,      // clock, processes, signals, waits, files, what calls have set
  processors,  // registers, pipelines, branch predictors
  memory,      // address spaces and what is in them
  caches,      // with TLBs and write buffers
};
inline constexpr std::size_t state_parts = 4;

// Who is told the state, member by member, always in the same order.
class Archive {
 public:
  virtual ~Archive() = default;

  // In the host's byte order.
  virtual void bytes(std::span<const std::byte> bytes) = 0;

  template <class... Members>
  void state(const Members&... members);
  template <class... Members>
  static void derived(const Members&...) {}
  template <class... Members>
  static void wiring(const Members&...) {}
  template <class... Members>
  static void counted(const Members&...) {}

  // An object that several others know: its number, from 1 on, and whether it has just got it. Then
  // its state is to follow. The number of nullptr is 0.
  struct Object {
    std::uint64_t number = 0;
    bool is_new = false;
  };
  template <class T>
  Object object(const T* object);

  // What follows, while this object lives, is of that part.
  class Part {
   public:
    Part(Archive& archive, StatePart part)
        : archive_(archive), before_(std::exchange(archive.part_, part)) {}
    ~Part() { archive_.part_ = before_; }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    Archive& archive_;
    StatePart before_;
  };
  StatePart part() const { return part_; }

 private:
  Object object_at(const void* address);

  StatePart part_ = StatePart::kernel;
  std::unordered_map<const void*, std::uint64_t> objects_;
  std::array<std::uint64_t, state_parts> numbered_{};  // so that parts differ by themselves
};

// Several pointers to one object may be of different bases.
template <class T>
Archive::Object Archive::object(const T* object) {
  if constexpr (std::is_polymorphic_v<T>) {
    return object_at(dynamic_cast<const void*>(object));
  } else {
    return object_at(object);
  }
}

inline Archive::Object Archive::object_at(const void* address) {
  if (address == nullptr) return {};
  std::uint64_t& numbered = numbered_[static_cast<std::size_t>(part_)];
  const auto [at, is_new] = objects_.try_emplace(address, numbered + 1);
  if (is_new) ++numbered;
  return {at->second, is_new};
}

// ---- Values.

// Values that are their bytes.
template <class T>
inline constexpr bool is_plain = std::is_integral_v<T> || std::is_enum_v<T>;
template <class Unit>
inline constexpr bool is_plain<Quantity<Unit>> = true;
template <>
inline constexpr bool is_plain<GuestAddr> = true;

template <class T>
requires is_plain<T>
void archive(Archive& to, const T& value) {
  to.bytes(std::as_bytes(std::span(&value, 1)));
}

template <class T>
concept HasArchive = requires(const T& object, Archive& to) {
  object.archive(to);
};
template <HasArchive T>
void archive(Archive& to, const T& object) {
  object.archive(to);
}

// All members of such a class are state. It says how many, in `state_members`, which the compiler
// compares with how many there are.
template <class T>
requires requires {
  T::state_members;
}
void archive(Archive& to, const T& object) {
  constexpr std::size_t members = T::state_members;
  if constexpr (members == 1) {
    const auto& [a] = object;
    to.state(a);
  } else if constexpr (members == 2) {
    const auto& [a, b] = object;
    to.state(a, b);
  } else if constexpr (members == 3) {
    const auto& [a, b, c] = object;
    to.state(a, b, c);
  } else if constexpr (members == 4) {
    const auto& [a, b, c, d] = object;
    to.state(a, b, c, d);
  } else if constexpr (members == 5) {
    const auto& [a, b, c, d, e] = object;
    to.state(a, b, c, d, e);
  } else if constexpr (members == 6) {
    const auto& [a, b, c, d, e, f] = object;
    to.state(a, b, c, d, e, f);
  } else if constexpr (members == 7) {
    const auto& [a, b, c, d, e, f, g] = object;
    to.state(a, b, c, d, e, f, g);
  } else if constexpr (members == 8) {
    const auto& [a, b, c, d, e, f, g, h] = object;
    to.state(a, b, c, d, e, f, g, h);
  } else if constexpr (members == 9) {
    const auto& [a, b, c, d, e, f, g, h, i] = object;
    to.state(a, b, c, d, e, f, g, h, i);
  } else if constexpr (members == 10) {
    const auto& [a, b, c, d, e, f, g, h, i, j] = object;
    to.state(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (members == 11) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k] = object;
    to.state(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (members == 12) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l] = object;
    to.state(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (members == 13) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = object;
    to.state(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (members == 14) {
    const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = object;
    to.state(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else {
    static_assert(members == 1, "one more case, please");
  }
}

template <std::size_t size>
void archive(Archive& to, const std::bitset<size>& bits) {
  for (std::size_t first = 0; first < size; first += 64) {
    std::uint64_t word = 0;
    for (std::size_t i = first; i < std::min(size, first + 64); ++i) {
      word |= std::uint64_t{bits.test(i)} << (i - first);
    }
    archive(to, word);
  }
}

template <class T>
void archive(Archive& to, const std::optional<T>& value);
template <class First, class Second>
void archive(Archive& to, const std::pair<First, Second>& value);
template <class... Kinds>
void archive(Archive& to, const std::variant<Kinds...>& value);
template <class T>
void archive(Archive& to, const std::unique_ptr<T>& object);
// A container tells its size first.
template <class Container>
requires requires(const Container& all) {
  all.begin();
  all.size();
}
void archive(Archive& to, const Container& all) {
  constexpr bool is_array = requires {
    std::tuple_size<Container>::value;
  };
  if constexpr (!is_array) archive(to, std::uint64_t{all.size()});
  using Element = std::remove_cvref_t<decltype(*all.begin())>;
  if constexpr (requires { all.data(); } && is_plain<Element>) {
    to.bytes(std::as_bytes(std::span(all.data(), all.size())));
  } else {
    for (const auto& element : all) archive(to, element);
  }
}
// In the order of its keys: the table's own depends on how it came to be.
template <class Key>
void archive(Archive& to, const std::unordered_set<Key>& all) {
  archive(to, std::set<Key>(all.begin(), all.end()));
}
template <class Key, class T>
void archive(Archive& to, const std::unordered_map<Key, T>& all) {
  std::vector<const std::pair<const Key, T>*> sorted;
  sorted.reserve(all.size());
  for (const auto& element : all) sorted.push_back(&element);
  std::ranges::sort(sorted, {}, [](const auto* element) { return element->first; });
  archive(to, std::uint64_t{all.size()});
  for (const auto* element : sorted) archive(to, *element);
}

template <class T>
void archive(Archive& to, const std::optional<T>& value) {
  archive(to, value.has_value());
  if (value) archive(to, *value);
}
template <class First, class Second>
void archive(Archive& to, const std::pair<First, Second>& value) {
  archive(to, value.first);
  archive(to, value.second);
}
template <class... Kinds>
void archive(Archive& to, const std::variant<Kinds...>& value) {
  archive(to, std::uint64_t{value.index()});
  std::visit([&](const auto& kind) { archive(to, kind); }, value);
}
template <class T>
void archive(Archive& to, const std::unique_ptr<T>& object) {
  archive(to, object != nullptr);
  if (object != nullptr) archive(to, *object);
}
// An object that others may have, too.
template <class T>
void archive(Archive& to, const std::shared_ptr<T>& shared) {
  const Archive::Object object = to.object(shared.get());
  archive(to, object.number);
  if (object.is_new) archive(to, *shared);
}
template <class T>
void archive(Archive& to, const std::weak_ptr<T>& weak) {
  archive(to, weak.lock());
}
// How many owners it has follows from who tells of it.
template <class T>
void archive(Archive& to, const Owner<T>& owner) {
  archive(to, owner.object());
}

template <class... Members>
void Archive::state(const Members&... members) {
  using hardclock::archive;
  (archive(*this, members), ...);
}

}  // namespace hardclock
