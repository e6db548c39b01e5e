// Where the kernel enters the loader of IA-64 programs, in both data models: r32 argc, r33 argv, r34
// envp, r35 the load information. And where a linkage table's unbound entry leads.
        .text
        .macro  OWN_LINKAGE
1:      mov     r14 = ip
        movl    r15 = @gprel(1b) ;;
        sub     gp = r14, r15
        .endm

        .proc   start#
        .global start#
        .align  32
start:
        alloc   r36 = ar.pfs, 4, 1, 3, 0
        OWN_LINKAGE
        mov     r37 = r33
        mov     r38 = r34
        mov     r39 = r35
        br.call.sptk.many rp = load_program# ;;
        OWN_LINKAGE
        mov     r37 = r32
        mov     r38 = r33
        mov     r39 = r34
        br.call.sptk.many rp = run_program# ;;
        break   0
        .endp   start#

// Binds what the outputs from r43 on mean, and goes there. All that may hold arguments is kept.
        .macro  BIND_AND_GO function
        mov     r41 = rp
        mov     r42 = r8                // where a structure is returned
        adds    r16 = 0, sp
        adds    r17 = -16, sp
        adds    sp = -144, sp ;;
        stf.spill [r16] = f8, -32
        stf.spill [r17] = f9, -32 ;;
        stf.spill [r16] = f10, -32
        stf.spill [r17] = f11, -32 ;;
        stf.spill [r16] = f12, -32
        stf.spill [r17] = f13, -32 ;;
        stf.spill [r16] = f14
        stf.spill [r17] = f15
        OWN_LINKAGE
        br.call.sptk.many rp = \function ;;
#ifdef __LP64__
        mov     r14 = r8
#else
        addp4   r14 = 0, r8
#endif
        adds    r16 = 144, sp
        adds    r17 = 128, sp ;;
        ldf.fill f8 = [r16], -32
        ldf.fill f9 = [r17], -32 ;;
        ldf.fill f10 = [r16], -32
        ldf.fill f11 = [r17], -32 ;;
        ldf.fill f12 = [r16], -32
        ldf.fill f13 = [r17], -32 ;;
        ldf.fill f14 = [r16]
        ldf.fill f15 = [r17]
        ld8     r15 = [r14], 8 ;;
        ld8     gp = [r14]
        mov     b6 = r15
        mov     rp = r41
        mov     r8 = r42
        mov     ar.pfs = r40
        adds    sp = 144, sp ;;
        br.sptk.many b6 ;;
        .endm

// gp is the import's struct unbound.
        .proc   bind_and_call#
        .global bind_and_call#
        .align  32
bind_and_call:
        alloc   r40 = ar.pfs, 8, 3, 1, 0
        mov     r43 = gp
        BIND_AND_GO bind#
        .endp   bind_and_call#

// r16 is the object whose code for unbound calls was entered, r15 the call's number.
        .proc   bind_by_number#
        .global bind_by_number#
        .align  32
bind_by_number:
        alloc   r40 = ar.pfs, 8, 3, 2, 0
        mov     r43 = r16
        mov     r44 = r15
        BIND_AND_GO bind_call#
        .endp   bind_by_number#

// long system_call(a, b, c, d, e, f, number), by the table of ar.k7.
        .proc   system_call#
        .global system_call#
        .align  32
system_call:
        alloc   r39 = ar.pfs, 7, 2, 6, 0
        mov     r40 = rp
        mov     r14 = ar.k7
        mov     r41 = r32
        mov     r42 = r33
        mov     r43 = r34
        mov     r44 = r35
        mov     r45 = r36
        mov     r46 = r37
        sxt4    r8 = r38 ;;
        shladd  r14 = r8, 3, r14 ;;
        ld8     r14 = [r14] ;;
        mov     b7 = r14
        mov     r11 = ar.pfs
        br.call.sptk.many b6 = b7 ;;
(p14)   sub     r8 = r0, r8
        mov     ar.pfs = r39
        mov     rp = r40 ;;
        br.ret.sptk.many rp ;;
        .endp   system_call#
