#include <cstddef>

#include "sim/translator/block_emitter.h"
#include "sim/translator/host_frame.h"
#include "sim/translator/host_registers.h"

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
                              a_.newLabel()};
    enter(labels.enter);
    leave(labels.leave);
    access(labels.access);
    run_one(labels.run_one);
    fetch(labels.fetch);
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
    a_.mov(x86::rax, x86::rsi);
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
    a_.mov(x86::edx, x86::ecx);
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
    call(&HostFrame::run_one, 16);
    a_.add(x86::rsp, 8);
    a_.test(x86::eax, x86::eax);
    a_.ret();
  }

  void fetch(const Label& label) {
    a_.bind(label);
    a_.sub(x86::rsp, 8);
    store_pins();
    a_.mov(x86::esi, x86::ecx);
    call(&HostFrame::fetch, 16);
    a_.add(x86::rsp, 8);
    a_.test(x86::al, x86::al);
    a_.ret();
  }

  // Calls an engine's function; the code's stack frame is `below` bytes up.
  template <class Function>
  void call(Function HostFrame::*function, std::int32_t below) {
    a_.mov(x86::rdi, on_stack(frame_slot + below));
    a_.mov(in_frame(x86::rdi, &HostFrame::budget), budget);
    a_.call(in_frame(x86::rdi, function));
    a_.mov(x86::rdi, on_stack(frame_slot + below));
    a_.mov(budget, in_frame(x86::rdi, &HostFrame::budget));
    load_pins();
  }

  x86::Assembler& a_;
  const GuestMode& mode_;
};

}  // namespace

CommonLabels emit_common(x86::Assembler& assembler, const GuestMode& mode) {
  return CommonEmitter(assembler, mode).emit();
}

}  // namespace hardclock
