#include "isa/ia64/dependencies_accesses.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "isa/ia64/semantics_control.h"
#include "sim/base/bits.h"
#include "sim/base/check.h"

namespace hardclock::ia64::dependencies {
namespace {

constexpr unsigned unat_bits = 64, status_fields = 4;
constexpr unsigned predicate_count = 64, last_predicate = 63;
constexpr std::uint64_t all_predicates = ~std::uint64_t{1};

// The fields that formats have in common.
unsigned predicate_of(Word word) { return static_cast<unsigned>(bit_field(word, 0, 6)); }
unsigned p1_of(Word word) { return static_cast<unsigned>(bit_field(word, 6, 6)); }
unsigned p2_of(Word word) { return static_cast<unsigned>(bit_field(word, 27, 6)); }
unsigned r2_of(Word word) { return static_cast<unsigned>(bit_field(word, 13, 7)); }
unsigned r3_of(Word word) { return static_cast<unsigned>(bit_field(word, 20, 7)); }
unsigned b2_of(Word word) { return static_cast<unsigned>(bit_field(word, 13, 3)); }
unsigned sf_of(Word word) { return static_cast<unsigned>(bit_field(word, 34, 2)); }

bool is_gr(Item item) { return item < nat_resource(0); }
bool is_fr(Item item) { return item >= fr_resource(0) && item < exponent_resource(0); }
bool is_br(Item item) { return item >= br_resource(0) && item < kernel_resource(0); }
bool is_predicate(Item item) { return item >= predicate_resource(0) && item < fpsr_controls(0); }
// f0 and f1 are no resources; r0 and p0 are none to recordings.
bool is_constant(Item item) {
  return item == gr_resource(0) || item == fr_resource(0) || item == fr_resource(1);
}
// What add_special_accesses() knows better than a recording, which has a part of a register as a
// change of the whole, and a change of the register stack not at all.
bool is_special(Item item) {
  return is_predicate(item) || item == fpsr_resource || item == unat_resource ||
         item == rsc_resource || item == bsp_resource || item == bspstore_resource ||
         item == rnat_resource;
}

// Builds the Accesses of one instruction.
class Builder {
 public:
  explicit Builder(const SlotText& text)
      : word_(text.word),
        opcode_(decode(text.word).opcode),
        name_(opcode_ == Opcode::invalid ? "" : info(opcode_).name),
        recording_(opcode_ == Opcode::invalid ? Recording{} : record(text)) {}

  Accesses accesses() {
    if (opcode_ == Opcode::invalid) {
      result_.ends_group = true;
      return result_;
    }
    const std::vector<Resource> reads = recording_.reads();
    result_.predicate = static_cast<std::uint8_t>(predicate_of(word_));
    result_.is_predicated =
        result_.predicate != 0 &&
        std::ranges::binary_search(reads, predicate_resource(result_.predicate));
    result_.is_branch = word_ >> slot_bits == static_cast<Word>(Unit::b) ||
                        opcode_ == Opcode::brl_cond || opcode_ == Opcode::brl_call;
    result_.ends_group = recording_.has(Operation::trap) || recording_.always(Operation::branch);
    add_registers(reads);
    add_predicates();
    add_floating_point_status();
    add_application_registers();
    add_register_stack();
    add_memory();
    add_status();
    return result_;
  }

 private:
  bool is(std::string_view prefix) const { return name_.starts_with(prefix); }
  bool has(std::string_view part) const { return name_.find(part) != std::string_view::npos; }

  void read(Item item) { result_.reads.push_back({item, false}); }
  void write(Item item, Merging merging = Merging::none) {
    result_.writes.push_back({.item = item, .merging = merging});
  }

