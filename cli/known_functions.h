// Where the functions of a running program are, its shared objects' included: for exact calls.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/shared_objects.h"
#include "sim/engine/cpu.h"
#include "sim/engine/function_finder.h"
#include "sim/load/image.h"

namespace hardclock {

// Where calls may enter a function of the file beside its symbol; nullopt: nowhere.
std::optional<GuestAddr> inner_entry(const Image& file, GuestAddr function);

// Of the function, for Cpu::watch(): reached by each call.
WatchedPlace entry_of(const Image& file, GuestAddr function);

class KnownFunctions final : public FunctionFinder {
 public:
  // The program's image as it lies in memory, and its path as the guest sees it.
  KnownFunctions(std::shared_ptr<const Image> program, std::string path,
                 std::shared_ptr<SharedObjects> objects)
      : program_(std::move(program)), path_(std::move(path)), objects_(std::move(objects)) {}

  // In a file without symbols, or in none, what lies there together.
  FunctionRange find(const AddressSpace& memory, GuestAddr pc) override;

 private:
  std::shared_ptr<const Image> program_;
  std::string path_;
  std::shared_ptr<SharedObjects> objects_;
};

}  // namespace hardclock
