#include "sim/translator/plain_code.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/memory/access_table.h"
#include "sim/memory/page.h"
#include "sim/timing/cache.h"
#include "sim/translator/host_frame.h"
#include "sim/translator/host_registers.h"
#include "sim/translator/plain_memory.h"

namespace hardclock {
namespace {

using asmjit::Label;
using namespace host;

constexpr unsigned word_bits = 3;  // of the tables' entries
constexpr unsigned cycles_shift = std::countr_zero(RunBudget::cycles(1));

const CacheDescription& cache_of(const MemoryDescription& memory, CacheSide side) {
  return side == CacheSide::fetch ? memory.l1i : memory.l1d;
}

class PlainEmitter {
 public:
  PlainEmitter(x86::Assembler& assembler, const GuestMode& mode, CacheSide side, bool is_store)
      : a_(assembler),
        side_(side),
        is_store_(is_store),
        memory_(*mode.memory),
        l1_(cache_of(memory_, side)),
        l2_(memory_.l2),
        has_ways_(l1_.ways == 2),
        l2_takes_victims_(l2_.present() && l2_.policy == WritePolicy::write_back),
        notes_waits_(mode.notes_waits) {
    if (has_ways_ || !l2_takes_victims_ || notes_waits_) saved_.push_back(wait_);
    if (!l2_takes_victims_ || notes_waits_) saved_.push_back(time_);
  }

  void emit(const Label& otherwise) {
    save();
    find_page();
    find_in_l1();
    if (l2_.present()) find_in_l2();
    make_room();
    count();
    if (has_ways_) {
      forget_victim();
      put_into_first_way();
    } else {
      put_into_l1();
    }
    a_.bind(hits_);
    remember_line();
    remember_piece();
    if (side_ == CacheSide::data)
      remember_access();
    else
      remember_fetch();
    restore();
    a_.ret();
    a_.bind(declined_);
    restore();
    a_.mov(scratch_, below(saved_.size()));
    a_.jmp(otherwise);
  }

 private:
  // ---- Registers. What is saved lies below the stack, where nobody else writes as long as no
  // function is called.
  x86::Mem below(std::size_t i) const { return on_stack(-8 * (static_cast<std::int32_t>(i) + 1)); }
  void save() {
    for (std::size_t i = 0; i < saved_.size(); ++i) a_.mov(below(i), saved_[i]);
    a_.mov(below(saved_.size()), scratch_);
  }
  void restore() {
    for (std::size_t i = 0; i < saved_.size(); ++i) a_.mov(saved_[i], below(i));
  }
  static x86::Mem at(const x86::Gp& base, std::size_t offset) {
    return x86::ptr(base, static_cast<std::int32_t>(offset), 8);
  }
  // What lies at `place`, an offset in a table of words, in a table with entries of 2^`scale`
  // words.
  static x86::Mem in_table(const x86::Gp& table, const x86::Gp& place, std::uint32_t scale = 0,
                           std::size_t offset = 0) {
    return x86::ptr(table, place, scale, static_cast<std::int32_t>(offset), 8);
  }
  x86::Mem in_side(std::size_t offset) const {
    return at(tables_, static_cast<std::size_t>(side_) * sizeof(PlainSide) + offset);
  }
  x86::Mem in_caches(std::size_t offset) const {
    return in_side(offsetof(PlainSide, caches) + offset);
  }

  // `reg` has an address: it becomes the offset of its set's word, or of one of a whole number of
  // such tables.
  void find_set(const x86::Gp& reg, const CacheDescription& cache, std::uint32_t tables = 1) {
    const auto line_bits = static_cast<unsigned>(std::countr_zero(cache.line));
    if (line_bits > word_bits)
      a_.shr(reg.r32(), line_bits - word_bits);
    else if (line_bits < word_bits)
      a_.shl(reg.r32(), word_bits - line_bits);
    a_.and_(reg.r32(), static_cast<std::int32_t>((cache.sets() * tables - 1) << word_bits));
  }
  static std::int32_t line_mask(const CacheDescription& cache) {
    return -static_cast<std::int32_t>(cache.line);
  }

