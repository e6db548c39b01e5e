// How an Archive goes through values, containers, and objects behind pointers.
#pragma once

#include "sim/state/archive_class.h"

namespace hardclock {

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
void archive(Archive& to, T& value) {
  to.bytes(std::as_writable_bytes(std::span(&value, 1)));
}

template <class T>
T Archive::value(T value) {
  static_assert(is_plain<T>);
  hardclock::archive(*this, value);
  return value;
}

template <class T>
concept HasArchive = requires(T& object, Archive& to) {
  object.archive(to);
};
template <HasArchive T>
void archive(Archive& to, T& object) {
  object.archive(to);
}

// All members of such a class are state. It says how many, in `state_members`, which the compiler
// compares with how many there are.
template <class T>
requires requires {
  T::state_members;
}
void archive(Archive& to, T& object) {
  constexpr std::size_t members = T::state_members;
  if constexpr (members == 1) {
    auto& [a] = object;
    to.state(a);
  } else if constexpr (members == 2) {
    auto& [a, b] = object;
    to.state(a, b);
  } else if constexpr (members == 3) {
    auto& [a, b, c] = object;
    to.state(a, b, c);
  } else if constexpr (members == 4) {
    auto& [a, b, c, d] = object;
    to.state(a, b, c, d);
  } else if constexpr (members == 5) {
    auto& [a, b, c, d, e] = object;
    to.state(a, b, c, d, e);
  } else if constexpr (members == 6) {
    auto& [a, b, c, d, e, f] = object;
    to.state(a, b, c, d, e, f);
  } else if constexpr (members == 7) {
    auto& [a, b, c, d, e, f, g] = object;
    to.state(a, b, c, d, e, f, g);
  } else if constexpr (members == 8) {
    auto& [a, b, c, d, e, f, g, h] = object;
    to.state(a, b, c, d, e, f, g, h);
  } else if constexpr (members == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = object;
    to.state(a, b, c, d, e, f, g, h, i);
  } else if constexpr (members == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = object;
    to.state(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (members == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = object;
    to.state(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (members == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = object;
    to.state(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (members == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = object;
    to.state(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (members == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = object;
    to.state(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else {
    static_assert(members == 1, "one more case, please");
  }
}

template <std::size_t size>
void archive(Archive& to, std::bitset<size>& bits) {
  for (std::size_t first = 0; first < size; first += 64) {
    std::uint64_t word = 0;
    const std::size_t end = std::min(size, first + 64);
    for (std::size_t i = first; i < end; ++i) word |= std::uint64_t{bits.test(i)} << (i - first);
    word = to.value(word);
    for (std::size_t i = first; i < end; ++i) bits.set(i, (word >> (i - first) & 1) != 0);
  }
}

// A new object whose state is to be loaded. A class without a default constructor has one that
// takes the loader, or `static std::shared_ptr<T> blank(Archive&)`. One with virtual functions that
// others know as a `StateRoot` has `virtual Blank<StateRoot> blank() const`, which tells how the
// like of it is made; null: it is not, and archive() refuses.
template <class Root>
using Blank = std::unique_ptr<Root> (*)(Archive&);
template <class T>
T fresh(Archive& to) {
  if constexpr (requires { T(); }) {
    return T();
  } else {
    return T(to);
  }
}
template <class T>
std::shared_ptr<T> fresh_shared(Archive& to) {
  if constexpr (requires {
                  { T::blank(to) } -> std::same_as<std::shared_ptr<T>>;
                }) {
    return T::blank(to);
  } else if constexpr (requires { T(); }) {
    return std::make_shared<T>();
  } else {
    return std::make_shared<T>(to);
  }
}
template <class T>
concept HasStateRoot = requires {
  typename T::StateRoot;
};
// The object's class is the function that makes a new one.
template <HasStateRoot T>
void tell_class(Archive& to, const T& object) {
  if (!to.is_digest()) (void)to.value(reinterpret_cast<std::uintptr_t>(object.blank()));
}
template <HasStateRoot T>
std::unique_ptr<typename T::StateRoot> new_of_class(Archive& from) {
  const auto make = from.value(std::uintptr_t{0});
  return reinterpret_cast<Blank<typename T::StateRoot>>(make)(from);
}
// For blank(): T has a default constructor, or one that takes the loader.
template <class T>
Blank<typename T::StateRoot> blank_of() {
  return [](Archive& from) -> std::unique_ptr<typename T::StateRoot> {
    if constexpr (requires { T(); }) {
      return std::make_unique<T>();
    } else {
      return std::make_unique<T>(from);
    }
  };
}

template <class T>
void archive(Archive& to, std::optional<T>& value);
template <class First, class Second>
void archive(Archive& to, std::pair<First, Second>& value);
template <class... Kinds>
void archive(Archive& to, std::variant<Kinds...>& value);
template <class T>
void archive(Archive& to, std::unique_ptr<T>& object);
template <class T>
void archive(Archive& to, std::shared_ptr<T>& shared);
template <class T>
void archive(Archive& to, std::weak_ptr<T>& weak);
template <class T>
void archive(Archive& to, Owner<T>& owner);

template <class T>
inline constexpr bool is_map = requires {
  typename T::mapped_type;
};
template <class T>
inline constexpr bool is_keyed = requires {
  typename T::key_type;
};

template <class Container>
void load_elements(Archive& from, Container& all, std::uint64_t size) {
  all.clear();
  for (std::uint64_t i = 0; i < size; ++i) {
    if constexpr (is_map<Container>) {
      auto key = fresh<typename Container::key_type>(from);
      from.state(key);
      auto value = fresh<typename Container::mapped_type>(from);
      from.state(value);
      all.emplace(std::move(key), std::move(value));
    } else if constexpr (is_keyed<Container>) {
      auto key = fresh<typename Container::key_type>(from);
      from.state(key);
      all.insert(std::move(key));
    } else {
      all.push_back(fresh<typename Container::value_type>(from));
      from.state(all.back());
    }
  }
}

// A container tells its size first.
template <class Container>
requires requires(const Container& all) {
  all.begin();
  all.size();
}
void archive(Archive& to, Container& all) {
  constexpr bool is_fixed = requires {
    std::tuple_size<Container>::value;
  };
  using Element = std::remove_cvref_t<decltype(*all.begin())>;
  constexpr bool is_bytes = requires {
    all.data();
  }
  &&is_plain<Element>;
  if constexpr (is_fixed) {
    if constexpr (is_bytes) {
      to.bytes(std::as_writable_bytes(std::span(all.data(), all.size())));
    } else {
      for (auto& element : all) archive(to, element);
    }
  } else {
    const auto size = to.value(std::uint64_t{all.size()});
    if constexpr (is_bytes) {
      if (to.loads()) all.resize(size);
      to.bytes(std::as_writable_bytes(std::span(all.data(), all.size())));
    } else if (to.loads()) {
      load_elements(to, all, size);
    } else if constexpr (is_map<Container>) {
      for (auto& [key, value] : all) {
        auto told = key;
        to.state(told, value);
      }
    } else if constexpr (is_keyed<Container>) {
      for (auto told : all) archive(to, told);
    } else {
      for (auto& element : all) archive(to, element);
    }
  }
}
// In the order of its keys: the table's own depends on how it came to be.
template <class Key>
void archive(Archive& to, std::unordered_set<Key>& all) {
  std::set<Key> sorted(all.begin(), all.end());
  archive(to, sorted);
  if (to.loads()) all = std::unordered_set<Key>(sorted.begin(), sorted.end());
}
template <class Key, class T>
void archive(Archive& to, std::unordered_map<Key, T>& all) {
  const auto size = to.value(std::uint64_t{all.size()});
  if (to.loads()) return load_elements(to, all, size);
  std::vector<std::pair<const Key, T>*> sorted;
  sorted.reserve(all.size());
  for (auto& element : all) sorted.push_back(&element);
  std::ranges::sort(sorted, {}, [](const auto* element) { return element->first; });
  for (auto* element : sorted) {
    auto key = element->first;
    to.state(key, element->second);
  }
}

template <class T>
void archive(Archive& to, std::optional<T>& value) {
  const bool has_value = to.value(value.has_value());
  if (to.loads()) {
    value.reset();
    if (has_value) value.emplace(fresh<T>(to));
  }
  if (has_value) archive(to, *value);
}
template <class First, class Second>
void archive(Archive& to, std::pair<First, Second>& value) {
  archive(to, value.first);
  archive(to, value.second);
}
template <class... Kinds>
void archive(Archive& to, std::variant<Kinds...>& value) {
  const auto index = to.value(std::uint64_t{value.index()});
  if (to.loads()) {
    std::uint64_t i = 0;
    ((i++ == index ? void(value.template emplace<Kinds>(fresh<Kinds>(to))) : void()), ...);
  }
  std::visit([&](auto& kind) { archive(to, kind); }, value);
}
template <class T>
void archive(Archive& to, std::unique_ptr<T>& object) {
  const bool exists = to.value(object != nullptr);
  if (to.loads()) object.reset();
  if (!exists) return;
  if constexpr (HasStateRoot<T>) {
    static_assert(std::is_same_v<T, typename T::StateRoot>);
    if (to.loads()) {
      object = new_of_class<T>(to);
    } else {
      tell_class(to, *object);
    }
  } else if constexpr (requires { T(); }) {
    if (to.loads()) object = std::make_unique<T>();
  } else {
    if (to.loads()) object = std::make_unique<T>(to);
  }
  archive(to, *object);
}
// An object that others may have, too. What is const never changes.
template <class T>
void archive(Archive& to, std::shared_ptr<T>& shared) {
  if constexpr (std::is_const_v<T>) {
    if (!to.is_digest()) return to.kept(shared);
    const Archive::Object object = to.object(shared.get());
    (void)to.value(object.number);
    if (object.is_new) archive(to, const_cast<std::remove_const_t<T>&>(*shared));
  } else {
    if (to.loads()) {
      const auto number = to.value(std::uint64_t{0});
      shared = to.find<T>(number);
      if (number == 0 || shared != nullptr) return;
      if constexpr (HasStateRoot<T>) {
        shared = std::dynamic_pointer_cast<T>(
            std::shared_ptr<typename T::StateRoot>(new_of_class<T>(to)));
      } else {
        shared = fresh_shared<T>(to);
      }
      to.add(number, shared);
      return archive(to, *shared);
    }
    const Archive::Object object = to.object(shared.get());
    (void)to.value(object.number);
    if (!object.is_new) return;
    if constexpr (HasStateRoot<T>) tell_class(to, *shared);
    archive(to, *shared);
  }
}
template <class T>
void archive(Archive& to, std::weak_ptr<T>& weak) {
  auto shared = weak.lock();
  archive(to, shared);
  if (to.loads()) weak = shared;
}
// Of those that live, in their order.
template <class T>
void archive_living(Archive& to, std::deque<std::weak_ptr<T>>& all) {
  std::vector<std::shared_ptr<T>> living;
  for (const auto& weak : all) {
    if (auto object = weak.lock()) living.push_back(std::move(object));
  }
  archive(to, living);
  if (to.loads()) all.assign(living.begin(), living.end());
}
// How many owners it has follows from who tells of it.
template <class T>
void archive(Archive& to, Owner<T>& owner) {
  auto object = owner.object();
  archive(to, object);
  if (to.loads()) owner = Owner<T>(std::move(object));
}

template <class... Members>
void Archive::state(Members&... members) {
  using hardclock::archive;
  (archive(*this, members), ...);
}

}  // namespace hardclock
