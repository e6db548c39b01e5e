// What engines have made of the code of programs that have ended, for processes that run the same
// ones. A part of engine.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sim/base/units.h"
#include "sim/engine/block_cache.h"
#include "sim/engine/cached_memory.h"
#include "sim/memory/cache_budget.h"
#include "sim/timing/pipeline_clock.h"
#include "sim/translator/translator.h"

namespace hardclock {

// Whose code may be of use to whom. That the program is the same one is a guess: each block's text
// is compared before it runs.
struct ProgramKey {
  std::string file;  // the first that is mapped, and where
  GuestAddr start;
  const Pipeline* pipeline = nullptr;
  const MachineMemory* machine = nullptr;  // null: without caches
  bool has_flat_table = false;

  bool operator==(const ProgramKey&) const = default;
};

template <class Isa>
struct PooledCode {
  ProgramKey program;
  BlockCache<Isa> blocks;
  std::unique_ptr<Translator> translator;
  PipelineClock::Known timings;  // of the blocks

  std::uint64_t bytes() const {
    return blocks.bytes_kept() + translator->bytes() + timings.bytes();
  }
};

// That of all processors of one kind.
template <class Isa>
class CodePool final : public CacheBudget::Keeper {
 public:
  using Store = std::shared_ptr<const CodeStore<Isa>>;

  CodePool(CacheBudget& budget, Store store) : Keeper(budget), store_(std::move(store)) {}
  // The one of a simulation, as long as anybody has it.
  static std::shared_ptr<CodePool> of(CacheBudget& budget, const Store& store) {
    return budget.common<CodePool>([&](const CodePool& pool) { return pool.store_ == store; },
                                   [&] { return std::make_shared<CodePool>(budget, store); });
  }

  void add(PooledCode<Isa> code) {
    use();
    if (all_.size() == most) all_.erase(all_.begin());
    all_.push_back(std::move(code));
    account();
  }
  // Nothing: there is none of that program.
  std::optional<PooledCode<Isa>> take(const ProgramKey& program) {
    const auto suits = [&](const PooledCode<Isa>& code) { return code.program == program; };
    const auto last = std::find_if(all_.rbegin(), all_.rend(), suits);
    if (last == all_.rend()) return std::nullopt;
    std::optional<PooledCode<Isa>> taken(std::move(*last));
    all_.erase(std::next(last).base());
    account();
    return taken;
  }

 private:
  // A compiler is some five programs, of which a build runs others in between.
  static constexpr std::size_t most = 16;

  void account() {
    std::uint64_t bytes = 0;
    for (const PooledCode<Isa>& each : all_) bytes += each.bytes();
    keep(bytes);
  }
  void forget() override {
    all_.clear();
    account();
  }

  Store store_;
  std::list<PooledCode<Isa>> all_;  // the one that came last is the last
};

}  // namespace hardclock
