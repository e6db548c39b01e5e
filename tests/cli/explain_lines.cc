#include "tests/cli/explain_lines.h"

#include "tests/cli/scanner.h"

namespace hardclock::cli_test {

std::optional<ExplainLine> parse_explain(const std::string& line) {
  ExplainLine tick;
  std::uint64_t seconds = 0, microseconds = 0;
  Scanner scan(line);
  if (!scan.read(seconds) || !scan.skip(".") || !scan.read(microseconds)) return std::nullopt;
  if (!scan.skip("s cycle ") || !scan.read(tick.cycle)) return std::nullopt;
  tick.is_later = scan.skip(" system ticks,") || scan.skip(" fast tick that waited,") ||
                  scan.skip(" kernel exit without a tick,");
  tick.fast = !tick.is_later && scan.skip(" fast");
  if (!scan.skip(" pid ") || !scan.read(tick.pid)) return std::nullopt;
  if (!scan.skip(" pc ") || !scan.read_hex(tick.pc)) return std::nullopt;
  if (!scan.skip(" <") || !scan.skip_past(">: ")) return std::nullopt;
  tick.rest = scan.rest();
  return tick;
}

std::optional<CountedTick> parse_counted(const std::string& rest) {
  CountedTick tick;
  int region = 0;
  std::uint32_t rounded = 0;
  Scanner scan(rest);
  const bool place = scan.skip("region ") && scan.read(region) && scan.skip(" base ") &&
                     scan.read_hex(tick.base) && scan.skip(" size ") && scan.read(tick.size);
  const bool product = place && scan.skip(": (") && scan.read_hex(tick.pc) && scan.skip("-") &&
                       scan.read_hex(tick.offset) && scan.skip(")*") && scan.read_hex(tick.scale) &&
                       scan.skip(">>16 = ") && scan.read_hex(tick.quotient);
  if (product && scan.skip(", down to ") && !scan.read_hex(rounded)) return std::nullopt;
  const bool counted = product && scan.skip(" -> counter at ") && scan.read_hex(tick.counter) &&
                       scan.skip(": ") && scan.read(tick.before) && scan.skip(" -> ") &&
                       scan.read(tick.after);
  if (!counted) return std::nullopt;
  scan.skip(", wrapped");
  return scan.at_end() ? std::optional(tick) : std::nullopt;
}

// profil(2): "the value of offset is subtracted from the current value of the program counter (pc),
// and the remainder is multiplied by scale"; the scale is "a 16-bit fixed-point fraction". Counters
// are whole: the product's place is rounded down to one, which the IRIX 6.2 kernel was seen to do
// before it looks at the size.
std::string wrong_arithmetic(const CountedTick& tick, std::uint32_t width) {
  const std::uint64_t place = (std::uint64_t{tick.pc} - tick.offset) * tick.scale >> 16;
  if (place != tick.quotient) return "the product is " + std::to_string(place);
  if (tick.pc < tick.offset) return "the pc is below the region";
  if (place / width * width >= tick.size) return "the counter is behind the buffer";
  const std::uint64_t counter = tick.base + place / width * width;
  if (counter != tick.counter) return "the counter is at " + std::to_string(counter);
  const std::uint64_t limit = std::uint64_t{1} << 8 * width;
  if ((tick.before + 1) % limit != tick.after) return "not one more than before";
  return "";
}

}  // namespace hardclock::cli_test
