; Where the kernel enters the loader of 64-bit programs, with what start code gets: r26 argc, r25 argv,
; r24 envp, r23 the keybits, r22 the load information, at whose +0x10 is the address of the table of
; the calls' entries. And where a program's stub enters it to bind a call.
        .level  2.0w


        .text
        .export start,entry
start:
        b,l     L$here,%r1
        depdi   0,63,2,%r1
L$here:
        ldd     L$linkage-L$here(%r1),%r27
        ldo     15(%r30),%r30
        depdi   0,63,4,%r30
        std     %r0,-8(%r30)
        copy    %r30,%r8
        copy    %r26,%r3
        copy    %r25,%r4
        copy    %r24,%r5
        copy    %r23,%r6
        copy    %r22,%r7
        ldo     128(%r30),%r30
        ldd     0x10(%r22),%r2
        addil   LT'call_table,%r27
        ldd     RT'call_table(%r1),%r1
        std     %r2,0(%r1)
        copy    %r4,%r26
        copy    %r5,%r25
        copy    %r7,%r24
        b,l     load_program,%r2
        ldo     -48(%r30),%r29
        cmpb,*= %r0,%r28,L$no_start_code
        copy    %r3,%r26
        copy    %r4,%r25
        copy    %r5,%r24
        copy    %r6,%r23
        copy    %r7,%r22
        copy    %r8,%r30
        ldd     8(%r28),%r27
        ldd     0(%r28),%r1
        bve     (%r1)
        ldo     -16(%r30),%r29
L$no_start_code:
        copy    %r4,%r25
        copy    %r5,%r24
        b,l     run_program,%r2
        ldo     -48(%r30),%r29
        break   4,13

; The entry of an unbound import is this code and, in the place of gp, the import's struct unbound. All
; that may hold arguments is kept.
        .export bind_and_call,code
bind_and_call:
        std     %r2,-16(%r30)
        copy    %r27,%r31
        ldo     256(%r30),%r30
        std     %r26,-104(%r30)
        std     %r25,-112(%r30)
        std     %r24,-120(%r30)
        std     %r23,-128(%r30)
        std     %r22,-136(%r30)
        std     %r21,-144(%r30)
        std     %r20,-152(%r30)
        std     %r19,-160(%r30)
        std     %r28,-168(%r30)         ; where a structure is returned
        std     %r29,-176(%r30)         ; the argument pointer
        ldo     -240(%r30),%r1
        fstd,ma %fr4,8(%r1)
        fstd,ma %fr5,8(%r1)
        fstd,ma %fr6,8(%r1)
        fstd,ma %fr7,8(%r1)
        fstd,ma %fr8,8(%r1)
        fstd,ma %fr9,8(%r1)
        fstd,ma %fr10,8(%r1)
        fstd,ma %fr11,8(%r1)
        b,l     L$bind,%r1
        depdi   0,63,2,%r1
L$bind:
        ldd     L$linkage-L$bind(%r1),%r27
        copy    %r31,%r26
        b,l     bind,%r2
        ldo     -48(%r30),%r29
        copy    %r28,%r31               ; its result is the entry, now bound
        ldo     -240(%r30),%r1
        fldd,ma 8(%r1),%fr4
        fldd,ma 8(%r1),%fr5
        fldd,ma 8(%r1),%fr6
        fldd,ma 8(%r1),%fr7
        fldd,ma 8(%r1),%fr8
        fldd,ma 8(%r1),%fr9
        fldd,ma 8(%r1),%fr10
        fldd,ma 8(%r1),%fr11
        ldd     -104(%r30),%r26
        ldd     -112(%r30),%r25
        ldd     -120(%r30),%r24
        ldd     -128(%r30),%r23
        ldd     -136(%r30),%r22
        ldd     -144(%r30),%r21
        ldd     -152(%r30),%r20
        ldd     -160(%r30),%r19
        ldd     -168(%r30),%r28
        ldd     -176(%r30),%r29
        ldo     -256(%r30),%r30
        ldd     -16(%r30),%r2
        ldd     0(%r31),%r1
        bve     (%r1)
        ldd     8(%r31),%r27
        .align  8
L$linkage:
        .dword  __gp

; long system_call(a, b, c, d, e, f, number): the fifth argument, whose register has the number, is left
; in its home, which r29 tells.
        .export system_call,code
system_call:
        ldo     -48(%r30),%r29
        std     %r22,-32(%r29)
        addil   LT'call_table,%r27
        ldd     RT'call_table(%r1),%r1
        ldd     0(%r1),%r1
        copy    %r20,%r22
        shladd,l %r22,3,%r1,%r1
        ldd     0(%r1),%r1
        ble     0(%sr4,%r1)
        nop
        or,*=   %r0,%r22,%r0
        sub     %r0,%r28,%r28
        bve,n   (%r2)

        .data
        .align  8
        .export call_table,data
call_table:
        .dword  0
