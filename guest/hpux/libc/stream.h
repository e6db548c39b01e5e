/* What the files of stdio share. */
#pragma once
#include <stdio.h>

#pragma GCC visibility push(hidden) /* no program sees these */

/* Gives an unbuffered stream a buffer for a while. Whether it did. */
int lend_buffer(FILE* stream, unsigned char* room, size_t size);
void take_buffer_back(FILE* stream);

int descriptor_of(const FILE* stream);
FILE* new_stream(void);                                      /* null: EMFILE */
FILE* open_stream(FILE* stream, int file, const char* mode); /* attaches it */
int open_flags(const char* mode);                            /* of open(2); -1: no mode */
int flush(FILE* stream);                                     /* what is to be written */
int start_writing(FILE* stream);                             /* 0, or EOF */

/* fseek(), ftell() with places of 64 bits, as files of 32-bit programs may have them. */
long long _hc_tell(FILE* stream);
int _hc_seek(FILE* stream, long long offset, int whence);

#pragma GCC visibility pop
