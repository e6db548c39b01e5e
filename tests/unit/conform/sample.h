// A small file of cases that tests take apart. Its only source is this test: it is about the
// format, not about a kernel.
#pragma once

#include <string>
#include <string_view>

namespace hardclock::conform {

inline constexpr std::string_view sample_file = R"({
 "format": "hardclock profil conformance cases, v1",
 "conventions": {"anything": ["goes", 1]},
 "cases": [
  {
   "id": "T-1",
   "title": "two ticks",
   "system": "irix",
   "call": "profil",
   "args": {"buff": "BUF", "bufsiz": 64, "offset": "0x400000", "scale": 32768},
   "initial": {"mem": [
    {"name": "BUF", "addr": "0x10010000", "size": 64, "width": 2,
     "set": {"2": {"0": 7}}, "prot": "rw"},
    {"name": "B2", "addr": "0x10020000", "size": 4, "width": 4}
   ]},
   "events": [
    {"tick": {"pc": "0x400004", "n": 2}},
    {"run": {"pc": "BUF+0x10", "ms": 10}},
    {"call": {"name": "sprofil",
     "args": {"profp": [{"pr_base": "BUF+8", "pr_size": 16, "pr_offset": "0x400000",
                         "pr_scale": 32768}],
              "profcnt": 1, "tvp": "TV", "flags": "PROF_UINT|PROF_FAST"},
     "expect": {"ret": 0, "errno": null, "tv": {"tv_sec": 0, "tv_usec": 1000}}}},
    {"sproc": {"child": 2, "share": "PR_SADDR"}},
    {"thread_create": {"tid": 2, "pid": 2}},
    {"mprotect": {"addr": "B2", "size": 4, "prot": "r", "pid": 2, "tid": 2}},
    {"poke": {"addr": "BUF+62", "width": 2, "value": 513}},
    {"exec": {"ok": false}}
   ],
   "expect": {"ret": 0, "errno": null,
              "counters": {"1": {"BUF": {"0": 7, "1": 2, "31": 513}, "B2": {}}},
              "profiling": {"1": "on", "2": null}},
   "source": ["this test"],
   "certainty": "inferred",
   "ambiguity": "A-I1",
   "note": "none"
  }
 ]
})";

inline constexpr std::string_view observations = R"({
 "what": "observations",
 "kernels": {"v7_pdp11": "a kernel"},
 "preset": "explained",
 "rows": [
  {"system": "v7_pdp11", "buff": 24576, "bufsiz": 64, "offset": 32768, "scale": 65535, "pc": 32772,
   "observed_element": 2},
  {"system": "bsd43_vax", "buff": 98304, "bufsiz": 64, "offset": 524288, "scale": 65536,
   "pc": 524288, "observed_element": 0, "preset": 32767, "ticks": 23, "final": 32806},
  {"system": "v7_pdp11", "buff": 24577, "bufsiz": 64, "offset": 0, "scale": 0, "pc": 2,
   "observed_element": null, "note": "off"}
 ]
})";

// `text` with the one occurrence of `from` replaced; empty when there is not exactly one.
inline std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string_view::npos || text.find(from, at + 1) != std::string_view::npos) return {};
  return std::string(text.substr(0, at)) + std::string(to) +
         std::string(text.substr(at + from.size()));
}

}  // namespace hardclock::conform
