// Keeps a function's code address over its first call, which binds it, and loads gp anew for the second, as code by
// HP's compiler does (curl for HP-UX on IA-64, of github.com/radareorg/radare2-testbins). r14 is the caller's gp.
        .text
        .proc   main#
        .global main#
        .align  32
main:
        alloc   r35 = ar.pfs, 3, 6, 1, 0
        mov     r36 = rp
        mov     r37 = gp
        mov     r40 = b1
        addl    r38 = @pltoff(puts#), gp
        addl    r39 = @gprel(line), gp ;;
        mov     r41 = r39
        mov     r14 = gp
        ld8     r15 = [r38], 8 ;;
        ld8     gp = [r38]
        mov     b1 = r15
        br.call.sptk.many rp = b1 ;;
        mov     r41 = r39
        mov     r14 = r37
        ld8     gp = [r38]
        br.call.sptk.many rp = b1 ;;
        mov     gp = r37
        cmp.eq  p6, p0 = r0, r0 ;;
(p6)    br.cond.sptk.few leave
        br.call.sptk.many rp = puts# ;; // for which the linker makes code for a call that is not bound
leave:
        mov     b1 = r40
        mov     r8 = 0
        mov     rp = r36
        mov     ar.pfs = r35
        br.ret.sptk.many rp ;;
        .endp   main#

        .section .rodata, "a", "progbits"
line:   stringz "called"
