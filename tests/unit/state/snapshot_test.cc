// What is saved comes back: values, and who knows whom.
#include "sim/state/snapshot.h"

#include <gtest/gtest.h>

#include <bitset>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/owner.h"
#include "sim/base/units.h"
#include "sim/state/archive.h"

namespace hardclock {
namespace {

template <class T>
T loaded(T saved) {
  Saver saver;
  saver.state(saved);
  const Snapshot snapshot = saver.take();
  Loader loader(snapshot);
  T back{};
  loader.state(back);
  EXPECT_TRUE(loader.is_at_end());
  return back;
}

template <class T>
void expect_same(const T& value) {
  EXPECT_EQ(loaded(value), value);
}

TEST(Snapshot, HasValues) {
  expect_same(true);
  expect_same(std::int16_t{-3});
  expect_same(Cycles(1) + Cycles(std::uint64_t{1} << 63));
  expect_same(std::string("a\0b", 3));
  expect_same(std::vector<std::string>{"", "one", "two"});
  expect_same(std::deque<std::uint8_t>{1, 2, 3});
  expect_same(std::map<int, std::string>{{-1, "a"}, {7, "b"}});
  expect_same(std::unordered_map<std::uint64_t, int>{{1, 2}, {3, 4}});
  expect_same(std::unordered_set<std::uint64_t>{5, 6, 7});
  expect_same(std::optional<int>());
  expect_same(std::optional<std::string>("x"));
  expect_same(std::pair<int, std::optional<bool>>(1, false));
  expect_same(std::variant<int, std::string>("second"));
  expect_same(std::array<std::uint32_t, 3>{1, 2, 3});
  expect_same(std::bitset<130>().set(0).set(64).set(129));
}

// What was there before does not stay.
TEST(Snapshot, ReplacesWhatThereIs) {
  Saver saver;
  std::vector<std::string> few = {"one"};
  std::optional<int> none;
  saver.state(few, none);
  const Snapshot snapshot = saver.take();
  std::vector<std::string> many = {"a", "b", "c"};
  std::optional<int> some = 5;
  Loader(snapshot).state(many, some);
  EXPECT_EQ(many, few);
  EXPECT_EQ(some, none);
}

struct Node : Owned {
  int value = 0;
  std::shared_ptr<Node> other;
  std::weak_ptr<Node> back;
  void archive(Archive& to) { to.state(value, other, back); }
};

TEST(Snapshot, HasTheSameObjectsInTwoPlaces) {
  const auto one = std::make_shared<Node>();
  one->value = 1;
  one->other = std::make_shared<Node>();
  one->other->back = one;
  const auto [first, second] = loaded(std::pair(one, one));
  EXPECT_EQ(first, second);
  EXPECT_NE(first, one);
  EXPECT_EQ(first->value, 1);
  EXPECT_EQ(first->other->back.lock(), first);
}

// They are counted as state, so they are as many as before.
TEST(Snapshot, HasOwners) {
  const Owner<Node> one = std::make_shared<Node>();
  const auto owners = loaded(std::vector<Owner<Node>>{one, one, nullptr});
  EXPECT_EQ(owners[0]->owners(), 2U);
  EXPECT_EQ(owners[0], owners[1]);
  EXPECT_EQ(owners[2], nullptr);
}

struct Animal {
  using StateRoot = Animal;
  virtual ~Animal() = default;
  virtual void archive(Archive& to) = 0;
  virtual Blank<Animal> blank() const = 0;
};
struct Dog final : Animal {
  int legs = 0;
  void archive(Archive& to) override { to.state(legs); }
  Blank<Animal> blank() const override { return blank_of<Dog>(); }
};

TEST(Snapshot, HasObjectsOfTheirClass) {
  const auto dog = std::make_shared<Dog>();
  dog->legs = 3;
  // One place knows more of it than the other.
  const auto [animal, again] =
      loaded(std::pair<std::shared_ptr<Animal>, std::shared_ptr<Dog>>(dog, dog));
  EXPECT_EQ(animal, again);
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(again->legs, 3);
}

TEST(Snapshot, KeepsWhatNeverChanges) {
  const auto text = std::make_shared<const std::string>("the same");
  EXPECT_EQ(loaded(text), text);
}

struct Unsaved {
  void archive(Archive& to) { to.refuse("a thing of the host's"); }
};

TEST(Snapshot, SaysWhatCannotBeSaved) {
  Saver saver;
  Unsaved thing;
  saver.state(thing, thing);
  EXPECT_EQ(saver.refused(), "a thing of the host's");
}

}  // namespace
}  // namespace hardclock
