#include <bit>
#include <cstddef>

#include "sim/translator/block_emitter.h"
#include "sim/translator/floating_emitter.h"
#include "sim/translator/floating_status.h"
#include "sim/translator/host_frame.h"
#include "sim/translator/host_registers.h"
#include "sim/translator/plain_code.h"

namespace hardclock {
namespace {

using asmjit::Label;
using namespace host;

constexpr std::array<x86::Gp, 6> kept = {x86::rbx, x86::rbp, x86::r12,
                                         x86::r13, x86::r14, x86::r15};

class CommonEmitter {
 public:
  CommonEmitter(x86::Assembler& assembler, const GuestMode& mode) : a_(assembler), mode_(mode) {}

  CommonLabels emit() {
    const CommonLabels labels{a_.newLabel(), a_.newLabel(), a_.newLabel(), a_.newLabel(),
                              a_.newLabel(), a_.newLabel(), a_.newLabel(), a_.newLabel(),
                              a_.newLabel(), a_.newLabel(), a_.newLabel(), a_.newLabel()};
    enter(labels.enter);
    leave(labels.leave);
    access(labels.access);
    run_one(labels.run_one);
    fetch(labels.fetch);
    plain_accesses(labels);
    plain_fetches(labels);
    predict(labels.predict);
    implicit_access(labels.implicit_access);
    note_moment(labels.note_moment);
    is_noted(labels.is_noted);
    return labels;
  }

 private:
  template <class Visit>
  void for_each_pin(Visit visit) {
    for (std::size_t i = 0; i < mode_.pinned.size() && i < pins.size(); ++i) {
      const Resource resource = mode_.pinned[i];
      visit(pins[i], mode_.place(resource), mode_.is_word != nullptr && mode_.is_word(resource));
    }
  }
  void load_pins() {
    for_each_pin([&](const x86::Gp& pin, RegisterPlace place, bool is_word) {
      if (is_word || place.bytes == 4)
        a_.mov(pin.r32(), in_context(place, 4));
      else
        a_.mov(pin, in_context(place, 8));
    });
    if (mode_.floating != nullptr) FloatingEmitter(a_, mode_).load_pinned();
    if (mode_.frame) find_frame(a_, mode_);
  }
  // In the code, a pinned word's high half is anything.
  void store_pins() {
    for_each_pin([&](const x86::Gp& pin, RegisterPlace place, bool is_word) {
      if (is_word) a_.movsxd(pin, pin.r32());
      if (place.bytes == 4)
        a_.mov(in_context(place, 4), pin.r32());
      else
        a_.mov(in_context(place, 8), pin);
    });
  }

  void enter(const Label& label) {
    a_.bind(label);
    for (const x86::Gp& saved : kept) a_.push(saved);
    a_.sub(x86::rsp, frame_size);
    a_.mov(on_stack(frame_slot), x86::rdi);
    a_.mov(context, in_frame(x86::rdi, &HostFrame::registers));
    a_.add(context, context_bias);
    a_.mov(accesses, in_frame(x86::rdi, &HostFrame::accesses));
    a_.mov(budget, in_frame(x86::rdi, &HostFrame::budget));
    a_.mov(x86::rax, in_frame(x86::rdi, &HostFrame::indirect));
    a_.mov(on_stack(indirect_slot), x86::rax);
    a_.mov(x86::rax, in_frame(x86::rdi, &HostFrame::fetched_lines));
    a_.mov(on_stack(fetch_slot), x86::rax);
    a_.mov(x86::rax, in_frame(x86::rdi, &HostFrame::predicted_branches));
    a_.mov(on_stack(branches_slot), x86::rax);
    a_.mov(x86::rax, in_frame(x86::rdi, &HostFrame::prediction_counters));
    a_.mov(on_stack(counters_slot), x86::rax);
    a_.mov(x86::rax, x86::rsi);
    begin_floating();
    load_pins();
    a_.jmp(x86::rax);
  }

  void leave(const Label& label) {
    a_.bind(label);
    store_pins();
    a_.mov(x86::rdi, on_stack(frame_slot));
    a_.mov(in_frame(x86::rdi, &HostFrame::exit, 4), x86::eax);
    a_.mov(in_frame(x86::rdi, &HostFrame::budget), budget);
    a_.mov(x86::rax, on_stack(target_slot));
    a_.mov(in_frame(x86::rdi, &HostFrame::target), x86::rax);
    settle_floating(0);
    a_.add(x86::rsp, frame_size);
    for (std::size_t i = kept.size(); i-- > 0;) a_.pop(kept[i]);
    a_.ret();
  }