  // ---- What a recording has: registers that an instruction names, and some application registers.
  void add_registers(const std::vector<Resource>& reads) {
    for (const Resource item : reads) {
      if (is_registered(item) && !is_kept(item)) add_read(item);
    }
    for (const Resource item : recording_.writes()) {
      if (!is_registered(item)) continue;
      result_.writes.push_back({.item = item,
                                .reaches_branches = is_move_for_branches(),
                                .reaches_all = is_check_load() && !is_updated_base(item)});
      note_rotation(item);
    }
    if (is("lfetch")) add_read(gr_resource(r3_of(word_)));
    if (is_prediction()) read(br_resource(b2_of(word_)));
  }
  bool is_registered(Item item) const {
    const bool counts = opcode_ != Opcode::br_wtop && opcode_ != Opcode::br_wexit;
    return !is_special(item) && !is_constant(item) && (item != lc_resource || counts);
  }
  bool is_check_load() const { return is("ld") && has("_c_"); }
  // A group may use what a check load loads, but not the base that it updates (SDM 1, 3.4.1).
  bool is_updated_base(Item item) const {
    const bool updates = name_.ends_with("_imm") || name_.ends_with("_reg");
    return updates && item == gr_resource(r3_of(word_));
  }
  // The target of a check load, which stays as it is after a hit. To the manual that is no read.
  bool is_kept(Item item) const {
    if (!is_check_load()) return false;
    const bool is_increment = name_.ends_with("_reg") && item == gr_resource(r2_of(word_));
    return is_fr(item) || (item != gr_resource(r3_of(word_)) && !is_increment);
  }
  bool is_move_for_branches() const {
    return opcode_ == Opcode::mov_to_br || opcode_ == Opcode::mov_ret_to_br ||
           (is_move_to_ar() && r3_of(word_) == ar_pfs);
  }
  bool is_prediction() const {
    return opcode_ == Opcode::brp_indirect || opcode_ == Opcode::brp_ret;
  }
  void add_read(Item item) {
    if (is_constant(item)) return;
    const bool by_branch = result_.is_branch && (is_br(item) || item == pfs_resource);
    result_.reads.push_back({item, by_branch});
    note_rotation(item);
  }
  void note_rotation(Item item) {
    if (is_gr(item) && item >= first_rotating_gr)
      result_.least_stacked = std::min(result_.least_stacked, static_cast<std::uint8_t>(item));
    const bool rotates = (is_fr(item) && item >= fr_resource(first_rotating_fr)) ||
                         (is_predicate(item) && item >= predicate_resource(first_rotating_pr));
    if (rotates) read(rename_bases);
  }

  // ---- Predicates.
  void add_predicates() {
    if (result_.is_predicated) note_rotation(predicate_resource(result_.predicate));
    if (is("cmp_") || is("cmp4_") || is("tbit_") || is("tnat_") || is("tf_")) {
      add_target(p1_of(word_), merging_of_first(), true);
      add_target(p2_of(word_), merging_of_second(), true);
    } else if (is("fcmp_") || is("fclass_")) {
      add_target(p1_of(word_), Merging::none, false);
      add_target(p2_of(word_), Merging::none, false);
    } else if (is_approximation()) {
      add_target(p2_of(word_), Merging::none, false);
    } else if (opcode_ == Opcode::mov_to_pr) {
      const std::int64_t mask = decode(word_).operands.i23.mask17;
      add_moved_predicates(static_cast<std::uint64_t>(mask) & all_predicates);
    } else if (opcode_ == Opcode::mov_to_pr_rot) {
      add_moved_predicates(rotating_predicates);
    } else if (opcode_ == Opcode::mov_from_pr) {
      for (unsigned n = 1; n < predicate_count; ++n) read(predicate_resource(n));
    }
  }
  bool is_approximation() const {
    return is("frcpa") || is("fprcpa") || is("frsqrta") || is("fprsqrta");
  }
  Merging merging_of_first() const {
    if (has("_or_andcm")) return Merging::or_compare;
    return merging_of_second();
  }
  Merging merging_of_second() const {
    if (has("_and")) return Merging::and_compare;
    return has("_or") ? Merging::or_compare : Merging::none;
  }
  // A compare .unc, and an approximation, clears its target without its predicate.
  void add_target(unsigned n, Merging merging, bool reaches_branches) {
    if (n == 0) return;
    const Write target{
        .item = predicate_resource(n), .merging = merging, .reaches_branches = reaches_branches};
    const bool always = has("_unc") || is_approximation();
    (always ? result_.always_written : result_.writes).push_back(target);
    note_rotation(predicate_resource(n));
  }
  void add_moved_predicates(std::uint64_t mask) {
    for (; mask != 0; mask &= mask - 1) {
      const auto n = static_cast<unsigned>(std::countr_zero(mask));
      result_.writes.push_back({.item = predicate_resource(n), .reaches_branches = true});
    }
  }

  // ---- ar.fpsr, by its parts.
  void add_floating_point_status() {
    const unsigned sf = sf_of(word_);
    if (opcode_ == Opcode::fsetc) {
      read(fpsr_controls(0));
      write(fpsr_controls(sf));
    } else if (opcode_ == Opcode::fclrf) {
      write(fpsr_flags(sf));
    } else if (opcode_ == Opcode::fchkf) {
      read(fpsr_flags(0));
      read(fpsr_flags(sf));
      read(fpsr_traps);
    } else if (!is_move_to_ar() && writes_recorded(fpsr_resource)) {
      read(fpsr_controls(sf));
      read(fpsr_traps);
      write(fpsr_flags(sf), Merging::sticky);
    }
  }
  bool writes_recorded(Resource resource) const {
    return std::ranges::binary_search(recording_.writes(), resource);
  }

