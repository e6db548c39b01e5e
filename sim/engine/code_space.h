// What an engine has made of a program's code. All of it is derived from memory and may be made
// anew at any moment: no result depends on it.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/engine/block_cache.h"
#include "sim/engine/code_pool.h"
#include "sim/memory/address_space.h"
#include "sim/recording/recording.h"
#include "sim/translator/translator.h"

namespace hardclock {

template <class Isa>
struct CodeSpace {
  CodeSpace(AddressSpace& memory, std::shared_ptr<CodeStore<Isa>> store)
      : pool(CodePool<Isa>::of(memory.budget()->caches(), store)),
        blocks(memory, std::move(store)) {}

  std::shared_ptr<CodePool<Isa>> pool;
  std::optional<ProgramKey> program;  // for the pool; unknown before the first run
  BlockCache<Isa> blocks;
  bool runs_blocks = true;                 // false: instructions are stepped
  bool has_changed = false;                // since the last run began
  typename Isa::Interpreter::Op stepped;   // the instruction that is stepped
  std::unique_ptr<Translator> translator;  // null: blocks are interpreted
  const FlatTable* flat = nullptr;         // where code looks for memory; null: unchecked()
  AccessTable no_hits{page_shift, 1};
  BlockSource source;                 // of the block that is translated
  std::vector<Recording> recordings;  // of its instructions
};

}  // namespace hardclock