  // The next two are called by translated code: rsp is 8 below a multiple of 16.
  void access(const Label& label) {
    a_.bind(label);
    a_.push(x86::rdx);
    a_.push(x86::rsi);
    a_.sub(x86::rsp, 8);
    store_pins();
    a_.mov(x86::rsi, x86::rax);
    a_.mov(x86::rdx, x86::rcx);
    call(&HostFrame::access, 32);
    a_.add(x86::rsp, 8);
    a_.pop(x86::rsi);
    a_.pop(x86::rdx);
    a_.test(x86::rax, x86::rax);
    a_.ret();
  }

  void run_one(const Label& label) {
    a_.bind(label);
    a_.sub(x86::rsp, 8);
    store_pins();
    settle_floating(16);
    call(&HostFrame::run_one, 16, mode_.floating != nullptr);
    a_.add(x86::rsp, 8);
    a_.test(x86::eax, x86::eax);
    a_.ret();
  }

  void fetch(const Label& label) {
    a_.bind(label);
    a_.sub(x86::rsp, 8);
    store_pins();
    a_.mov(x86::rsi, x86::rax);
    a_.mov(x86::rdx, x86::rcx);
    call(&HostFrame::fetch, 16);
    a_.add(x86::rsp, 8);
    a_.test(x86::al, x86::al);
    a_.ret();
  }

  void predict(const Label& label) {
    a_.bind(label);
    a_.sub(x86::rsp, 8);
    store_pins();
    call(&HostFrame::predict, 16);
    a_.add(x86::rsp, 8);
    a_.test(x86::al, x86::al);
    a_.ret();
  }

  void plain_accesses(const CommonLabels& labels) {
    if (!emits_plain(CacheSide::data)) {
      a_.bind(labels.plain_load);
      a_.bind(labels.plain_store);
      return plain(&HostFrame::plain_access, labels.access);
    }
    a_.bind(labels.plain_load);
    emit_plain_code(a_, mode_, CacheSide::data, false, labels.access);
    a_.bind(labels.plain_store);
    emit_plain_code(a_, mode_, CacheSide::data, true, labels.access);
  }
  void plain_fetches(const CommonLabels& labels) {
    a_.bind(labels.plain_fetch);
    if (emits_plain(CacheSide::fetch))
      emit_plain_code(a_, mode_, CacheSide::fetch, false, labels.fetch);
    else
      plain(&HostFrame::plain_fetch, labels.fetch);
  }
  bool emits_plain(CacheSide side) const {
    return mode_.memory != nullptr && has_plain_code(*mode_.memory, side);
  }

  // Calls a function that looks at no guest register; if it declines, goes on at `otherwise`.
  template <class Function>
  void plain(Function HostFrame::*function, const Label& otherwise) {
    constexpr std::array<x86::Gp, 9> saved = {x86::rax, x86::rcx, x86::rdx, x86::rsi, x86::rdi,
                                              x86::r8,  x86::r9,  x86::r10, x86::r11};
    constexpr std::int32_t bytes = 8 * saved.size();
    const auto restore = [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) {
        a_.mov(saved[i], on_stack(static_cast<std::int32_t>(8 * i)));
      }
    };
    const Label is_not = a_.newLabel();
    a_.sub(x86::rsp, bytes);
    for (std::size_t i = 0; i < saved.size(); ++i) {
      a_.mov(on_stack(static_cast<std::int32_t>(8 * i)), saved[i]);
    }
    a_.mov(x86::rdi, on_stack(frame_slot + bytes + 8));
    a_.mov(x86::rsi, x86::rax);
    a_.mov(x86::rdx, x86::rcx);
    a_.mov(x86::rcx, budget);
    a_.call(in_frame(x86::rdi, function));
    a_.sub(budget, x86::rdx);
    if (mode_.floating != nullptr) {
      a_.mov(x86::rdi, on_stack(frame_slot + bytes + 8));
      load_numbers_if_used();
    }
    restore(2, saved.size());
    a_.test(x86::rax, x86::rax);
    a_.jz(is_not);
    a_.lea(x86::rsp, x86::ptr(x86::rsp, bytes));
    a_.ret();
    a_.bind(is_not);
    restore(0, 2);
    a_.lea(x86::rsp, x86::ptr(x86::rsp, bytes));
    a_.jmp(otherwise);
  }

