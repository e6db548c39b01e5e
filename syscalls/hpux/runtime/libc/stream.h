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

#pragma GCC visibility pop
