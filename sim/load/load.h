// Any executable file -> Image.
#pragma once

#include <cstdint>
#include <span>

#include "sim/base/result.h"
#include "sim/load/file_window.h"
#include "sim/load/image.h"
#include "sim/load/load_error.h"
#include "sim/load/load_options.h"

namespace hardclock {

// Loads an executable file; its magic number tells the format. The Image owns everything it needs:
// the file may be closed afterwards.
Result<Image, LoadError> load_image(FileWindow& file, const LoadOptions& options = {});
// The same for a file whose whole content is `bytes`.
Result<Image, LoadError> load_image(std::span<const std::uint8_t> bytes);

// Whether the file is a shared library, which is no program. A dynamic linker, which can be
// started, counts as a program.
bool is_library(FileWindow& file);

// The same as load_image() for a shared object, which need not be a program.
Result<Image, LoadError> load_library(FileWindow& file, const LoadOptions& options = {});
Result<Image, LoadError> load_library(std::span<const std::uint8_t> bytes);

}  // namespace hardclock
