#include "sim/translator/plain_code.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

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

const CacheDescription& cache_of(const MemoryDescription& memory, CacheSide side) {
  return side == CacheSide::fetch ? memory.l1i : memory.l1d;
}

class PlainEmitter {
 public:
  PlainEmitter(x86::Assembler& assembler, const GuestMode& mode, CacheSide side, bool is_store)
      : a_(assembler),
        side_(side),
        is_store_(is_store),
        l1_(cache_of(*mode.memory, side)),
        l2_(mode.memory->l2) {}

  void emit(const Label& otherwise) {
    save();
    find_page();
    find_in_l1();
    find_in_l2();
    make_room();
    count();
    // A store that hits makes its line dirty, too.
    if (is_store_) a_.bind(hits_);
    put_into_l1();
    if (!is_store_) a_.bind(hits_);
    remember_line();
    remember_piece();
    side_ == CacheSide::data ? remember_access() : remember_fetch();
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
  static x86::Mem in_entry(const x86::Gp& base, const x86::Gp& index) {
    return x86::ptr(base, index, 0, 0, 8);
  }
  x86::Mem in_side(std::size_t offset) const {
    return at(tables_, static_cast<std::size_t>(side_) * sizeof(PlainSide) + offset);
  }
  x86::Mem in_caches(std::size_t offset) const {
    return in_side(offsetof(PlainSide, caches) + offset);
  }

  // `reg` has an address: it becomes the offset of its set's entry.
  void find_set(const x86::Gp& reg, const CacheDescription& cache) {
    const auto line_bits = static_cast<unsigned>(std::countr_zero(cache.line));
    if (line_bits > word_bits)
      a_.shr(reg.r32(), line_bits - word_bits);
    else if (line_bits < word_bits)
      a_.shl(reg.r32(), word_bits - line_bits);
    a_.and_(reg.r32(), static_cast<std::int32_t>((cache.sets() - 1) << word_bits));
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
    a_.mov(scratch_, in_caches(offsetof(MemorySystem::PlainParts, l1)));
    a_.mov(old_, in_entry(scratch_, set_));
    a_.lea(scratch_, at(line_, Cache::valid_bit));
    a_.xor_(scratch_, old_);
    a_.test(scratch_, ~static_cast<std::int32_t>(Cache::dirty_bit));
    a_.jz(hits_);
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

  // What has been fetched is never dirty.
  void make_room() {
    if (side_ == CacheSide::fetch) return wait(l1_.miss_cycles);
    const Label is_clean = a_.newLabel(), has_room = a_.newLabel();
    a_.test(old_.r8(), Cache::dirty_bit);
    a_.jz(is_clean);
    a_.mov(scratch_.r32(), old_.r32());
    find_l2_entry();
    a_.xor_(old_, at(scratch_, 0));
    a_.test(old_, differing());
    a_.jnz(declined_);
    wait(l1_.miss_cycles + l1_.victim_cycles);
    a_.or_(at(scratch_, 0), Cache::dirty_bit);
    a_.mov(scratch_, in_caches(offsetof(MemorySystem::PlainParts, l1_counts)));
    a_.inc(at(scratch_, offsetof(MemorySystem::CacheCounts, write_backs)));
    a_.jmp(has_room);
    a_.bind(is_clean);
    wait(l1_.miss_cycles);
    a_.bind(has_room);
  }
  // Nothing is done before that cannot be left undone.
  void wait(std::uint32_t cycles) {
    a_.mov(old_, -RunBudget::cycles(cycles));
    a_.add(old_, budget);
    a_.js(declined_);
    a_.mov(budget, old_);
  }
  void count() {
    a_.mov(scratch_, in_caches(offsetof(MemorySystem::PlainParts, l1_counts)));
    a_.inc(at(scratch_, offsetof(MemorySystem::CacheCounts, misses)));
    a_.mov(scratch_, in_caches(offsetof(MemorySystem::PlainParts, l2_counts)));
    a_.inc(at(scratch_, offsetof(MemorySystem::CacheCounts, accesses)));
  }
  void put_into_l1() {
    a_.mov(scratch_, in_caches(offsetof(MemorySystem::PlainParts, l1)));
    a_.lea(old_, at(line_, Cache::valid_bit | (is_store_ ? Cache::dirty_bit : 0)));
    a_.mov(in_entry(scratch_, set_), old_);
  }

  // ---- What CachedMemory knows. The tables have a place for each set, and a line's place is its
  // set (LineIndex has no lists): what left l1 was there.
  void remember_line() {
    a_.mov(scratch_, in_side(offsetof(PlainSide, lines)));
    a_.mov(in_entry(scratch_, set_), line_);
  }
  void remember_piece() {
    static_assert(sizeof(KnownPieces) == 8);
    a_.mov(scratch_.r32(), address_.r32());
    a_.shr(scratch_.r32(), std::countr_zero(KnownPieces::piece));
    a_.mov(old_, at(page_, offsetof(CachedPage, known)));
    a_.bts(old_, scratch_);
    a_.mov(at(page_, offsetof(CachedPage, known)), old_);
  }
  void remember_access() {
    constexpr unsigned scale = std::countr_zero(sizeof(AccessTable::Entry)) - word_bits;
    const auto field = [&](std::size_t offset) {
      return x86::ptr(accesses, set_, scale, static_cast<std::int32_t>(offset), 8);
    };
    a_.mov(scratch_, address_);
    a_.and_(scratch_, line_mask(l1_));
    a_.mov(field(offsetof(AccessTable::Entry, read_tag)), scratch_);
    if (is_store_)
      a_.mov(field(offsetof(AccessTable::Entry, write_tag)), scratch_);
    else
      a_.mov(field(offsetof(AccessTable::Entry, write_tag)), -1);
    static_assert(AccessTable::no_tag == ~std::uint64_t{0});
    a_.mov(scratch_, at(page_, offsetof(CachedPage, addend)));
    a_.mov(field(offsetof(AccessTable::Entry, addend)), scratch_);
    a_.add(address_, scratch_);
  }
  void remember_fetch() {
    a_.mov(scratch_, on_stack(fetch_slot + 8));
    a_.mov(in_entry(scratch_, set_), address_);
    a_.inc(in_side(offsetof(PlainSide, fetch_changes)));
    a_.test(x86::rsp, x86::rsp);
  }

  x86::Assembler& a_;
  CacheSide side_;
  bool is_store_;
  const CacheDescription& l1_;
  const CacheDescription& l2_;
  Label hits_ = a_.newLabel(), declined_ = a_.newLabel();

  x86::Gp address_ = x86::rax;
  x86::Gp scratch_ = x86::rcx;  // at first, the site
  x86::Gp line_ = x86::rdx;     // its physical address
  x86::Gp page_ = x86::rsi;     // a CachedPage
  x86::Gp tables_ = x86::rdi;   // HostFrame::plain_sides
  x86::Gp set_ = x86::r8;       // the offset of its entry, in tables of words
  x86::Gp old_ = x86::r9;       // what is in that place of l1; later anything
  std::array<x86::Gp, 5> saved_ = {line_, page_, tables_, set_, old_};
};

}  // namespace

bool has_plain_code(const MemoryDescription& memory, CacheSide side) {
  const CacheDescription& l1 = cache_of(memory, side);
  const CacheDescription& l2 = memory.l2;
  return !memory.l1.present() && l1.present() && l1.ways == 1 && l2.present() && l2.ways == 1 &&
         l2.policy == WritePolicy::write_back;
}

void emit_plain_code(x86::Assembler& assembler, const GuestMode& mode, CacheSide side,
                     bool is_store, const Label& otherwise) {
  PlainEmitter(assembler, mode, side, is_store).emit(otherwise);
}

}  // namespace hardclock
