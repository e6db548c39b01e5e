// The general registers with their NaT bits, the frame marker, and the register stack engine (RSE),
// which moves stacked registers to and from the backing store in memory.
// Source: "Intel Itanium Architecture Software Developer's Manual", revision 2.3 (here: SDM):
// volume 1, sections 3.1.8 and 4.1; volume 2, chapter 6; volume 3, chapter 2 (alloc, br, cover,
// clrrrb, flushrs, loadrs, mov ar) and chapter 3 (rse_...). Names are the SDM's.
//
// Of r32 to r127 there are 96 physical registers, as on the Itanium and the Itanium 2 (the least
// that the architecture allows), in a ring:
//
//     clean        in memory, and still in its register
//     dirty        below the current frame, not in memory: from ar.bspstore to ar.bsp
//     current      r32 up; ar.bsp is the address of r32
//     invalid      the rest
//
// Only mandatory loads and stores are made, one after the other: the behaviour of enforced lazy
// mode, which the architecture allows in every mode of ar.rsc (SDM 2, 6.5.1). The other modes
// differ in that loadrs and accesses to ar.bspstore and ar.rnat are Illegal Operation faults.
//
// The stacked registers of a frame lie one behind another, by the numbers that instructions use, so
// that whoever knows where r32 is knows where all are.
//
// What it costs
//   call, ret, cover         nothing is copied, unless registers have been rotated; once in a while
//                            all registers move to the middle of their place
//   rotate, clrrrb           the rotating registers are copied
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "isa/ia64/alat.h"
#include "isa/ia64/rotation.h"
#include "sim/base/bits.h"
#include "sim/base/endian.h"
#include "sim/memory/access_table.h"
#include "sim/state/archive.h"

namespace hardclock::ia64 {

inline constexpr unsigned stacked_registers = 96;

// CFM, and the pfm of ar.pfs: how the stacked registers are divided, and how rotating ones are
// renamed.
struct alignas(8) FrameMarker {
  std::uint8_t sof = 0;  // registers in the frame, 0..96
  std::uint8_t sol = 0;  // of these, the locals (and inputs): the others are outputs
  std::uint8_t sor = 0;  // of these, the rotating ones: a multiple of 8 (the field has an eighth)
  std::uint8_t rrb_gr = 0;  // rename bases: 0..sor - 1, 0..95, 0..47
  std::uint8_t rrb_fr = 0;
  std::uint8_t rrb_pr = 0;
  std::uint16_t unused = 0;  // so that all is one number

  bool operator==(const FrameMarker&) const = default;
  static constexpr std::size_t state_members = 7;
};

// In 38 bits, as ar.pfs has it from bit 0 on (SDM 1, 3.1.8).
constexpr std::uint64_t pack(const FrameMarker& marker) {
  return marker.sof | std::uint64_t{marker.sol} << 7 | std::uint64_t{marker.sor / 8u} << 14 |
         std::uint64_t{marker.rrb_gr} << 18 | std::uint64_t{marker.rrb_fr} << 25 |
         std::uint64_t{marker.rrb_pr} << 32;
}
constexpr FrameMarker unpack_marker(std::uint64_t bits) {
  const auto field = [bits](unsigned low, unsigned length) {
    return static_cast<std::uint8_t>(bit_field(bits, low, length));
  };
  return {field(0, 7),  field(7, 7),  static_cast<std::uint8_t>(field(14, 4) * 8),
          field(18, 7), field(25, 7), field(32, 6)};
}
// Whether alloc, calls and rotations can have made it. A program can write others into ar.pfs.
bool is_valid(const FrameMarker& marker);

// ar.pfs: the pfm, ar.ec in bits 57..52, the privilege level in 63..62; other bits are reserved, to
// write them is a Reserved Register/Field fault.
constexpr std::uint64_t pack_pfs(const FrameMarker& marker, std::uint8_t ec, std::uint8_t level) {
  return pack(marker) | std::uint64_t{ec} << 52 | std::uint64_t{level} << 62;
}
constexpr std::uint8_t pfs_ec(std::uint64_t pfs) {
  return static_cast<std::uint8_t>(bit_field(pfs, 52, 6));
}
constexpr bool is_reserved_pfs(std::uint64_t pfs) {
  return bit_field(pfs, 38, 14) != 0 || bit_field(pfs, 58, 4) != 0;
}

// ---- The backing store: 63 registers, then their NaT collection, at each address whose bits 8:3
// are all ones. Bit i of it is the NaT bit of the register at bits 8:3 = i.
inline constexpr unsigned collection_slot = 63;
constexpr unsigned slot(std::uint64_t address) {
  return static_cast<unsigned>(bit_field(address, 3, 6));
}
// The address of the register that is `count` registers above, or below, the one at `address`.
constexpr std::uint64_t register_above(std::uint64_t address, unsigned count) {
  return address + std::uint64_t{8} * (count + (slot(address) + count) / 63);
}
constexpr std::uint64_t register_below(std::uint64_t address, unsigned count) {
  return address - std::uint64_t{8} * (count + (62 - slot(address) + count) / 63);
}
// How many registers lie from `low` up to, not with, `high`, which is at most 2^60 above.
constexpr std::uint64_t registers_between(std::uint64_t low, std::uint64_t high) {
  return (high - low) / 8 - (high - (low & ~std::uint64_t{0x1ff})) / 0x200;
}

// The RSE's way to memory: 8 bytes at an aligned address, in the order of ar.rsc.be, with the
// rights of the program. An access that cannot be made now (a fault, or a machine that has to wait)
// returns nothing, or false, and changes nothing; why, its maker knows.
class BackingStore {
 public:
  virtual std::optional<std::uint64_t> load(std::uint64_t address, Endian order) = 0;
  virtual bool store(std::uint64_t address, std::uint64_t value, Endian order) = 0;

