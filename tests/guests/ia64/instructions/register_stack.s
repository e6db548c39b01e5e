// The register stack engine: spills and fills of deep frames, collections of NaT bits, flushrs, loadrs, ar.bspstore.
	.include "guest.inc"

	.bss
	.align 1024
area:	.skip 32768

	.text
_start:
	begin
	alloc r31=ar.pfs,0,0,2,0
	mov.m r20=ar.rsc ;;
	and r20=0x1c,r20 ;;
	result "ar.rsc: level 3, little-endian", r20

	// Frames of 96 registers, 60 deep: each keeps a number and a NaT over the call.
	.irp mode, 0,1,2,3
	mov.m ar.rsc=\mode ;;
	mov r32=60
	mov r8=0
	mov r9=0 ;;
	br.call.sptk.few b0=deep ;;
	result "sum of 60 frames, ar.rsc mode \mode", r8
	result "NaTs of 60 frames, ar.rsc mode \mode", r9
	.endr

	// Frames of one register: 200 deep cross collections at every place.
	mov.m ar.rsc=0xf
	mov r32=200
	mov r8=0
	mov r9=0 ;;
	br.call.sptk.few b0=narrow ;;
	result "sum of 200 small frames", r8
	result "NaTs of 200 small frames", r9

	// Another backing store: bspstore moves, bsp follows by what is dirty.
	mov.m ar.rsc=0 ;;
	mov.m r20=ar.bspstore
	mov.m r21=ar.bsp ;;
	flushrs ;;
	mov.m r22=ar.bspstore
	mov.m r23=ar.bsp
	mov.m r28=ar.rnat ;;
	cmp.eq p6,p7=r22,r23
	cmp.eq p8,p9=r21,r23 ;;
	presult "bspstore is bsp after flushrs", p6, p7
	presult "bsp is what it was", p8, p9
	mov r29=r22
	movl r24=area ;;
	mov.m ar.bspstore=r24 ;;
	mov.m ar.rnat=r0
	mov.m r25=ar.bsp
	mov.m r26=ar.bspstore ;;
	sub r25=r25,r24
	sub r26=r26,r24 ;;
	result "bsp of a new store", r25
	result "bspstore of it", r26

	// 100 registers in it: frames of 20 whose registers are numbered, the third of each a NaT.
	mov r10=0
	mov r32=5 ;;
	br.call.sptk.few b0=number ;;
	.irp at, 1,18,19,20,21,62
	movl r24=area+8*\at ;;
	ld8 r27=[r24] ;;
	result "word \at of the store", r27
	.endr
	movl r24=area+8*63 ;;
	ld8 r27=[r24] ;;
	result "collection at word 63", r27
	.irp at, 65,66,80,100
	movl r24=area+8*\at ;;
	ld8 r27=[r24] ;;
	result "word \at of the store", r27
	.endr
	movl r24=area ;;
	sub r11=r11,r24
	sub r12=r12,r24 ;;
	result "bsp in the last frame", r11
	result "bspstore after its flushrs", r12
	result "ar.rnat after it", r13
	result "NaTs that the returns brought back", r10

	// Back to the old store: the frames below come from it.
	mov.m ar.bspstore=r29 ;;
	mov.m ar.rnat=r28 ;;
	mov.m ar.rsc=0xf

	// loadrs with bytes of zero drops what is dirty: the caller's frame is read again from memory.
	mov r32=4 ;;
	br.call.sptk.few b0=reloaded ;;
	result "a local that memory changed behind the registers", r8
	result "one that it did not change", r9

	// loadrs with ar.rsc.loadrs: dirty is what it says.
	br.call.sptk.few b0=partly ;;
	result "bsp - bspstore after loadrs of 24 bytes", r8
	result "ar.rsc.loadrs", r9

	// A big-endian register stack: words and collections in the other order.
	mov.m ar.rsc=0 ;;
	flushrs ;;
	mov.m r29=ar.bspstore
	mov.m r28=ar.rnat
	movl r24=area ;;
	mov.m ar.bspstore=r24 ;;
	mov.m ar.rnat=r0 ;;
	mov.m ar.rsc=0x10 ;;
	mov r32=1
	mov r10=0 ;;
	br.call.sptk.few b0=number ;;
	movl r24=area+8 ;;
	ld8 r27=[r24] ;;
	result "word 1 of a big-endian store", r27
	result "NaTs brought back", r10
	mov.m ar.rsc=0 ;;
	mov.m ar.bspstore=r29 ;;
	mov.m ar.rnat=r28 ;;

	// cover: the frame becomes empty, bsp passes it.
	mov.m ar.rsc=0xf ;;
	br.call.sptk.few b0=covered ;;
	result "cover moves bsp by", r8

	// alloc returns ar.pfs; a frame grows and shrinks in place.
	alloc r31=ar.pfs,0,4,0,0 ;;
	mov r32=1
	mov r35=4 ;;
	alloc r31=ar.pfs,0,40,0,0 ;;
	mov r71=40 ;;
	alloc r31=ar.pfs,4,0,0,0 ;;
	result "r32 of a frame that changed its size", r32
	result "r35 of it", r35
	br.few finish ;;

