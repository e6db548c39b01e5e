#pragma once
int isalnum(int), isalpha(int), isblank(int), iscntrl(int), isdigit(int), isgraph(int), islower(int),
    isprint(int);
int ispunct(int), isspace(int), isupper(int), isxdigit(int), isascii(int), toascii(int);
int tolower(int), toupper(int), _tolower(int), _toupper(int);
