/* HP-UX Reference, nl_langinfo(3C). CODESET as programs have it (Java Service Wrapper). */
#pragma once
enum { CODESET = 62 };
char* nl_langinfo(int);
