#include "sim/report/viewers/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sim/base/check.h"

namespace hardclock::report {

std::string gzipped(std::string_view bytes) {
  constexpr int gzip_format = 16;  // zlib.h, deflateInit2(): a gzip header whose time is 0
  constexpr int memory_level = 8;
  z_stream stream{};
  const int begun = deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                 MAX_WBITS + gzip_format, memory_level, Z_DEFAULT_STRATEGY);
  CHECK(begun == Z_OK);
  std::string packed;
  std::array<char, 65536> part;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0) {
      const std::size_t more =
          std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(more);
      bytes.remove_prefix(more);
    }
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = part.size();
    status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    CHECK(status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR);
    packed.append(part.data(), part.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return packed;
}

}  // namespace hardclock::report