  void find_page() {
    a_.mov(tables_, on_stack(frame_slot + 8));
    a_.cmp(in_frame(tables_, &HostFrame::slow), 0);
    a_.jne(declined_);
    a_.mov(tables_, in_frame(tables_, &HostFrame::plain_sides));
    a_.test(tables_, tables_);
    a_.jz(declined_);
    a_.cmp(in_side(offsetof(PlainSide, lines)), 0);
    a_.je(declined_);
    if (side_ == CacheSide::data) {
      a_.and_(x86::ecx, AccessSite::size_mask);
      a_.bzhi(line_, address_, scratch_);
      a_.jnz(declined_);
    }
    a_.mov(line_, address_);
    a_.shr(line_, page_shift);
    a_.mov(page_.r32(), line_.r32());
    a_.and_(page_.r32(), cached_pages - 1);
    a_.shl(page_.r32(), std::countr_zero(sizeof(CachedPage)));
    a_.add(page_, in_side(offsetof(PlainSide, pages)));
    a_.cmp(line_, at(page_, offsetof(CachedPage, plain) + (is_store_ ? 8 : 0)));
    a_.jne(declined_);
    a_.mov(line_.r32(), address_.r32());
    a_.and_(line_.r32(), static_cast<std::int32_t>(page_mask) & line_mask(l1_));
    a_.or_(line_, at(page_, offsetof(CachedPage, physical)));
  }

  void find_in_l1() {
    a_.mov(set_.r32(), line_.r32());
    find_set(set_, l1_);
    for (std::size_t way = 0; way < l1_.ways; ++way) {
      a_.mov(scratch_, in_caches(offsetof(MemorySystem::PlainParts, l1)));
      a_.mov(old_, in_l1(way));
      a_.lea(scratch_, at(line_, Cache::valid_bit));
      a_.xor_(scratch_, old_);
      a_.test(scratch_, ~static_cast<std::int32_t>(Cache::dirty_bit));
      if (is_store_)
        hit_store(way);
      else
        a_.jz(hits_);
    }
  }
  void hit_store(std::size_t way) {
    const Label is_other = a_.newLabel();
    a_.jnz(is_other);
    a_.mov(scratch_, in_caches(offsetof(MemorySystem::PlainParts, l1)));
    a_.or_(in_l1(way), Cache::dirty_bit);
    a_.jmp(hits_);
    a_.bind(is_other);
  }
  // The entry in the set; scratch_ is the table.
  x86::Mem in_l1(std::size_t way) const {
    return in_table(scratch_, set_, has_ways_ ? 1 : 0, 8 * way);
  }

  // scratch_ has an address: it becomes where l2's entry of its set is.
  void find_l2_entry() {
    find_set(scratch_, l2_);
    a_.add(scratch_, in_caches(offsetof(MemorySystem::PlainParts, l2)));
  }
  // Of an entry of l2 and one of l1, the bits that differ if they are of different lines.
  std::int32_t differing() const {
    return line_mask(l2_) | static_cast<std::int32_t>(Cache::valid_bit);
  }
  void find_in_l2() {
    a_.mov(scratch_.r32(), line_.r32());
    find_l2_entry();
    a_.mov(scratch_, at(scratch_, 0));
    a_.xor_(scratch_, line_);
    a_.and_(scratch_, differing());
    a_.cmp(scratch_, Cache::valid_bit);
    a_.jne(declined_);
  }

  // What leaves l1, in old_, goes to l2 or to memory. What has been fetched is never dirty.
  void make_room() {
    if (!l2_takes_victims_) find_wait();
    if (side_ == CacheSide::fetch) return wait(false);
    const Label is_clean = a_.newLabel(), has_room = a_.newLabel();
    a_.test(old_.r8(), Cache::dirty_bit);
    a_.jz(is_clean);
    if (l2_takes_victims_)
      write_back_to_l2();
    else
      write_back_to_memory();
    a_.mov(scratch_, in_caches(offsetof(MemorySystem::PlainParts, l1_counts)));
    a_.inc(at(scratch_, offsetof(MemorySystem::CacheCounts, write_backs)));
    a_.jmp(has_room);
    a_.bind(is_clean);
    wait(false);
    a_.bind(has_room);
  }
  void write_back_to_l2() {
    a_.mov(scratch_.r32(), old_.r32());
    find_l2_entry();
    const x86::Gp& differs = has_ways_ ? wait_ : old_;
    if (has_ways_) a_.mov(differs, old_);
    a_.xor_(differs, at(scratch_, 0));
    a_.test(differs, differing());
    a_.jnz(declined_);
    wait(true);
    a_.or_(at(scratch_, 0), Cache::dirty_bit);
  }
  void write_back_to_memory() {
    a_.add(wait_, static_cast<std::int32_t>(l1_.victim_cycles + memory_.memory_victim_cycles));
    wait(true);
    if (memory_.memory_busy_cycles == 0) return;
    a_.add(scratch_, wait_);
    a_.mov(time_, in_caches(offsetof(MemorySystem::PlainParts, memory_free_at)));
    a_.cmp(scratch_, at(time_, 0));
    a_.cmovb(scratch_, at(time_, 0));
    a_.add(scratch_, static_cast<std::int32_t>(memory_.memory_busy_cycles));
    a_.mov(at(time_, 0), scratch_);
  }