 protected:
  ~BackingStore() = default;
};

enum class StackResult : std::uint8_t {
  done,
  illegal_operation,  // Illegal Operation fault: nothing has changed
  reserved_field,     // Reserved Register/Field fault: nothing has changed
  memory,             // an access of the RSE could not be made; each operation says what then is
};

struct RegisterStackTraffic {
  std::uint64_t loads = 0;  // of 8 bytes, collections with them
  std::uint64_t stores = 0;

  bool operator==(const RegisterStackTraffic&) const = default;
  static constexpr std::size_t state_members = 2;
};

// A value: copy it to fork it, or to go back after a fault.
class RegisterStack {
 public:
  // An empty frame at `backing_store`, whose low three bits are ignored; ar.rsc is 0, but for pl.
  explicit RegisterStack(std::uint64_t backing_store = 0) { start(backing_store, {}); }
  // A program's first frame, which must be valid: all stacked registers and NaT bits are 0. Static
  // registers stay as they are.
  void start(std::uint64_t backing_store, const FrameMarker& frame);

  // ---- r0 to r127. Of a stacked register outside the frame the value is undefined: here, of some
  // other register.
  std::uint64_t value(unsigned r) const { return values_[place(r)]; }
  bool nat(unsigned r) const { return nats_[place(r)]; }
  // Whether r is in the frame, or static. To write another, or r0, is an Illegal Operation fault,
  // which is the caller's, who must not call write() then.
  bool is_writable(unsigned r) const { return r < first_rotating_gr + marker_.sof; }
  void write(unsigned r, std::uint64_t value, bool nat) {
    write_value(r, value);
    write_nat(r, nat);
  }
  void write_value(unsigned r, std::uint64_t value) { values_[place(r)] = value; }
  void write_nat(unsigned r, bool nat) {
    nats_[place(r)] = nat;
    may_have_nats_.value |= nat;
  }
  // False: no register has its NaT bit, in this frame or in another one; that costs next to
  // nothing to know. True: one had it since somebody looked for them last.
  bool may_have_nats() const { return may_have_nats_.value; }
  // Looks at all of them.
  bool find_nats();
  // The number of the physical register: 0..31 static, 32..127.
  unsigned physical(unsigned r) const;
  // Its name in the Alat: the physical number, and how often the ring has gone round.
  AlatRegister alat_register(unsigned r) const;

  const FrameMarker& marker() const { return marker_; }

