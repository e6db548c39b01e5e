// The arithmetic of a machine whose values are symbolic nodes: running an instruction's body on it
// records what the instruction reads, computes and writes. Symbolic values convert to nothing, so a
// body that decides something with a C++ `if` on a guest value does not compile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "sim/engine/trap.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

enum class NodeKind : std::uint8_t {
  constant,
  read_register,
  program_counter,
  load,
  call,
  add,
  sub,
  mul,
  and_,
  or_,
  xor_,
  shl,
  shr,
  sar,
  sext8,
  sext16,
  sext32,
  zext32,
  eq,
  ne,
  lt,
  ltu,
  select,
};

// One operation; operands are indices of earlier nodes, `immediate` is the constant, the resource,
// the load's size in bytes, or which result of a call this is.
struct Node {
  NodeKind kind;
  std::array<std::uint32_t, 4> operands{};
  std::uint64_t immediate = 0;
};

// What a body does besides computing, in order.
struct Effect {
  enum class Kind : std::uint8_t { write_register, store, branch, nullify, trap_if, trap };
  Kind kind;
  std::array<std::uint32_t, 2> nodes{};  // (value), (address, value), (condition, target)
  std::uint64_t immediate = 0;           // resource, size in bytes, or TrapKind
};

// A recording: the dataflow of one instruction.
struct Recording {
  std::vector<Node> nodes;
  std::vector<Effect> effects;

  std::vector<Resource> reads() const;   // ascending, each once
  std::vector<Resource> writes() const;  // ascending, each once
  bool has(Effect::Kind kind) const;
  // Whether an effect that has a condition comes whatever the values are.
  bool always(Effect::Kind kind) const;
  bool touches_memory() const;  // loads or stores
};

class SymbolicArithmetic {
 public:
  class Value {
   public:
    std::uint32_t node() const { return node_; }

    friend Value operator+(Value a, Value b) { return a.with(NodeKind::add, b); }
    friend Value operator-(Value a, Value b) { return a.with(NodeKind::sub, b); }
    friend Value operator*(Value a, Value b) { return a.with(NodeKind::mul, b); }
    friend Value operator&(Value a, Value b) { return a.with(NodeKind::and_, b); }
    friend Value operator|(Value a, Value b) { return a.with(NodeKind::or_, b); }
    friend Value operator^(Value a, Value b) { return a.with(NodeKind::xor_, b); }
    friend Value operator<<(Value a, Value b) { return a.with(NodeKind::shl, b); }
    friend Value operator>>(Value a, Value b) { return a.with(NodeKind::shr, b); }
    friend Value operator+(Value a, std::uint64_t b) { return a + a.number(b); }
    friend Value operator-(Value a, std::uint64_t b) { return a - a.number(b); }
    friend Value operator&(Value a, std::uint64_t b) { return a & a.number(b); }
    friend Value operator|(Value a, std::uint64_t b) { return a | a.number(b); }
    friend Value operator^(Value a, std::uint64_t b) { return a ^ a.number(b); }
    friend Value operator*(Value a, std::uint64_t b) { return a * a.number(b); }
    friend Value operator<<(Value a, std::uint64_t b) { return a << a.number(b); }
    friend Value operator>>(Value a, std::uint64_t b) { return a >> a.number(b); }
    friend Value operator~(Value a) { return a ^ ~std::uint64_t{0}; }

   private:
    friend class SymbolicArithmetic;
    Value(SymbolicArithmetic* machine, std::uint32_t node) : machine_(machine), node_(node) {}
    Value with(NodeKind kind, Value b) const {
      return Value(machine_, machine_->binary(kind, *this, b));
    }
    Value number(std::uint64_t value) const { return machine_->constant(value); }

    SymbolicArithmetic* machine_;
    std::uint32_t node_;
  };
  // A truth value; as unusable in a C++ condition as Value.
  class Flag {
   public:
    explicit Flag(Value value) : value_(value) {}
    Value value() const { return value_; }

   private:
    Value value_;
  };

  SymbolicArithmetic() = default;
  SymbolicArithmetic(const SymbolicArithmetic&) = delete;  // values point back here
  SymbolicArithmetic& operator=(const SymbolicArithmetic&) = delete;

  const Recording& recording() const { return recording_; }

