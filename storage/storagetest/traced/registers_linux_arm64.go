package traced

import (
	"syscall"
	"unsafe"
)

// Numbers of the kernel's interface: see ptrace(2) and linux/elf.h.
const (
	setRegisters    = 0x4205 // PTRACE_SETREGSET
	getRegisters    = 0x4204 // PTRACE_GETREGSET
	generalSet      = 1      // NT_PRSTATUS
	systemCallSet   = 0x404  // NT_ARM_SYSTEM_CALL
	noCall          = -1
	firstIsTheValue = 0
)

// skipCall makes a thread skip the system call that it is about to make.
func skipCall(tid int) error {
	number := int32(noCall)
	return registers(setRegisters, tid, systemCallSet, unsafe.Pointer(&number), unsafe.Sizeof(number))
}

// setResult changes the result of the system call that has just ended.
func setResult(tid int, result int64) error {
	var r syscall.PtraceRegs
	if err := registers(getRegisters, tid, generalSet, unsafe.Pointer(&r), unsafe.Sizeof(r)); err != nil {
		return err
	}
	r.Regs[firstIsTheValue] = uint64(result)
	return registers(setRegisters, tid, generalSet, unsafe.Pointer(&r), unsafe.Sizeof(r))
}

func registers(request uintptr, tid int, set uintptr, data unsafe.Pointer, size uintptr) error {
	v := syscall.Iovec{Base: (*byte)(data), Len: uint64(size)}
	_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, request, uintptr(tid), set, uintptr(unsafe.Pointer(&v)), 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
