#pragma once
#define CHAR_BIT 8
#define INT_MAX __INT_MAX__
#define UINT_MAX (2u * INT_MAX + 1)
#define LONG_MAX __LONG_MAX__
#define SIZE_MAX __SIZE_MAX__
#define MB_LEN_MAX 1
#define PATH_MAX 1024
#define RE_DUP_MAX 255
#define CHARCLASS_NAME_MAX 14
