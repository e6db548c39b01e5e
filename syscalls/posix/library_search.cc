#include "syscalls/posix/library_search.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "sim/load/load.h"

namespace hardclock::posix {
namespace {

constexpr std::size_t most_libraries = 128, most_places = 4096;
constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;

// Only absolute ones: the meaning of a relative one depends on where the program goes later.
void add_directories(std::vector<std::string>& directories, std::string_view list) {
  constexpr std::size_t most_directories = 64;
  while (!list.empty() && directories.size() < most_directories) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (list.starts_with('/')) directories.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

void add_directories_of(std::string_view variable, const Program& program,
                        std::vector<std::string>& directories) {
  for (const std::string& setting : program.environment) {
    if (setting.starts_with(variable)) {
      add_directories(directories, std::string_view(setting).substr(variable.size()));
    }
  }
}

bool is_for_hpux(const Image& image) {
  constexpr std::uint8_t os_abi_hpux = 1;
  return image.format == FileFormat::som || image.os_abi == os_abi_hpux;
}

std::vector<std::string> directories_for(const Port& port, const Program& program,
                                         const Image& asking) {
  std::vector<std::string> directories;
  add_directories_of("LD_LIBRARY_PATH=", program, directories);
  if (is_for_hpux(*program.image)) add_directories_of("SHLIB_PATH=", program, directories);
  add_directories(directories, asking.library_path);
  directories.insert(directories.end(), port.library_directories.begin(),
                     port.library_directories.end());
  return directories;
}

class Search {
 public:
  Search(host::GuestFiles& files, const Port& port, Program& program)
      : files_(files), port_(port), program_(program) {}

  void run() {
    add_libraries_of(*program_.image);
    if (program_.linker != nullptr) add_libraries_of(*program_.linker);
    for (std::size_t i = 0; i < program_.libraries.size(); ++i) {
      // Adding moves what the vector holds.
      const std::shared_ptr<const Image> asking = program_.libraries[i].image;
      add_libraries_of(*asking);
    }
  }

 private:
  void add_libraries_of(const Image& asking) {
    for (const std::string& name : asking.libraries) {
      if (program_.libraries.size() == most_libraries || !names_.insert(name).second) continue;
      if (name.find('/') != std::string::npos) {
        try_path(name);
        continue;
      }
      for (const std::string& directory : directories_for(port_, program_, asking)) {
        if (try_path(directory + "/" + name)) break;
      }
    }
  }

  // Whether the library is there; the dynamic linker itself is one that the program has already.
  bool try_path(const std::string& name) {
    const auto path = host::GuestPath::parse("/", name);
    if (!path || places_ == most_places) return false;
    ++places_;
    if (program_.image->interpreter == path->text()) return true;
    const auto image = load_library_file(files_, *path, room_);
    if (image == nullptr || !can_share_process(*image, *program_.image)) return false;
    program_.libraries.push_back({path->text(), image});
    return true;
  }

  host::GuestFiles& files_;
  const Port& port_;
  Program& program_;
  std::set<std::string> names_;
  std::size_t places_ = 0;
  std::uint64_t room_ = most_bytes;
};

}  // namespace

void find_libraries(host::GuestFiles& files, const Port& port, Program& program) {
  program.libraries.clear();
  Search(files, port, program).run();
}

}  // namespace hardclock::posix
