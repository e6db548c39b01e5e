; What GCC calls for divisions of 32 bits: r26 / r25 to r29, by way of r2; r1 is free, too.
        .level  2.0w
        .text

; Unsigned, of 64 bits: the quotient in r26, of which a bit a step enters on the right while the
; dividend leaves on the left, the rest in r29. r1 counts in its lower half.
        .macro  DIVIDE
        ldi     0,%r29
        ldo     64(%r1),%r1
L$step\@:
        shrpd   %r29,%r26,63,%r29
        add,l   %r26,%r26,%r26
        cmpb,*<<,n %r29,%r25,L$next\@
        sub     %r29,%r25,%r29
        ldo     1(%r26),%r26
L$next\@:
        addib,> -1,%r1,L$step\@
        nop
        .endm

        .macro  UNSIGNED name, result
        .export \name,millicode
        .hidden \name
\name:
        extrd,u %r26,63,32,%r26
        extrd,u %r25,63,32,%r25
        ldi     0,%r1
        DIVIDE
        bve     (%r2)
        copy    \result,%r29
        .endm

        .macro  MAGNITUDE register
        extrd,s \register,63,32,\register
        cmpclr,*<= %r0,\register,%r0
        sub     %r0,\register,\register
        .endm

; The sign of the result waits in the upper half of r1.
        .macro  SIGNED result
        extrd,u %r1,32,1,%r1
        depd,z  %r1,31,32,%r1
        MAGNITUDE %r26
        MAGNITUDE %r25
        DIVIDE
        copy    \result,%r29
        extrd,u,*= %r1,31,1,%r0
        sub     %r0,%r29,%r29
        bve,n   (%r2)
        .endm

        UNSIGNED $$divU, %r26
        UNSIGNED $$remU, %r29

        .export $$divI,millicode
        .hidden $$divI
$$divI:
        xor     %r26,%r25,%r1
        SIGNED  %r26

        .export $$remI,millicode
        .hidden $$remI
$$remI:
        copy    %r26,%r1
        SIGNED  %r29