  // Called with two registers pushed, rax and rcx; keeps all others.
  void implicit_access(const Label& label) {
    constexpr std::array<x86::Gp, 7> saved = {x86::rdx, x86::rsi, x86::rdi, x86::r8,
                                              x86::r9,  x86::r10, x86::r11};
    constexpr std::int32_t bytes = 8 * saved.size();
    const Label is_over = a_.newLabel();
    a_.bind(label);
    a_.sub(x86::rsp, bytes);
    for (std::size_t i = 0; i < saved.size(); ++i) {
      a_.mov(on_stack(static_cast<std::int32_t>(8 * i)), saved[i]);
    }
    a_.mov(x86::rdi, on_stack(frame_slot + bytes + 24));
    a_.mov(x86::rsi, x86::rax);
    a_.mov(x86::rdx, budget);
    a_.call(in_frame(x86::rdi, &HostFrame::implicit_access));
    a_.cmp(x86::rax, static_cast<std::int32_t>(HostFrame::refused));
    a_.je(is_over);
    a_.sub(budget, x86::rax);
    if (mode_.frame) find_frame(a_, mode_);
    if (mode_.floating != nullptr) FloatingEmitter(a_, mode_).load_pinned();
    a_.test(x86::rsp, x86::rsp);  // no zero
    a_.bind(is_over);
    for (std::size_t i = 0; i < saved.size(); ++i) {
      a_.mov(saved[i], on_stack(static_cast<std::int32_t>(8 * i)));
    }
    a_.lea(x86::rsp, x86::ptr(x86::rsp, bytes));
    a_.ret();
  }

  // The budget becomes that until the first moment when the block's last instruction has issued. It
  // may be used up before the block is over; then the next block is asked, too. What has no moment
  // before is noted as well: it may have one if an instruction is slow.
  void note_moment(const Label& label) {
    constexpr unsigned cycles_shift = std::countr_zero(RunBudget::cycles(1));
    const x86::Gp exit = x86::rax, frame = x86::rcx, end = x86::rdi, issued = x86::r8;
    const x86::Gp spare = x86::rdx, noted = x86::rdx, tail = x86::rsi, moment = x86::rsi;
    const Label next = a_.newLabel(), is_behind = a_.newLabel(), refused = a_.newLabel();
    a_.bind(label);
    a_.push(end);
    a_.push(issued);
    a_.mov(frame, on_stack(frame_slot + 24));
    find_end(end, frame);
    a_.add(spare, end);
    a_.cmp(spare, in_frame(frame, &HostFrame::runs_until));
    a_.ja(refused);
    a_.mov(issued, end);
    a_.sub(issued, tail);
    a_.mov(moment, in_frame(frame, &HostFrame::moments));
    a_.mov(noted, in_frame(frame, &HostFrame::moments_next));
    a_.cmp(noted, in_frame(frame, &HostFrame::moments_end));
    a_.je(refused);
    a_.mov(in_noted(noted, offsetof(NotedMoment, exit)), exit);
    a_.mov(in_noted(noted, offsetof(NotedMoment, issued)), issued);
    a_.mov(in_noted(noted, offsetof(NotedMoment, ends_at)), end);
    a_.mov(in_noted(noted, offsetof(NotedMoment, moments)), moment);
    a_.add(in_frame(frame, &HostFrame::moments_next), sizeof(NotedMoment));
    a_.bind(next);
    a_.cmp(x86::ptr(moment, 0, 8), issued);
    a_.jae(is_behind);
    a_.add(moment, sizeof(Cycles));
    a_.jmp(next);
    a_.bind(is_behind);
    a_.mov(in_frame(frame, &HostFrame::moments), moment);
    a_.mov(end, x86::ptr(moment, 0, 8));
    a_.cmp(end, in_frame(frame, &HostFrame::runs_until));
    a_.cmova(end, in_frame(frame, &HostFrame::runs_until));
    a_.mov(issued, end);
    a_.sub(issued, in_frame(frame, &HostFrame::ends_at));
    a_.mov(in_frame(frame, &HostFrame::ends_at), end);
    a_.shl(issued, cycles_shift);
    a_.add(budget, issued);
    a_.pop(issued);
    a_.pop(end);
    a_.test(x86::rsp, x86::rsp);  // no zero
    a_.ret();
    a_.bind(refused);
    a_.pop(issued);
    a_.pop(end);
    a_.xor_(x86::eax, x86::eax);
    a_.ret();
  }

  // Called with one register pushed, rax; keeps all others.
  void is_noted(const Label& label) {
    const x86::Gp exit = x86::rax, frame = x86::rcx, end = x86::rdx, noted = x86::rcx;
    const Label is_known = a_.newLabel();
    constexpr std::size_t before = sizeof(NotedMoment);
    a_.bind(label);
    a_.push(x86::rcx);
    a_.push(x86::rdx);
    a_.mov(frame, on_stack(frame_slot + 32));
    find_end(end, frame);
    a_.mov(noted, in_frame(frame, &HostFrame::moments_next));
    a_.cmp(end, in_noted(noted, offsetof(NotedMoment, ends_at) - before));
    a_.jne(is_known);
    a_.cmp(exit, in_noted(noted, offsetof(NotedMoment, exit) - before));
    a_.bind(is_known);
    a_.pop(x86::rdx);
    a_.pop(x86::rcx);
    a_.ret();
  }

