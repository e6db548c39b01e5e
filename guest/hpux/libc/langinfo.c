/* nl_langinfo(3C). GNU's libcharset knows the sets by these names on HP-UX; the C locale's is Roman-8. */
#include <langinfo.h>

#include "codeset.h"

char* nl_langinfo(int item) {
  static const char* const names[] = {"roman8", "iso88591", "roman8", "utf8"};
  return item == CODESET ? (char*)names[_hc_codeset_data] : "";
}