  // wait_ becomes how long the access waits, if no line is written to memory for it.
  void find_wait() {
    const bool is_memory_ever_busy = memory_.memory_busy_cycles != 0;
    a_.mov(wait_.r32(), l1_.miss_cycles);
    if (is_memory_ever_busy && (!l2_.present() || side_ == CacheSide::data)) find_now();
    if (l2_.present()) return;
    if (is_memory_ever_busy) wait_for_memory();
    a_.add(wait_, static_cast<std::int32_t>(memory_.memory_cycles));
  }
  // scratch_ becomes the cycle in which the access is made.
  void find_now() {
    static_assert(sizeof(Cycles) == 8);
    a_.mov(scratch_, on_stack(frame_slot + 8));
    a_.mov(scratch_, in_frame(scratch_, &HostFrame::ends_at));
    a_.mov(time_, budget);
    a_.sar(time_, cycles_shift);
    a_.sub(scratch_, time_);
    a_.mov(time_, below(saved_.size()));
    a_.sar(time_, AccessSite::until_end_shift);
    a_.sub(scratch_, time_);
  }
  void wait_for_memory() {
    const Label is_free = a_.newLabel();
    a_.mov(time_, in_caches(offsetof(MemorySystem::PlainParts, memory_free_at)));
    a_.mov(time_, at(time_, 0));
    a_.sub(time_, wait_);
    a_.sub(time_, scratch_);
    a_.jle(is_free);
    a_.add(wait_, time_);
    a_.bind(is_free);
  }

  // Nothing is done before that cannot be left undone. Where the most that may be spare would not
  // be left, the engine looks what is.
  void wait(bool is_dirty) {
    if (l2_takes_victims_) return wait_for(l1_.miss_cycles + (is_dirty ? l1_.victim_cycles : 0));
    a_.mov(time_, budget);
    a_.sar(time_, cycles_shift);
    a_.sub(time_, static_cast<std::int32_t>(AccessSite::most_spare));
    a_.cmp(time_, wait_);
    a_.jl(declined_);
    a_.mov(time_, wait_);
    a_.shl(time_, cycles_shift);
    a_.sub(budget, time_);
    note_wait();
  }
  void wait_for(std::uint32_t cycles) {
    const x86::Gp& left = has_ways_ ? wait_ : old_;
    a_.mov(left, budget);
    a_.sar(left, cycles_shift);
    a_.cmp(left, static_cast<std::int32_t>(cycles + AccessSite::most_spare));
    a_.jl(declined_);
    a_.mov(left, RunBudget::cycles(cycles));
    a_.sub(budget, left);
    if (!notes_waits_) return;
    a_.mov(wait_.r32(), cycles);
    note_wait();
  }
  // wait_ has the cycles, and keeps them.
  void note_wait() {
    if (!notes_waits_) return;
    const x86::Mem cycles = below(saved_.size() + 1);
    a_.mov(cycles, wait_);
    a_.mov(time_, on_stack(frame_slot + 8));
    a_.mov(time_, in_frame(time_, &HostFrame::waits));
    a_.mov(wait_, below(saved_.size()));
    a_.shr(wait_.r32(), AccessSite::place_shift);
    a_.lea(time_,
           x86::ptr(time_, wait_, 3, side_ == CacheSide::data ? -AccessSite::data_places * 8 : 0));
    a_.mov(wait_, cycles);
    a_.add(at(time_, 0), wait_);
  }
  void count() {
    a_.mov(scratch_, in_caches(offsetof(MemorySystem::PlainParts, l1_counts)));
    a_.inc(at(scratch_, offsetof(MemorySystem::CacheCounts, misses)));
    if (!l2_.present()) return;
    a_.mov(scratch_, in_caches(offsetof(MemorySystem::PlainParts, l2_counts)));
    a_.inc(at(scratch_, offsetof(MemorySystem::CacheCounts, accesses)));
  }
  void put_into_l1() {
    a_.mov(scratch_, in_caches(offsetof(MemorySystem::PlainParts, l1)));
    a_.lea(old_, at(line_, Cache::valid_bit | (is_store_ ? Cache::dirty_bit : 0)));
    a_.mov(in_l1(0), old_);
  }
  void put_into_first_way() {
    a_.mov(scratch_, in_caches(offsetof(MemorySystem::PlainParts, l1)));
    a_.mov(old_, in_l1(0));
    a_.mov(in_l1(1), old_);
    put_into_l1();
  }