  // The cycle in which the block is over that has been charged.
  void find_end(const x86::Gp& end, const x86::Gp& frame) {
    a_.mov(end, budget);
    a_.sar(end, std::countr_zero(RunBudget::cycles(1)));
    a_.neg(end);
    a_.add(end, in_frame(frame, &HostFrame::ends_at));
  }
  static x86::Mem in_noted(const x86::Gp& noted, std::size_t offset) {
    return x86::ptr(noted, static_cast<std::int32_t>(offset), 8);
  }

  // rdi is the frame. To load them takes a tenth of what a miss does.
  void load_numbers_if_used() {
    const Label is_loaded = a_.newLabel();
    a_.cmp(in_frame(x86::rdi, &HostFrame::computes_with_numbers, 4), 0);
    a_.je(is_loaded);
    FloatingEmitter(a_, mode_).load_pinned();
    a_.bind(is_loaded);
  }

  // Calls an engine's function; the code's stack frame is `below` bytes up. `keeps_status`: the
  // function does not keep the floating-point unit's. To ask for it costs as much as a miss.
  template <class Function>
  void call(Function HostFrame::*function, std::int32_t below, bool keeps_status = false) {
    a_.mov(x86::rdi, on_stack(frame_slot + below));
    a_.mov(in_frame(x86::rdi, &HostFrame::budget), budget);
    if (keeps_status) a_.stmxcsr(in_record(kept_at, below));
    a_.call(in_frame(x86::rdi, function));
    if (keeps_status) keep_host_status(below);
    a_.mov(x86::rdi, on_stack(frame_slot + below));
    a_.mov(budget, in_frame(x86::rdi, &HostFrame::budget));
    load_pins();
  }

  // ---- Floating point (floating_status.h). The host's own status is of no use to anybody.
  static constexpr std::size_t last_at = offsetof(FloatingRecord, last);
  static constexpr std::size_t status_at = offsetof(FloatingRecord, host_status);
  static constexpr std::size_t plain_at = offsetof(FloatingRecord, plain_host_status);
  static constexpr std::size_t kept_at = offsetof(FloatingRecord, kept_host_status);

  static x86::Mem in_record(std::size_t offset, std::int32_t below, std::uint32_t bytes = 4) {
    return on_stack(record_slot + below + static_cast<std::int32_t>(offset), bytes);
  }

  void begin_floating() {
    if (mode_.floating == nullptr) return;
    const Label is_plain = a_.newLabel();
    a_.mov(in_record(last_at, 0), 0);
    a_.mov(in_record(plain_at, 0), plain_mxcsr);
    a_.stmxcsr(in_record(status_at, 0));
    a_.test(in_record(status_at, 0), mxcsr_exceptions);
    a_.jz(is_plain);
    a_.ldmxcsr(in_record(plain_at, 0));
    a_.bind(is_plain);
  }

  // The guest's status register becomes what it is. Registers are stored; keeps those that take a
  // function's arguments.
  void settle_floating(std::int32_t below) {
    if (mode_.floating == nullptr) return;
    const Label settle = a_.newLabel(), is_settled = a_.newLabel();
    a_.stmxcsr(in_record(status_at, below));
    a_.cmp(in_record(last_at, below), 0);
    a_.jne(settle);
    a_.test(in_record(status_at, below), mxcsr_exceptions);
    a_.jz(is_settled);
    a_.bind(settle);
    constexpr std::int32_t saved = 32;
    a_.sub(x86::rsp, saved);
    a_.mov(on_stack(0), x86::rsi);
    a_.mov(on_stack(8), x86::rdx);
    a_.mov(on_stack(16), x86::rcx);
    a_.lea(x86::rdi, in_record(0, below + saved));
    a_.lea(x86::rsi, in_context(mode_.floating->status_place, 4));
    a_.mov(x86::rdx, reinterpret_cast<std::uint64_t>(mode_.floating));
    a_.mov(x86::rax, reinterpret_cast<std::uint64_t>(&settle_floating_status));
    a_.call(x86::rax);
    a_.mov(x86::rsi, on_stack(0));
    a_.mov(x86::rdx, on_stack(8));
    a_.mov(x86::rcx, on_stack(16));
    a_.add(x86::rsp, saved);
    a_.bind(is_settled);
  }

  // The interpreter may have computed with numbers of its own.
  void keep_host_status(std::int32_t below) {
    const Label is_kept = a_.newLabel();
    a_.stmxcsr(in_record(status_at, below));
    a_.mov(x86::edi, in_record(status_at, below));
    a_.cmp(x86::edi, in_record(kept_at, below));
    a_.je(is_kept);
    a_.ldmxcsr(in_record(kept_at, below));
    a_.bind(is_kept);
  }

  x86::Assembler& a_;
  const GuestMode& mode_;
};

}  // namespace

CommonLabels emit_common(x86::Assembler& assembler, const GuestMode& mode) {
  return CommonEmitter(assembler, mode).emit();
}

}  // namespace hardclock
