/* What the dynamic loader fills in. */
char **__argv, **__envp, **_environ;
void *__load_info;