  // ---- What CachedMemory knows. The tables have a place for each line of a set, and each of the
  // set's lines has one of them (LineIndex has no lists). Where there is one, what left l1 was
  // there.
  // A free way stands for line 0 here, which may then be forgotten for nothing: it is looked up
  // anew.
  void forget_victim() {
    a_.and_(old_, ~static_cast<std::int32_t>(Cache::valid_bit | Cache::dirty_bit));
    if (side_ == CacheSide::fetch) a_.mov(wait_, on_stack(fetch_slot + 8));
    a_.mov(scratch_, in_side(offsetof(PlainSide, lines)));
    for (std::size_t table = 0; table < l1_.ways; ++table) {
      const std::size_t offset = table * l1_.sets() << word_bits;
      const Label is_other = a_.newLabel();
      a_.cmp(old_, in_table(scratch_, set_, 0, offset));
      a_.jne(is_other);
      if (side_ == CacheSide::fetch) {
        a_.mov(in_table(wait_, set_, 0, offset), -1);
      } else {
        a_.mov(in_access(offsetof(AccessTable::Entry, read_tag), offset), -1);
        a_.mov(in_access(offsetof(AccessTable::Entry, write_tag), offset), -1);
      }
      a_.bind(is_other);
    }
  }
  // set_ becomes the line's place.
  void remember_line() {
    if (has_ways_) {
      a_.mov(set_.r32(), address_.r32());
      find_set(set_, l1_, l1_.ways);
    }
    a_.mov(scratch_, in_side(offsetof(PlainSide, lines)));
    a_.mov(in_table(scratch_, set_), line_);
  }
  void remember_piece() {
    static_assert(sizeof(KnownPieces) == 8);
    a_.mov(scratch_.r32(), address_.r32());
    a_.shr(scratch_.r32(), std::countr_zero(KnownPieces::piece));
    a_.mov(old_, at(page_, offsetof(CachedPage, known)));
    a_.bts(old_, scratch_);
    a_.mov(at(page_, offsetof(CachedPage, known)), old_);
  }
  // Of the entry at set_, or so far behind it in a table of words.
  static constexpr unsigned access_scale = std::countr_zero(sizeof(AccessTable::Entry)) - word_bits;
  x86::Mem in_access(std::size_t field, std::size_t offset = 0) const {
    return in_table(accesses, set_, access_scale, field + (offset << access_scale));
  }
  void remember_access() {
    static_assert(AccessTable::no_tag == ~std::uint64_t{0});
    a_.mov(scratch_, address_);
    a_.and_(scratch_, line_mask(l1_));
    a_.mov(in_access(offsetof(AccessTable::Entry, read_tag)), scratch_);
    if (is_store_)
      a_.mov(in_access(offsetof(AccessTable::Entry, write_tag)), scratch_);
    else
      a_.mov(in_access(offsetof(AccessTable::Entry, write_tag)), -1);
    a_.mov(scratch_, at(page_, offsetof(CachedPage, addend)));
    a_.mov(in_access(offsetof(AccessTable::Entry, addend)), scratch_);
    a_.add(address_, scratch_);
  }
  void remember_fetch() {
    a_.mov(scratch_, on_stack(fetch_slot + 8));
    a_.mov(in_table(scratch_, set_), address_);
    a_.inc(in_side(offsetof(PlainSide, fetch_changes)));
    a_.test(x86::rsp, x86::rsp);
  }

  x86::Assembler& a_;
  CacheSide side_;
  bool is_store_;
  const MemoryDescription& memory_;
  const CacheDescription& l1_;
  const CacheDescription& l2_;
  bool has_ways_;  // two
  bool l2_takes_victims_;
  bool notes_waits_;
  Label hits_ = a_.newLabel(), declined_ = a_.newLabel();

  x86::Gp address_ = x86::rax;
  x86::Gp scratch_ = x86::rcx;  // at first, the site
  x86::Gp line_ = x86::rdx;     // its physical address
  x86::Gp page_ = x86::rsi;     // a CachedPage
  x86::Gp tables_ = x86::rdi;   // HostFrame::plain_sides
  x86::Gp set_ = x86::r8;       // the offset of its entry, in tables of words
  x86::Gp old_ = x86::r9;       // what leaves that set of l1; later anything
  x86::Gp wait_ = x86::r10;     // in cycles
  x86::Gp time_ = x86::r11;
  std::vector<x86::Gp> saved_ = {line_, page_, tables_, set_, old_};
};

}  // namespace

bool has_plain_code(const MemoryDescription& memory, CacheSide side) {
  const CacheDescription& l1 = cache_of(memory, side);
  const CacheDescription& l2 = memory.l2;
  const bool has_simple_ways =
      l1.ways == 1 || (l1.ways == 2 && l1.replacement == Replacement::fifo);
  return !memory.l1.present() && l1.present() && has_simple_ways && (!l2.present() || l2.ways == 1);
}

void emit_plain_code(x86::Assembler& assembler, const GuestMode& mode, CacheSide side,
                     bool is_store, const Label& otherwise) {
  PlainEmitter(assembler, mode, side, is_store).emit(otherwise);
}

}  // namespace hardclock