// r8 += r32 and so on down to 1, each frame with 96 registers; r9 counts the NaTs that come back.
deep:
	alloc r33=ar.pfs,1,94,1,0
	mov r34=b0
	cmp.eq p6,p7=0,r32 ;;
	(p6)	br.ret.dpnt.few b0
	ld8.s r70=[r0]
	mov r125=r32
	mov r35=r32
	add r127=-1,r32 ;;
	br.call.sptk.few b0=deep ;;
	add r8=r8,r125
	tnat.nz p6,p7=r70
	cmp.ne p8,p9=r35,r125 ;;
	(p6)	add r9=1,r9 ;;
	(p8)	add r9=1000,r9
	mov b0=r34
	mov.i ar.pfs=r33 ;;
	br.ret.sptk.few b0 ;;

// The same with 5 registers.
narrow:
	alloc r33=ar.pfs,1,3,1,0
	mov r34=b0
	cmp.eq p6,p7=0,r32 ;;
	(p6)	br.ret.dpnt.few b0
	add r8=r8,r32
	add r36=-1,r32
	tbit.nz p8,p9=r32,0 ;;
	(p8)	ld8.s r35=[r0]
	(p9)	mov r35=r32
	br.call.sptk.few b0=narrow ;;
	tnat.nz p6,p7=r35 ;;
	(p6)	add r9=1,r9
	mov b0=r34
	mov.i ar.pfs=r33 ;;
	br.ret.sptk.few b0 ;;

// r32 frames of 20 locals and an output: numbers, the frame's in hundreds; r34 a NaT.
number:
	alloc r33=ar.pfs,1,19,1,0
	shladd r3=r32,4,r0
	cmp.eq p6,p7=0,r32 ;;
	(p6)	br.cond.dpnt.few 1f
	mov r35=b0
	ld8.s r34=[r0] ;;
	.irp register, 36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51
	add r\register=\register-36,r3
	.endr
	add r52=-1,r32 ;;
	mov r36=0x33
	br.call.sptk.few b0=number ;;
	tnat.nz p6,p7=r34 ;;
	(p6)	add r10=1,r10
	mov r3=b0
	mov b0=r35
	mov.i ar.pfs=r33 ;;
	br.ret.sptk.few b0 ;;
1:
	mov.m r11=ar.bsp ;;
	flushrs ;;
	mov.m r12=ar.bspstore
	mov.m r13=ar.rnat ;;
	br.ret.sptk.few b0 ;;

// A local is changed in memory behind its register: after loadrs of nothing, br.ret reads it.
reloaded:
	alloc r33=ar.pfs,1,4,0,0
	mov r34=b0
	mov r35=5
	mov r36=6 ;;
	br.call.sptk.few b0=changes ;;
	mov r8=r35
	mov r9=r36
	mov b0=r34
	mov.i ar.pfs=r33 ;;
	br.ret.sptk.few b0 ;;

changes:
	mov.m r20=ar.rsc ;;
	flushrs ;;
	mov.m ar.rsc=0
	mov.m r21=ar.bsp ;;
	mov.m r27=ar.rnat
	add r22=-16,r21		// r35, two below; or one more with a collection between
	extr.u r23=r21,3,6 ;;
	cmp.gtu p6,p7=2,r23 ;;
	(p6)	add r22=-8,r22
	mov r24=50 ;;
	st8 [r22]=r24 ;;
	loadrs ;;
	mov.m ar.bspstore=r21 ;;
	mov.m ar.rnat=r27
	mov.m ar.rsc=r20 ;;
	br.ret.sptk.few b0 ;;

partly:
	alloc r33=ar.pfs,0,3,0,0
	mov r32=b0
	mov.m r20=ar.rsc ;;
	flushrs ;;
	mov.m ar.rsc=0 ;;
	movl r21=24<<16 ;;
	mov.m r27=ar.rnat ;;
	mov.m ar.rsc=r21
	mov r34=r33 ;;
	br.call.sptk.few b0=drops ;;
	mov.m ar.rsc=r20
	mov b0=r32
	mov.i ar.pfs=r34 ;;
	br.ret.sptk.few b0 ;;

drops:
	alloc r22=ar.pfs,0,0,0,0 ;;
	loadrs ;;
	mov.m r23=ar.bsp
	mov.m r24=ar.bspstore
	mov.m r9=ar.rsc ;;
	sub r8=r23,r24
	extr.u r9=r9,16,14
	movl r21=0 ;;
	mov.m ar.rsc=r21 ;;
	mov.m ar.rnat=r27 ;;
	br.ret.sptk.few b0 ;;

covered:
	alloc r33=ar.pfs,0,10,0,0 ;;
	mov.m r20=ar.bsp
	mov r21=b0 ;;
	mov r22=r33 ;;
	cover ;;
	mov.m r23=ar.bsp ;;
	alloc r24=ar.pfs,0,2,0,0
	sub r8=r23,r20 ;;
	extr.u r24=r20,3,6 ;;
	add r24=10,r24 ;;
	cmp.gtu p6,p7=63,r24 ;;
	(p7)	add r8=-8,r8		// a collection is none of the 10
	mov.i ar.pfs=r22
	mov b0=r21 ;;
	// What cover has passed stays below: this frame returns to its caller's, whose place is 10 slots lower.
	br.few uncover ;;
uncover:
	mov.m r25=ar.rsc ;;
	flushrs ;;
	mov.m ar.rsc=0 ;;
	mov.m r26=ar.rnat
	mov.m ar.bspstore=r20 ;;
	mov.m ar.rsc=r25 ;;
	br.ret.sptk.few b0 ;;
