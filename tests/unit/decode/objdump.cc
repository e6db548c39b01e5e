#include "tests/unit/decode/objdump.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "sim/base/endian.h"

namespace hardclock {
namespace {

// A file of the bytes that is removed at the end.
class BytesFile {
 public:
  explicit BytesFile(std::span<const std::uint8_t> bytes) {
    const char* const folder = std::getenv("TEST_TMPDIR");
    path_ = std::string(folder != nullptr ? folder : "/tmp") + "/bytes-XXXXXX";
    const int descriptor = mkstemp(path_.data());
    if (descriptor >= 0) close(descriptor);
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  ~BytesFile() { std::remove(path_.c_str()); }
  BytesFile(const BytesFile&) = delete;
  BytesFile& operator=(const BytesFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// "  400000:\t27bdffe8 \taddiu\tsp,sp,-24" -> "addiu\tsp,sp,-24"; empty for other lines.
std::string instruction_text(const std::string& line) {
  const std::size_t colon = line.find(":\t");
  if (colon == std::string::npos) return "";
  const std::size_t tab = line.find('\t', colon + 2);
  return tab == std::string::npos ? "" : line.substr(tab + 1);
}

}  // namespace

bool has_objdump(const std::string& target) {
  return std::system(("command -v " + target + "-objdump >/dev/null 2>&1").c_str()) == 0;
}

std::vector<std::string> objdump(const std::string& target, const std::vector<std::uint32_t>& words,
                                 GuestAddr base, const std::string& machine) {
  std::vector<std::uint8_t> bytes(4 * words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    store_bytes(bytes.data() + 4 * i, words[i], Endian::big);
  }
  return objdump_bytes(target, bytes, base, "-EB -m " + machine);
}

std::vector<std::string> objdump_bytes(const std::string& target,
                                       std::span<const std::uint8_t> bytes, GuestAddr base,
                                       const std::string& options) {
  const BytesFile file(bytes);
  const std::string command = target + "-objdump -D -z -b binary " + options +
                              " --adjust-vma=" + std::to_string(base.value()) + " '" + file.path() +
                              "'";
  std::vector<std::string> texts;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return texts;
  std::array<char, 256> buffer;
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) {
    std::string line = buffer.data();
    if (line.ends_with('\n')) line.pop_back();
    if (std::string text = instruction_text(line); !text.empty()) texts.push_back(std::move(text));
  }
  pclose(pipe);
  return texts;
}

}  // namespace hardclock
