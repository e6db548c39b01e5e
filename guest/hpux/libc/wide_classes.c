/* wctype(3C). */
#include <string.h>
#include <wchar.h>

typedef int classifier(wint_t);

int iswblank(wint_t c) {
  return c == ' ' || c == '\t';
}

static const struct {
  const char* name;
  classifier* is_in;
} classes[] = {{"alnum", iswalnum}, {"alpha", iswalpha}, {"blank", iswblank}, {"cntrl", iswcntrl},
               {"digit", iswdigit}, {"graph", iswgraph}, {"lower", iswlower}, {"print", iswprint},
               {"punct", iswpunct}, {"space", iswspace}, {"upper", iswupper}, {"xdigit", iswxdigit}};
enum { class_count = sizeof classes / sizeof *classes };

wctype_t wctype(const char* name) {
  for (unsigned i = 0; i < class_count; ++i) {
    if (strcmp(classes[i].name, name) == 0) return i + 1;
  }
  return 0;
}
int iswctype(wint_t c, wctype_t class) {
  return class != 0 && class <= class_count && classes[class - 1].is_in(c);
}
