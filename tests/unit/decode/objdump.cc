#include "tests/unit/decode/objdump.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "sim/base/endian.h"

namespace hardclock {
namespace {

// A file of the words that is removed at the end.
class WordsFile {
 public:
  explicit WordsFile(const std::vector<std::uint32_t>& words) {
    const char* const folder = std::getenv("TEST_TMPDIR");
    path_ = std::string(folder != nullptr ? folder : "/tmp") + "/words-XXXXXX";
    const int descriptor = mkstemp(path_.data());
    if (descriptor >= 0) close(descriptor);
    std::ofstream out(path_, std::ios::binary);
    for (const std::uint32_t word : words) {
      std::array<char, 4> bytes;
      store_bytes(bytes.data(), word, Endian::big);
      out.write(bytes.data(), bytes.size());
    }
  }
  ~WordsFile() { std::remove(path_.c_str()); }
  WordsFile(const WordsFile&) = delete;
  WordsFile& operator=(const WordsFile&) = delete;

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
  const WordsFile file(words);
  const std::string command = target + "-objdump -D -z -b binary -EB -m " + machine +
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
