// Code for loads and stores of memory that the table of accesses knows.
#pragma once

#include <asmjit/x86.h>

#include "sim/translator/block_source.h"
#include "sim/translator/host_frame.h"
#include "sim/translator/value_emitter.h"

namespace hardclock {

class AccessEmitter {
 public:
  // The code jumps to `missed`, with the guest's address in rax, if the table does not know the
  // access. It goes on at `back` with the host's address there.
  struct Miss {
    asmjit::Label missed, back;
  };

  AccessEmitter(asmjit::x86::Assembler& assembler, const GuestMode& mode, ValueEmitter& values)
      : a_(assembler), mode_(mode), values_(values) {}

  // The value is that of step `index` from then on.
  Miss load(StepIndex index, const Step& step, const AccessSite& site);
  Miss store(const Step& step, const AccessSite& site);

 private:
  // The host's address comes to rax.
  Miss translate(StepIndex address, const AccessSite& site);

  asmjit::x86::Assembler& a_;
  const GuestMode& mode_;
  ValueEmitter& values_;
};

}  // namespace hardclock
