#include "cli/pipeline_setup.h"

#include <charconv>
#include <cstdint>
#include <system_error>

#include "cli/known_functions.h"

namespace hardclock {

std::optional<WatchedPlace> place_of(const std::string& where, const Image& image) {
  if (const Symbol* const symbol = image.symbols.find(where))
    return entry_of(image, symbol->address);
  if (!where.starts_with("0x")) return std::nullopt;
  std::uint64_t address = 0;
  const char* const last = where.data() + where.size();
  const auto [end, error] = std::from_chars(where.data() + 2, last, address, 16);
  if (error != std::errc() || end != last) return std::nullopt;
  return WatchedPlace{.pc = GuestAddr(address)};
}

void show_pipeline(Cpu& cpu, const PipelineSetup& setup, const posix::Program& program,
                   const std::shared_ptr<const Disassembler>& disassembler,
                   std::string (*register_name)(Resource)) {
  PipelineView* const view = setup.view;
  if (view->has_begun() && !view->shows()) return;
  const auto from = place_of(setup.where, *program.image);
  if (from && (!from->is_function || setup.program == program.path))
    cpu.watch(*from, view->awaited());
  cpu.observe_timing({[view, disassembler, register_name](const InstructionTimes& times) {
                        if (!view->shows()) return;
                        view->add(times, disassembler->disassemble(times.text),
                                  times.awaited ? register_name(*times.awaited) : "a register");
                      },
                      [view] { return view->shows(); }});
}

}  // namespace hardclock
