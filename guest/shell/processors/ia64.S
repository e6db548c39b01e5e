// The start of the shell on IA-64, 64 bits, and its call of the kernel.
// The inputs of a frame are the outputs of the one that called it.
        .text
        .explicit

#ifdef HPUX
// r32 argc, r33 argv, r34 the environment.
        .global $START$#
        .proc   $START$#
$START$:
        alloc   r35 = ar.pfs, 4, 3, 3, 0
1:      mov     r39 = ip
        movl    r38 = @gprel(1b)
        ;;
        sub     gp = r39, r38
        mov     r39 = r32
        mov     r40 = r33
        mov     r41 = r34
        br.call.sptk.many rp = shell#
        ;;
        break   0
        .endp   $START$#

// The vector of ar.k7 has the address to call for each number; then p14 says that r8 is an error's.
        .global kernel#
        .proc   kernel#
kernel:
        alloc   r38 = ar.pfs, 6, 3, 8, 0
        mov     r39 = rp
        mov     r40 = gp
        mov     r14 = ar.k7
        shl     r15 = r32, 3
        mov     r41 = r33
        mov     r42 = r34
        mov     r43 = r35
        mov     r44 = r36
        mov     r45 = r37
        mov     r46 = r0
        mov     r47 = r0
        mov     r48 = r0
        ;;
        add     r14 = r14, r15
        ;;
        ld8     r14 = [r14]
        mov     r8 = r32
        ;;
        mov     b7 = r14
        mov     r11 = ar.pfs
        br.call.sptk.many b6 = b7
        ;;
(p14)   sub     r8 = r0, r8
        mov     gp = r40
        ;;
        addl    r14 = @gprel(kernel_second#), gp
        ;;
        st8     [r14] = r9
        mov     ar.pfs = r38
        mov     rp = r39
        ;;
        br.ret.sptk.many rp
        ;;
        .endp   kernel#
#else
// argc is 16 bytes above sp, then argv and the environment (start_thread() of Linux).
        .global _start#
        .proc   _start#
_start:
        alloc   r32 = ar.pfs, 0, 2, 3, 0
1:      mov     r3 = ip
        movl    gp = @gprel(1b)
        adds    r14 = 16, sp
        adds    out1 = 24, sp
        ;;
        sub     gp = r3, gp
        ld8     out0 = [r14]
        ;;
        shladd  out2 = out0, 3, out1
        ;;
        adds    out2 = 8, out2
        br.call.sptk.many rp = shell#
        ;;
        break   0
        .endp   _start#

// The number in r15; r10 is -1 for an error, whose number is in r8 then.
        .global kernel#
        .proc   kernel#
kernel:
        alloc   r2 = ar.pfs, 6, 0, 6, 0
        mov     r15 = in0
        mov     out0 = in1
        mov     out1 = in2
        mov     out2 = in3
        mov     out3 = in4
        mov     out4 = in5
        mov     out5 = r0
        break   0x100000
        ;;
        cmp.eq  p6, p0 = -1, r10
        addl    r14 = @gprel(kernel_second#), gp
        ;;
(p6)    sub     r8 = r0, r8
        st8     [r14] = r9
        br.ret.sptk.many rp
        ;;
        .endp   kernel#
#endif

        .section .sbss, "aws", "nobits"
        .global kernel_second#
        .align  8
kernel_second:
        .skip   8
