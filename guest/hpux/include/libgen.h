/* HP-UX Reference, basename(3C). */
#pragma once
char *basename(char*), *dirname(char*);
