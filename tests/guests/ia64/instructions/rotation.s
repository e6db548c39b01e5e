// Rotating registers and the loop branches: ctop, cexit, wtop, wexit, cloop.
	.include "guest.inc"

	// lc, ec, p16 to p18 and a mark in r40 after one branch. p20 tells whether it was taken.
	.macro loop kind, count, epilog
	clrrrb
	mov pr=r0,-1 ;;
	cmp.eq p30,p31=r0,r0		// p30 1: it turns up as p31 when the registers rotate
	mov.i ar.lc=\count ;;
	mov.i ar.ec=\epilog
	mov r40=1
	mov r41=2 ;;
	br.\kind\().sptk.few 1f ;;
	add r40=16,r40
	add r41=16,r41 ;;
1:
	mov r20=r40
	mov r21=r41
	mov r22=pr ;;
	clrrrb
	mov.i r23=ar.lc
	mov.i r24=ar.ec ;;
	result "\kind lc \count ec \epilog: first", r20
	result "\kind lc \count ec \epilog: second", r21
	result "\kind lc \count ec \epilog: pr", r22
	result "\kind lc \count ec \epilog: lc", r23
	result "\kind lc \count ec \epilog: ec", r24
	.endm

	.data
	.align 16
words:	data4 1,2,3,4,5,6,7,8,9,10
copy:	.skip 64

	.text
_start:
	begin
	alloc r31=ar.pfs,0,96,0,16 ;;

	// Counted: lc above 0, lc 0 and ec above 1, ec 1, ec 0.
	.irp kind, ctop,cexit
	loop \kind, 2, 3
	loop \kind, 1, 0
	loop \kind, 0, 3
	loop \kind, 0, 1
	loop \kind, 0, 0
	.endr
	loop cloop, 2, 3
	loop cloop, 1, 3
	loop cloop, 0, 3
	br.few while ;;

	// The same with a predicate. br.wtop and br.wexit leave lc alone.
	.macro whileloop kind, epilog, qp
	clrrrb
	mov pr=r0,-1 ;;
	mov.i ar.lc=5 ;;
	mov.i ar.ec=\epilog
	mov r40=1
	mov r41=2
	cmp.eq p8,p9=\qp,r0 ;;
	(p9)	br.\kind\().sptk.few 1f ;;
	add r40=16,r40
	add r41=16,r41 ;;
1:
	mov r20=r40
	mov r21=r41
	mov r22=pr ;;
	clrrrb
	mov.i r23=ar.lc
	mov.i r24=ar.ec ;;
	result "\kind ec \epilog qp \qp: first", r20
	result "\kind ec \epilog qp \qp: second", r21
	result "\kind ec \epilog qp \qp: pr", r22
	result "\kind ec \epilog qp \qp: lc", r23
	result "\kind ec \epilog qp \qp: ec", r24
	.endm

while:
	.irp kind, wtop,wexit
	.irp epilog, 3,2,1,0
	whileloop \kind, \epilog, 0
	whileloop \kind, \epilog, 1
	.endr
	.endr

	// A pipelined copy: load, add two stages later, store another one later.
	clrrrb
	movl r20=words
	movl r21=copy ;;
	mov.i ar.lc=9
	mov.i ar.ec=4
	mov pr.rot=1<<16 ;;
1:
	(p16)	ld4 r32=[r20],4
	(p18)	add r35=100,r34
	(p19)	st4 [r21]=r36,4
	br.ctop.sptk.few 1b ;;
	clrrrb
	movl r21=copy ;;
	.irp index, 0,1,2,3,4,5,6,7,8,9
	ld4 r22=[r21],4 ;;
	result "pipelined copy, word \index", r22
	.endr

	// A file of 8: the 8th rotation brings the first name back. A rotation of 96 for f32 to f127, 48 for p16 to p63.
	alloc r31=ar.pfs,0,40,0,8 ;;
	.irp register, 32,33,34,35,36,37,38,39,40
	mov r\register=\register
	.endr
	.irp register, 32,33,126,127
	mov r20=\register ;;
	setf.sig f\register=r20 ;;
	.endr
	mov r20=-1
	mov.i ar.lc=0x3f
	mov.i ar.ec=0 ;;
	.irp rotation, 1,2,7,8,9
	clrrrb ;;
	mov.i ar.lc=\rotation-1
	mov.i ar.ec=1 ;;
1:	br.ctop.sptk.few 1b ;;
	mov r20=r32
	mov r21=r33
	mov r22=r39
	mov r23=r40
	getf.sig r24=f32
	getf.sig r25=f33
	getf.sig r26=f34 ;;
	clrrrb ;;
	result "r32 after \rotation rotations", r20
	result "r33 after \rotation rotations", r21
	result "r39 after \rotation rotations", r22
	result "r40 after \rotation rotations", r23
	result "f32 after \rotation rotations", r24
	result "f33 after \rotation rotations", r25
	result "f34 after \rotation rotations", r26
	.endr

	// mov pr and mov pr.rot name predicates as if nothing had rotated.
	clrrrb ;;
	mov.i ar.lc=0
	mov.i ar.ec=4
	mov pr=r0,-1 ;;
	br.ctop.sptk.few 1f ;;
1:	br.ctop.sptk.few 1f ;;
1:	br.ctop.sptk.few 1f ;;
1:
	mov pr.rot=1<<20		// p20 as numbered, p23 as named after 3 rotations
	mov r20=0 ;;
	(p23)	add r20=1,r20 ;;
	(p20)	add r20=2,r20 ;;
	mov r21=pr
	cmp.eq p16,p17=r0,r0 ;;
	mov r22=pr ;;
	clrrrb.pr ;;
	mov r23=pr
	clrrrb ;;
	result "the name that pr.rot's bit 20 got", r20
	result "pr", r21
	result "pr after setting p16 by name", r22
	result "pr after clrrrb.pr", r23

	// clrrrb.pr leaves the general registers where they are.
	mov r32=0x32
	mov.i ar.lc=5
	mov.i ar.ec=1 ;;
	br.ctop.sptk.few 1f ;;
1:
	clrrrb.pr ;;
	mov r20=r33 ;;
	clrrrb ;;
	mov r21=r32 ;;
	result "r33 after clrrrb.pr", r20
	result "r32 after clrrrb", r21

	// The base of a rotation goes to the callee's pfs and comes back; the callee starts with none.
	mov.i ar.lc=5
	mov.i ar.ec=1
	mov r32=0x32 ;;
	br.ctop.sptk.few 1f ;;
1:
	br.call.sptk.few b6=callee ;;
	mov r21=r33 ;;
	clrrrb ;;
	result "ar.pfs of the callee, from rrb.gr on", r20
	result "r33 after the call", r21

	// ec has 6 bits; a call keeps it in pfs, and br.ret brings it back.
	mov r20=0x7f ;;
	mov.i ar.ec=r20 ;;
	mov.i r21=ar.ec ;;
	result "ar.ec of 0x7f", r21
	mov.i ar.ec=0x2a ;;
	br.call.sptk.few b6=changes_ec ;;
	mov.i r21=ar.ec ;;
	result "ar.ec after a call that changes it", r21
	br.few finish ;;

callee:
	mov.i r20=ar.pfs ;;
	extr.u r20=r20,18,20 ;;
	br.ret.sptk.few b6 ;;

changes_ec:
	mov.i ar.ec=3 ;;
	br.ret.sptk.few b6 ;;
