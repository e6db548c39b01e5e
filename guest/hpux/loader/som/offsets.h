/* What start.S knows of loader.h's structures; loader.c asserts it. */
#define UNBOUND_LINKAGE 12
