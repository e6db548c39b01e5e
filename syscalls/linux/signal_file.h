// The file of signalfd(2): whoever reads it takes signals that are pending for himself. So it is
// ready for some threads and not for others.
#pragma once

#include <cstdint>

#include "sim/process/process.h"
#include "sim/process/signals.h"
#include "syscalls/linux/epoll.h"

namespace hardclock::gnu_linux {

class SignalFile final : public AnonymousFile {
 public:
  // `signals`: none that cannot be blocked.
  SignalFile(host::FileRecords& records, const SignalSet& signals)
      : AnonymousFile(records, "anon_inode:[signalfd]"), signals_(signals) {}

  SignalFile() = default;

  const SignalSet& signals() const { return signals_; }
  void take_only(const SignalSet& signals) { signals_ = signals; }
  void count_taken() { ++taken_; }

  bool readable(const Thread* asker) const override;
  bool writable(std::size_t) const override { return false; }
  std::uint64_t activity(const Thread* asker) const override;
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<SignalFile>(); }

 private:
  SignalSet signals_;
  std::uint64_t taken_ = 0;  // by reads
};

}  // namespace hardclock::gnu_linux
