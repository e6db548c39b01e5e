/* PA-RISC, 64 bits. A pointer to a function is the address of a descriptor, whose entry is 16 bytes
 * behind that. */
enum { machine = 15, pointer_offset = 16 };
#define default_path "/usr/lib/pa20_64:/lib/pa20_64"
