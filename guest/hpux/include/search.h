/* HP-UX Reference, bsearch(3C), hsearch(3C), insque(3C), lsearch(3C), tsearch(3C); numbers as X/Open has
 * them in this order. */
#pragma once
#include <stddef.h>
typedef enum { FIND, ENTER } ACTION;
typedef enum { preorder, postorder, endorder, leaf } VISIT;
typedef struct entry {
  char* key;
  void* data;
} ENTRY;
typedef int _hc_comparison(const void*, const void*);
int hcreate(size_t);
ENTRY* hsearch(ENTRY, ACTION);
void hdestroy(void), insque(void*, void*), remque(void*);
void* lsearch(const void*, void*, size_t*, size_t, _hc_comparison*);
void* lfind(const void*, const void*, size_t*, size_t, _hc_comparison*);
void* tdelete(const void*, void**, _hc_comparison*);
void* tfind(const void*, void* const*, _hc_comparison*);
void* tsearch(const void*, void**, _hc_comparison*);
void twalk(const void*, void (*)(const void*, VISIT, int));
