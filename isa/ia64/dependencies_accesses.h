// What one instruction reads and writes, by the resources between which an instruction group must
// have no dependency.
// Source: "Intel Itanium Architecture Software Developer's Manual", revision 2.3 (here: SDM),
// volume 1, section 3.4, and volume 3, chapter 5: tables 5-2 (read after write), 5-3 (write after
// write), 5-4 (write after read) and 5-5 (classes of instructions).
//
// Of the tables' resources, these are those of a program: what only the kernel can write is not
// here, nor are the IP, the ALAT and memory, for which a group may have any dependency.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/ia64/isa.h"
#include "isa/ia64/resources.h"

namespace hardclock::ia64::dependencies {

// A resource. The registers that pipelines know have their numbers (resources.h); behind them come
// parts of registers and what has no number there.
using Item = std::uint16_t;
constexpr Item fpsr_controls(unsigned sf) { return static_cast<Item>(640 + sf); }
constexpr Item fpsr_flags(unsigned sf) { return static_cast<Item>(644 + sf); }
inline constexpr Item fpsr_traps = 648;
inline constexpr Item status_ac = 649, status_be = 650, status_up = 651, status_mfl = 652,
                      status_mfh = 653, status_cpl = 654;
// CFM is in two parts: loop branches change only what renames registers, and of the registers only
// those that rotate read it.
inline constexpr Item frame_marker = 655, rename_bases = 656;
inline constexpr Item register_stack_engine = 657;
constexpr Item unat_bit(unsigned n) { return static_cast<Item>(658 + n); }
constexpr Item ignored_ar(unsigned n) { return static_cast<Item>(722 + n); }
inline constexpr std::size_t item_count = 722 + 128;

// As assembly writes it: "r14", "p6", "ar.fpsr.sf0.flags".
std::string name_of(Item item);

// Writes that may meet in one group, if both are of the same kind.
enum class Merging : std::uint8_t {
  none,
  and_compare,  // .and, .andcm, and the second target of .or.andcm
  or_compare,   // .or, .orcm, and the first target of .or.andcm
  sticky,       // flags of a status field, psr.mfl and psr.mfh: set by whoever sets them
};

struct Write {
  Item item = 0;
  Merging merging = Merging::none;
  bool reaches_branches = false;  // a branch of the same group may read it
  bool reaches_all = false;       // every instruction of the same group may
};

struct Read {
  Item item = 0;
  bool by_branch = false;  // in the sense of Write::reaches_branches
};

// How an instruction uses the bit of ar.unat that the address in a general register chooses.
enum class UnatBit : std::uint8_t { unused, read, written };

struct Accesses {
  bool is_predicated = false;
  bool is_branch = false;  // to whose qualifying predicate a compare of the same group may lead
  std::uint8_t predicate = 0;
  // Without its predicate an instruction reads that and writes what is in `always_written`.
  std::vector<Read> reads;
  std::vector<Write> writes;
  std::vector<Write> always_written;
  UnatBit unat = UnatBit::unused;
  std::uint8_t unat_address = 0;  // a general register
  // The least of the general registers from r32 up that it names; 255: none.
  std::uint8_t least_stacked = 255;
  // br.ctop, br.cexit, br.wtop, br.wexit: its predicate does not decide what it reads and writes.
  bool is_loop_branch = false;
  // With its predicate it is the last instruction of its group: it traps or always branches.
  bool ends_group = false;
};

// Of a slot that is not the second of a long instruction.
Accesses accesses_of(const SlotText& text);

}  // namespace hardclock::ia64::dependencies
