/* HP-UX Reference, regcomp(3C). The layouts and REG_EXTENDED and REG_ICASE are those of 32-bit programs
 * (bash for IA-64); the other numbers are musl's, as no program has shown HP's. */
#pragma once
#include <stddef.h>
typedef struct {
  void *__opaque, *__unused[5];
  size_t re_nsub, __unused_end;
} regex_t;
typedef int regoff_t;
typedef struct {
  regoff_t rm_so, rm_eo;
} regmatch_t;
#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8
#define REG_NOTBOL 1
#define REG_NOTEOL 2
#define REG_OK 0
#define REG_NOMATCH 1
#define REG_BADPAT 2
#define REG_ECOLLATE 3
#define REG_ECTYPE 4
#define REG_EESCAPE 5
#define REG_ESUBREG 6
#define REG_EBRACK 7
#define REG_EPAREN 8
#define REG_EBRACE 9
#define REG_BADBR 10
#define REG_ERANGE 11
#define REG_ESPACE 12
#define REG_BADRPT 13
int regcomp(regex_t*, const char*, int);
int regexec(const regex_t*, const char*, size_t, regmatch_t*, int);
void regfree(regex_t*);
size_t regerror(int, const regex_t*, char*, size_t);
