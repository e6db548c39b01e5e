/* nl_langinfo(3C) in the C locale, whose code set GNU's libcharset knows by this name on HP-UX. */
#include <langinfo.h>

char* nl_langinfo(int item) {
  return item == CODESET ? "roman8" : "";
}