  // ---- Instructions. While is_incomplete(), only cover(): of others the SDM defines no behaviour,
  // and they stop hardclock.
  // br.call, brl.call: the outputs become the frame. ar.pfs, which the caller sets to
  // pack_pfs(marker(), ...) before, is not kept here.
  void call();
  // br.ret to the frame of ar.pfs; ar.ec is the caller's. The branch is part of the operation: with
  // `memory` it has taken place, the frame is incomplete, and the fault is that of the next
  // instruction (SDM 2, 6.8). If the frame does not fit above the registers that are still dirty,
  // the new frame is empty, and there is no other sign (6.5.5). A pfm that is not valid is an
  // Illegal Operation fault: our choice.
  [[nodiscard]] StackResult ret(std::uint64_t pfs, BackingStore& memory);
  // Whether registers of the frame are still to be loaded.
  bool is_incomplete() const { return static_cast<std::int64_t>(bspstore_ - bsp_) > 0; }
  // Loads them: done or memory. What has been loaded stays so.
  [[nodiscard]] StackResult complete(BackingStore& memory);
  // Whether alloc can make such a frame, and name r1 in it. What can not is an Illegal Operation
  // fault, for which nothing is stored.
  static constexpr bool can_allocate(unsigned r1, unsigned sof, unsigned sol, unsigned sor) {
    return r1 != 0 && r1 < first_rotating_gr + sof && sof <= stacked_registers && sol <= sof &&
           sor <= sof;
  }
  // alloc r1 = ar.pfs; r1 is the caller's to write afterwards, and so is the Illegal Operation
  // fault of a predicate other than p0. `sor` is the number of registers, a multiple of 8. With
  // `memory` the frame is as before; some registers may have been stored, and the instruction is
  // executed again.
  [[nodiscard]] StackResult alloc(unsigned r1, unsigned sof, unsigned sol, unsigned sor,
                                  BackingStore& memory);
  // The frame becomes dirty, the new one is empty. A system may do it to an incomplete frame: what
  // has not been loaded stays in memory only.
  void cover();
  // With `memory`: as alloc.
  [[nodiscard]] StackResult flushrs(BackingStore& memory);
  // Makes exactly the ar.rsc.loadrs bytes below ar.bsp dirty, and nothing clean. With `memory`:
  // what has been loaded is dirty, and the instruction is executed again. More than 96 registers
  // are an Illegal Operation fault. ar.rnat is undefined afterwards (SDM); here, it has the NaT
  // bits that belong to ar.bspstore if registers were loaded.
  [[nodiscard]] StackResult loadrs(BackingStore& memory);
  void clrrrb();
  void clrrrb_pr() { marker_.rrb_pr = 0; }
  // What a loop branch does that rotates. The floating-point registers and predicates are renamed
  // by the marker's new bases.
  void rotate();

  // ---- What alloc and ret move, for translated code: all at once, or not at all. They return the
  // number of words, `most` at most, collections with them. `not_at_once`: memory is not in the
  // table, or the data are not little-endian, or registers are renamed; then nothing has changed.
  static constexpr unsigned not_at_once = ~0u;
  // Stores until a frame of `sof` registers has room, which it has not now.
  unsigned spill_at_once(unsigned sof, const AccessTable& memory, unsigned most);
  // Loads until all locals of the frame of ar.pfs are dirty, which they are not now. Not at once is
  // also what loads a NaT bit, and what ret() refuses.
  unsigned fill_at_once(std::uint64_t pfs, const AccessTable& memory, unsigned most);

  // ---- Application registers. Writing ar.bsp is an Illegal Operation fault: the caller's.
  std::uint64_t rsc() const { return rsc_; }
  // Faults on reserved bits. A program runs at privilege level 3: so pl is always 3.
  [[nodiscard]] StackResult write_rsc(std::uint64_t value);
  std::uint64_t bsp() const { return bsp_; }
  // Whether ar.bspstore and ar.rnat may be read and written. Else that is an Illegal Operation
  // fault: for reads the caller's, writes answer with it.
  bool is_enforced_lazy() const { return (rsc_ & rsc_mode) == 0; }
  // Where the next register is stored.
  std::uint64_t bspstore() const { return bspstore_; }
  // Moves the dirty registers' place in memory, and ar.bsp with it; nothing is clean. ar.rnat is
  // undefined afterwards (SDM): here, as before.
  [[nodiscard]] StackResult write_bspstore(std::uint64_t value);
  // The NaT bits of registers in memory whose collection is not yet there: the bits below
  // slot(bspstore()). Bit 63 is 0. The others are undefined.
  std::uint64_t rnat() const { return rnat_; }
  [[nodiscard]] StackResult write_rnat(std::uint64_t value);