  // ---- Moves to and from application registers, as far as recordings leave them out.
  bool is_move_to_ar() const { return is("mov_to_ar_"); }
  bool is_move_from_ar() const { return is("mov_from_ar_"); }
  void add_application_registers() {
    const bool moves_to = is_move_to_ar();
    if (!moves_to && !is_move_from_ar()) return;
    const unsigned ar = r3_of(word_);
    const auto access = [&](Item item) { moves_to ? write(item) : read(item); };
    if (is_ignored_ar(ar)) access(ignored_ar(ar));
    if (ar == ar_unat) {
      for (unsigned n = 0; n < unat_bits; ++n) access(unat_bit(n));
    } else if (ar == ar_fpsr) {
      access(fpsr_traps);
      for (unsigned sf = 0; sf < status_fields; ++sf) {
        access(fpsr_controls(sf));
        access(fpsr_flags(sf));
      }
    } else if (ar == ar_rsc) {
      access(rsc_resource);
    } else if (ar == ar_bsp) {
      read(bsp_resource);
      read(register_stack_engine);
    } else if (ar == ar_bspstore || ar == ar_rnat) {
      add_store_register(ar, moves_to);
    }
  }
  void add_store_register(unsigned ar, bool moves_to) {
    read(rsc_resource);
    read(register_stack_engine);
    if (!moves_to) return read(ar == ar_rnat ? rnat_resource : bspstore_resource);
    write(rnat_resource);
    if (ar == ar_rnat) return;
    write(bspstore_resource);
    write(bsp_resource);
    write(register_stack_engine);
  }

  // ---- The frame and the register stack.
  void add_register_stack() {
    const bool is_call = is("br_call") || is("brl_call");
    const bool moves_frame = is_call || opcode_ == Opcode::br_ret || opcode_ == Opcode::cover;
    const bool moves_store =
        opcode_ == Opcode::alloc || opcode_ == Opcode::flushrs || opcode_ == Opcode::loadrs;
    result_.is_loop_branch = is_loop_branch();
    if (result_.is_loop_branch) {
      write(rename_bases);
      result_.writes.push_back({.item = frame_marker, .reaches_all = true});
      result_.writes.push_back({.item = predicate_resource(last_predicate)});
    }
    if (reads_frame()) read(frame_marker);
    if (moves_frame || moves_store || result_.is_loop_branch) {
      if (opcode_ != Opcode::flushrs) read(rename_bases);
      if (!result_.is_loop_branch) read(register_stack_engine);
    }
    if (moves_frame || moves_store) write(register_stack_engine);
    if (moves_frame || is("clrrrb")) write(frame_marker);
    if (moves_frame) {
      read(bsp_resource);
      write(bsp_resource);
    }
    if (moves_store) add_stored_registers();
    if (opcode_ == Opcode::alloc)
      result_.writes.push_back({.item = frame_marker, .reaches_all = true});
  }
  bool is_loop_branch() const {
    return opcode_ == Opcode::br_ctop || opcode_ == Opcode::br_cexit ||
           opcode_ == Opcode::br_wtop || opcode_ == Opcode::br_wexit;
  }
  // All that have a predicate or name a register; so these do not.
  bool reads_frame() const {
    return !is("brp") && !is("clrrrb") && opcode_ != Opcode::epc && opcode_ != Opcode::flushrs &&
           opcode_ != Opcode::br_cloop;
  }
  void add_stored_registers() {
    if (opcode_ != Opcode::loadrs) read(bspstore_resource);
    if (opcode_ != Opcode::alloc) read(bsp_resource);
    read(rnat_resource);
    read(rsc_resource);
    write(bspstore_resource);
    write(rnat_resource);
  }

  // ---- Memory: what of the status register decides on an access; ar.unat.
  void add_memory() {
    if (recording_.touches_memory()) {
      read(status_ac);
      read(status_be);
    }
    if (is("ld8_fill")) result_.unat = UnatBit::read;
    if (is("st8_spill")) result_.unat = UnatBit::written;
    result_.unat_address = static_cast<std::uint8_t>(r3_of(word_));
  }