  Value constant(std::uint64_t value) { return make(NodeKind::constant, {}, value); }
  Value sext8(Value v) { return make(NodeKind::sext8, {v.node()}); }
  Value sext16(Value v) { return make(NodeKind::sext16, {v.node()}); }
  Value sext32(Value v) { return make(NodeKind::sext32, {v.node()}); }
  Value zext32(Value v) { return make(NodeKind::zext32, {v.node()}); }
  Value sar(Value v, Value count) { return make(NodeKind::sar, {v.node(), count.node()}); }
  Value sar(Value v, std::uint64_t count) { return sar(v, constant(count)); }
  Flag eq(Value a, Value b) { return compare(NodeKind::eq, a, b); }
  Flag ne(Value a, Value b) { return compare(NodeKind::ne, a, b); }
  Flag lt(Value a, Value b) { return compare(NodeKind::lt, a, b); }
  Flag ltu(Value a, Value b) { return compare(NodeKind::ltu, a, b); }
  Flag eq(Value a, std::uint64_t b) { return eq(a, constant(b)); }
  Flag ne(Value a, std::uint64_t b) { return ne(a, constant(b)); }
  Flag lt(Value a, std::uint64_t b) { return lt(a, constant(b)); }
  Flag ltu(Value a, std::uint64_t b) { return ltu(a, constant(b)); }
  Flag lt(std::uint64_t a, Value b) { return lt(constant(a), b); }
  Flag not_(Flag f) { return eq(f.value(), std::uint64_t{0}); }
  Value select(Flag f, Value a, Value b) {
    return make(NodeKind::select, {f.value().node(), a.node(), b.node()});
  }
  Value bit(Flag f) { return f.value(); }

  // A call yields one value or an array of them, as the function does.
  template <class Result, class... Numbers, class... Values>
  auto call(Result (*)(Numbers...), Values... values) {
    static_assert(sizeof...(Numbers) == sizeof...(Values));
    static_assert(sizeof...(Values) <= std::tuple_size_v<decltype(Node::operands)>);
    return call_results(static_cast<Result*>(nullptr), {values...});
  }

 protected:
  Value read_register(Resource r) { return make(NodeKind::read_register, {}, r); }
  void write_register(Resource r, Value v) { act(Effect::Kind::write_register, {v.node()}, r); }
  Value read_pc() { return make(NodeKind::program_counter, {}); }
  Value load(unsigned bytes, Value address) {
    return make(NodeKind::load, {address.node()}, bytes);
  }
  void store(unsigned bytes, Value address, Value value) {
    act(Effect::Kind::store, {address.node(), value.node()}, bytes);
  }
  void branch(Value condition, Value target) {
    act(Effect::Kind::branch, {condition.node(), target.node()});
  }
  void nullify(Value condition) { act(Effect::Kind::nullify, {condition.node()}); }
  void trap_when(Value condition, TrapKind kind) {
    act(Effect::Kind::trap_if, {condition.node()}, static_cast<std::uint64_t>(kind));
  }
  void trap_always(TrapKind kind) { act(Effect::Kind::trap, {}, static_cast<std::uint64_t>(kind)); }

 private:
  Value make(NodeKind kind, std::array<std::uint32_t, 4> operands, std::uint64_t immediate = 0) {
    recording_.nodes.push_back(Node{kind, operands, immediate});
    return Value(this, static_cast<std::uint32_t>(recording_.nodes.size() - 1));
  }
  void act(Effect::Kind kind, std::array<std::uint32_t, 2> nodes, std::uint64_t immediate = 0) {
    recording_.effects.push_back(Effect{kind, nodes, immediate});
  }
  std::uint32_t binary(NodeKind kind, Value a, Value b) {
    return make(kind, {a.node(), b.node()}).node();
  }
  Flag compare(NodeKind kind, Value a, Value b) { return Flag(make(kind, {a.node(), b.node()})); }
  Value call_results(std::uint64_t*, std::initializer_list<Value> arguments) {
    return call_result(arguments, 0);
  }
  template <std::size_t N>
  std::array<Value, N> call_results(std::array<std::uint64_t, N>*,
                                    std::initializer_list<Value> arguments) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<Value, N>{call_result(arguments, I)...};
    }
    (std::make_index_sequence<N>{});
  }
  Value call_result(std::initializer_list<Value> arguments, std::uint64_t index) {
    std::array<std::uint32_t, 4> operands{};
    std::size_t i = 0;
    for (const Value& argument : arguments) operands[i++] = argument.node();
    return make(NodeKind::call, operands, index);
  }

  Recording recording_;
};

}  // namespace hardclock