  // What the RSE has done since start().
  const RegisterStackTraffic& traffic() const { return traffic_; }
  // Registers, collections not counted. While is_incomplete() dirty is 0.
  unsigned dirty() const { return dirty_; }
  unsigned clean() const { return clean_; }

  bool operator==(const RegisterStack&) const = default;
  void archive(Archive& to) {
    auto& [values, skip, store_place, marker, position, dirty, clean, may_have_nats, rsc, bsp,
           bspstore, rnat, traffic, nats] = *this;
    to.state(values, skip, store_place, marker, position, dirty, clean, rsc, bsp, bspstore, rnat,
             traffic, nats);
    to.derived(may_have_nats);
  }

  // Where things lie, in bytes from the start of a RegisterStack.
  struct Places {
    std::size_t values;        // of r0 to r31: 8 bytes each. Those of r32 up are behind them,
    std::size_t skip;          // so many registers further on: a number of 4 bytes
    std::size_t marker;        // a FrameMarker
    std::size_t bsp;           // 8 bytes
    std::size_t position;      // a number of 8 bytes that goes up and down as ar.bsp does
    std::size_t dirty, clean;  // numbers of 4 bytes
  };
  static const Places& places();
  // `skip` is at most that.
  static constexpr unsigned most_skipped = 3 * stacked_registers;

  // Fields of ar.rsc (SDM 1, 3.1.8.2).
  static constexpr std::uint64_t rsc_mode = 3, rsc_pl = 3 << 2, rsc_be = 1 << 4,
                                 rsc_loadrs = 0x3fff << 16;

 private:
  // Of a frame that begins anywhere in `room`, all 96 registers that it may have exist.
  static constexpr unsigned room = most_skipped + stacked_registers;
  static constexpr unsigned size = first_rotating_gr + room;
  static constexpr unsigned move_by = stacked_registers;
  static constexpr std::uint64_t first_position = std::uint64_t{stacked_registers} << 32;

  unsigned place(unsigned r) const { return r < first_rotating_gr ? r : r + skip_; }
  unsigned frame() const { return first_rotating_gr + skip_; }
  struct Loads;
  bool may_move_at_once() const;
  Loads loads_of(unsigned registers, const AccessTable& memory) const;
  bool store_next(BackingStore& memory);
  bool load_below(BackingStore& memory);
  void move_bottom(int registers);
  void make_room(int registers);
  void keep_clean(unsigned most);
  void turn(unsigned registers);
  void turn_back() { turn(marker_.sor - marker_.rrb_gr); }
  Endian order() const { return (rsc_ & rsc_be) != 0 ? Endian::big : Endian::little; }

  // What is known of the registers and not a part of their state.
  struct Hint {
    bool value = false;
    bool operator==(const Hint&) const { return true; }
  };

  // r0 to r31, then the stacked registers: the frame's by their numbers, unless it is incomplete,
  // those below by where they go in memory.
  std::array<std::uint64_t, size> values_{};
  std::uint32_t skip_ = 0;                         // registers between r31 and r32
  std::uint32_t store_place_ = first_rotating_gr;  // of the register at ar.bspstore
  FrameMarker marker_;
  // RSE.BOF, the ring's place of r32, and how often it has gone round the ring: as so many
  // registers from a place that no program comes below.
  std::uint64_t position_ = first_position;
  std::uint32_t dirty_ = 0;
  std::uint32_t clean_ = 0;
  Hint may_have_nats_;
  std::uint64_t rsc_ = rsc_pl;
  std::uint64_t bsp_ = 0;
  std::uint64_t bspstore_ = 0;
  std::uint64_t rnat_ = 0;
  RegisterStackTraffic traffic_;
  std::array<bool, size> nats_{};
};

}  // namespace hardclock::ia64
