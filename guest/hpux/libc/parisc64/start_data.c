/* What the start code of 64-bit programs, crt0.o, imports and fills in: words of 8 bytes all. */
long __argc, _CPU_REVISION, _CPU_KEYBITS_1, _FPU_MODEL, _FPU_REVISION, _SYSTEM_ID, __tls_size;
char **__argv, **__envp, **_environ;
void *__load_info, *__sysvec;
void* __scall_entry_table_addr; /* calls.S */
