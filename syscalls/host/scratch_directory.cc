#include "syscalls/host/scratch_directory.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "syscalls/host/temporary_file.h"

namespace hardclock::host {

std::unique_ptr<ScratchDirectory> ScratchDirectory::create() {
  const auto parent = temporary_directory();
  if (!parent) return nullptr;
  std::string path = *parent + "/hardclock-tmp-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return nullptr;
  return std::unique_ptr<ScratchDirectory>(new ScratchDirectory(std::move(path)));
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  // remove_all takes a directory for a file first, which the sandbox refuses in the one above.
  ::rmdir(path_.c_str());
}

}  // namespace hardclock::host