  // ---- The status register.
  static constexpr struct {
    std::uint64_t bit;
    Item item;
  } user_mask[] = {{um_be, status_be},
                   {um_up, status_up},
                   {um_ac, status_ac},
                   {um_mfl, status_mfl},
                   {um_mfh, status_mfh}};
  void add_status() {
    const bool sets = opcode_ == Opcode::sum || opcode_ == Opcode::rum;
    const std::uint64_t mask = sets ? decode(word_).operands.m44.imm24 : um_bits;
    for (const auto& [bit, item] : user_mask) {
      if (sets || opcode_ == Opcode::mov_to_psr_um) {
        if ((mask & bit) != 0) write(item);
      } else if (opcode_ == Opcode::mov_from_psr_um) {
        read(item);
      }
    }
    add_modified_halves();
    if (opcode_ == Opcode::epc) write(status_cpl);
    if (depends_on_level()) read(status_cpl);
  }
  // Of the floating-point registers.
  void add_modified_halves() {
    bool low = false, high = false;
    for (const Write& written : result_.writes) {
      if (!is_fr(written.item)) continue;
      (written.item < fr_resource(first_rotating_fr) ? low : high) = true;
    }
    if (low) write(status_mfl, Merging::sticky);
    if (high) write(status_mfh, Merging::sticky);
  }
  bool depends_on_level() const {
    const unsigned ar = r3_of(word_);
    return recording_.touches_memory() || is("lfetch") || is("probe") || is("br_call") ||
           is("brl_call") || opcode_ == Opcode::epc || opcode_ == Opcode::mov_from_pmd ||
           (is_move_from_ar() && (ar == ar_itc || ar == ar_ruc)) ||
           (is_move_to_ar() && ar == ar_rsc);
  }

  Word word_;
  Opcode opcode_;
  std::string_view name_;
  Recording recording_;
  Accesses result_;
};

constexpr struct {
  Item item;
  std::string_view name;
} names[] = {
    {ia32_resource(0), "ar.fcr"},
    {ia32_resource(1), "ar.eflag"},
    {ia32_resource(2), "ar.cflg"},
    {ia32_resource(3), "ar.fsr"},
    {ia32_resource(4), "ar.fir"},
    {ia32_resource(5), "ar.fdr"},
    {csd_resource, "ar.csd"},
    {ssd_resource, "ar.ssd"},
    {ccv_resource, "ar.ccv"},
    {pfs_resource, "ar.pfs"},
    {lc_resource, "ar.lc"},
    {ec_resource, "ar.ec"},
    {rsc_resource, "ar.rsc"},
    {bsp_resource, "ar.bsp"},
    {bspstore_resource, "ar.bspstore"},
    {rnat_resource, "ar.rnat"},
    {fpsr_traps, "ar.fpsr.traps"},
    {status_ac, "psr.ac"},
    {status_be, "psr.be"},
    {status_up, "psr.up"},
    {status_mfl, "psr.mfl"},
    {status_mfh, "psr.mfh"},
    {status_cpl, "psr.cpl"},
    {frame_marker, "cfm"},
    {rename_bases, "cfm"},
    {register_stack_engine, "the register stack engine"},
};

std::string numbered(std::string_view kind, unsigned n) {
  return std::string(kind) + std::to_string(n);
}

}  // namespace

Accesses accesses_of(const SlotText& text) { return Builder(text).accesses(); }

std::string name_of(Item item) {
  if (is_gr(item)) return numbered("r", item);
  if (is_fr(item)) return numbered("f", item - unsigned{fr_resource(0)});
  if (is_br(item)) return numbered("b", item - unsigned{br_resource(0)});
  if (is_predicate(item)) return numbered("p", item - unsigned{predicate_resource(0)});
  if (item >= ignored_ar(0)) return numbered("ar", item - unsigned{ignored_ar(0)});
  if (item >= unat_bit(0)) return "ar.unat";
  if (item >= kernel_resource(0) && item < ia32_resource(0))
    return numbered("ar.k", item - unsigned{kernel_resource(0)});
  if (item >= fpsr_controls(0) && item < fpsr_flags(0))
    return numbered("ar.fpsr.sf", item - unsigned{fpsr_controls(0)}) + ".controls";
  if (item >= fpsr_flags(0) && item < fpsr_traps)
    return numbered("ar.fpsr.sf", item - unsigned{fpsr_flags(0)}) + ".flags";
  for (const auto& [known, name] : names) {
    if (known == item) return std::string(name);
  }
  CHECK(false);
  return {};
}

}  // namespace hardclock::ia64::dependencies
