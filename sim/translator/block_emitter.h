// Makes x86-64 code of one block.
//
// In the code, guest registers lie in the ISA's Registers, a hot few in host registers ("pinned"),
// at every boundary of instructions. So each boundary is an exit that needs no description but its
// number. What is rare leaves the code before the instruction that is rare, and the interpreter
// does it.
#pragma once

#include <asmjit/x86.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/translator/block_source.h"
#include "sim/translator/translator.h"

namespace hardclock {

// What every translation can call or jump to; of the processor that it belongs to.
struct CommonCode {
  std::uint64_t leave = 0;    // with the exit's number in eax
  std::uint64_t access = 0;   // address in rax, AccessSite in rcx: rax, and the zero flag of it
  std::uint64_t run_one = 0;  // op in rsi, pc in rdx, index in ecx: eax, and the zero flag of it
  // Address of the line in rax, AccessSite in rcx: the zero flag, if the code has to be left.
  std::uint64_t fetch = 0;
  // The same, of sites that may be plain.
  std::uint64_t plain_load = 0, plain_store = 0, plain_fetch = 0;
  std::uint64_t predict = 0;  // pc in rsi, PredictedBranch in edx: the zero flag, unless overruled
  std::uint64_t implicit_access =
      0;  // ImplicitAccessSite in rax: the zero flag, if the code has to be left
  // When a block has been charged for which there is no time: the number of its exit in eax, in edx
  // what it may take longer, in esi what of the charge comes behind the last issue. The zero flag,
  // if the code has to be left. It changes the temporaries.
  std::uint64_t note_moment = 0;
  // Exit in eax: the zero flag, if the block that runs is the last one that was noted.
  std::uint64_t is_noted = 0;
};

// A block's code is in two sections: what runs often, which begins with its entry, and what rarely
// does. They may lie anywhere in the same memory.
struct CodePlace {
  std::uint32_t offset = 0;  // in its section
  bool is_rare = false;      // that section
};
// Its name.
inline constexpr char rare_section[] = ".rare";

// An exit as the code knows it; Translator::Exit says what the kinds mean.
struct EmittedExit {
  Translator::Exit::Kind kind = Translator::Exit::Kind::edge;
  BlockExit way = BlockExit::straight;
  std::uint32_t index = 0;
  bool in_slot = false;
  std::uint64_t target = 0;
  // Of an edge, its jump's 32-bit displacement; of a slow exit, the sets that have edges, whose
  // exits follow it.
  std::optional<CodePlace> jump{};
};

struct EmittedBlock {
  // A jump to, or call of, CommonCode: its displacement is written when it has a place.
  struct ToCommon {
    CodePlace displacement;
    std::uint64_t target = 0;
  };

  std::vector<EmittedExit> exits;
  std::vector<ToCommon> to_common;
  CodePlace gone;                      // what a retired block jumps to
  bool computes_with_numbers = false;  // whether it reads pinned floating-point registers
  std::size_t interpreted = 0;         // instructions that always run on the interpreter
};

// Where executions of the edge with this number, among the block's exits, are counted.
using Counters = std::function<std::uint64_t*(std::size_t exit)>;

// Emits into the assembler's code, whose first byte is where the block is entered. Exits get the
// numbers from `first_exit` on. False: the block is one for the interpreter.
bool emit_block(asmjit::x86::Assembler& assembler, const BlockSource& source, const GuestMode& mode,
                const CommonCode& common, std::uint32_t first_exit, const Counters& counters,
                EmittedBlock& emitted);

// Emits the way into translated code and the code of CommonCode. The function that `enter` labels
// is void(HostFrame*, const void* code).
struct CommonLabels {
  asmjit::Label enter, leave, access, run_one, fetch, plain_load, plain_store, plain_fetch, predict,
      implicit_access, note_moment, is_noted;
};
CommonLabels emit_common(asmjit::x86::Assembler& assembler, const GuestMode& mode);

}  // namespace hardclock
