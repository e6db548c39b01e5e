; As HP's crt0.o: what a 64-bit program starts with once the loader has bound it.
        .level  2.0w
        .text
        .export $START$,entry
$START$:
        .proc
        .callinfo frame=128,calls
        .entry
        ldo     128(%r30),%r30
        b,l     _start,%r2
        ldo     -48(%r30),%r29
        break   4,13
        .exit
        .procend
