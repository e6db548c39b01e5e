// The start of a static program, and what C cannot say: calls of the kernel with two results, a
// clone2() whose child is on other stacks, and values in the register stack.
// Linux, arch/ia64/include/asm/processor.h, start_thread(): argc is 16 bytes above sp.

	.text
	.explicit
	.global _start
	.proc _start
_start:
	.prologue
	.save rp, r0
	.body
	alloc r32 = ar.pfs, 0, 2, 1, 0
	movl gp = @gprel(here)
	;;
here:
	mov r3 = ip
	adds out0 = 16, sp
	;;
	sub gp = r3, gp
	br.call.sptk.many b0 = run_main
	;;
	mov out0 = r8
	mov r15 = 1236
	break 0x100000
	;;
	break 0
	.endp _start

// long kernel(long number, long a, long b, long c, long d, long e, long f): the result, or an
// error's number negated. The arguments are the outputs of the frame.
	.global kernel
	.proc kernel
kernel:
	alloc r2 = ar.pfs, 7, 0, 6, 0
	mov r15 = in0
	mov out0 = in1
	mov out1 = in2
	mov out2 = in3
	mov out3 = in4
	mov out4 = in5
	mov out5 = in6
	break 0x100000
	;;
	cmp.eq p6, p0 = -1, r10
	;;
(p6)	sub r8 = r0, r8
	movl r3 = second_result
	;;
	st8 [r3] = r9
	br.ret.sptk.many b0
	.endp kernel

// long thread(long flags, void* stack, long size, long* word, void (*run)(void)): clone2(); the
// child calls run() and ends. `word` is for CLONE_CHILD_CLEARTID. As glibc's clone2.S, the child
// finds its arguments in the frame of the call.
	.global thread
	.proc thread
thread:
	alloc r2 = ar.pfs, 5, 1, 6, 0
	mov loc0 = gp
	mov out0 = in0
	mov out1 = in1
	mov out2 = in2
	mov out3 = in3
	mov out4 = in3
	mov out5 = r0
	mov r15 = 1213
	break 0x100000
	;;
	cmp.eq p6, p7 = -1, r10
	cmp.eq p8, p9 = 0, r8
	;;
(p6)	sub r8 = r0, r8
(p9)	br.ret.sptk.many b0
	;;
	ld8 r14 = [in4], 8
	;;
	ld8 gp = [in4]
	mov b6 = r14
	br.call.sptk.many b0 = b6
	;;
	mov out0 = r0
	mov r15 = 1025
	break 0x100000
	.endp thread

// long pass_nats(void (*between)(void)): calls between() with NaTs in r33 and f8, and a frame that
// rotates; counts what is not as before then: 0.
	.global pass_nats
	.proc pass_nats
pass_nats:
	alloc r41 = ar.pfs, 1, 23, 0, 16
	mov r42 = b0
	mov r43 = gp
	mov r44 = pr
	mov r45 = ar.lc
	mov r46 = ar.unat
	ld8.s r33 = [r0]
	mov r34 = 34
	mov r47 = 47
	ld8 r14 = [in0], 8
	;;
	ld8 gp = [in0]
	mov b6 = r14
	mov pr.rot = 0x10000
	mov ar.lc = 77
	br.call.sptk.many b0 = b6
	;;
	mov r8 = r0
	mov r9 = ar.lc
	tnat.nz p6, p7 = r33
	;;
(p7)	adds r8 = 1, r8
	cmp.ne p8, p0 = 34, r34
	cmp.ne p9, p0 = 47, r47
	cmp.ne p10, p0 = 77, r9
	;;
(p8)	adds r8 = 2, r8
	;;
(p9)	adds r8 = 4, r8
	;;
(p10)	adds r8 = 8, r8
(p16)	br.cond.sptk 1f
	;;
	adds r8 = 16, r8
1:
	mov b0 = r42
	mov gp = r43
	mov pr = r44, -1
	mov ar.lc = r45
	mov ar.unat = r46
	mov ar.pfs = r41
	;;
	br.ret.sptk.many b0
	.endp pass_nats

	.global break_divide
	.proc break_divide
break_divide:
{ .mii
	break.m 1
	nop.i 0
	nop.i 0
	;;
}
	br.ret.sptk.many b0
	;;
	.endp break_divide

// void nops(void): two bundles, then a branch back; the last slot puts 3 into r8.
	.global nops
	.proc nops
nops:
{ .mii
	nop.m 0
	nop.i 0
	nop.i 0
}
{ .mii
	nop.m 0
	nop.i 0
	adds r8 = 3, r0
	;;
}
	br.ret.sptk.many b0
	;;
	.endp nops
