/* IA-64. A pointer to a function is the address of an entry. */
enum { machine = 50, pointer_offset = 0 };
#if __SIZEOF_POINTER__ == 8
#define default_path "/usr/lib/hpux64:/lib/hpux64"
#else
#define default_path "/usr/lib/hpux32:/lib/hpux32"
#endif
