package powerloss

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"
)

// Numbers of the kernel's interface that package syscall does not have. See ptrace(2).
const (
	ptraceGetSyscallInfo = 0x420e
	ptraceExitKill       = 1 << 20
	waitNoThread         = 0x20000000 // __WNOTHREAD: only for children of this thread
	waitAll              = 0x40000000 // __WALL: threads too
	syscallStop          = syscall.SIGTRAP | 0x80
)

// Start starts a program and logs what it does to the file, by ptrace. Wait waits until the program has
// ended; its error says how, unless it ended well. The command's input and outputs must be files or nil,
// and its Wait must not be called. The program is killed if this process ends. The error wraps
// [ErrUnsupported] elsewhere than on Linux on amd64, and where ptrace is forbidden.
func (l *Log) Start(cmd *exec.Cmd) (pid int, wait func() error, err error) {
	t := &tracer{log: l, syncing: map[int]bool{}}
	started, ended := make(chan error, 1), make(chan error, 1)
	go func() {
		// Only the thread that started the program may trace it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := t.start(cmd)
		if started <- err; err == nil {
			ended <- t.run()
		}
	}()
	err = <-started
	return t.pid, func() error { return <-ended }, err
}

// tracer follows the threads of a program.
type tracer struct {
	log     *Log
	pid     int
	memory  *os.File
	syncing map[int]bool // by thread: whether it is in a sync of the file
}

// start starts the program, waits for it to be loaded, and lets it run.
func (t *tracer) start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSYS) {
			err = fmt.Errorf("%w (%w)", ErrUnsupported, err)
		}
		return err
	}
	t.pid = cmd.Process.Pid
	var status syscall.WaitStatus
	_, err := syscall.Wait4(t.pid, &status, waitAll|waitNoThread, nil)
	if err == nil {
		err = syscall.PtraceSetOptions(t.pid, syscall.PTRACE_O_TRACESYSGOOD|syscall.PTRACE_O_TRACECLONE|ptraceExitKill)
	}
	if err == nil {
		t.memory, err = os.Open(fmt.Sprintf("/proc/%d/mem", t.pid))
	}
	if err == nil {
		err = syscall.PtraceSyscall(t.pid, 0)
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("%w (%w)", ErrUnsupported, err), cmd.Process.Kill())
	}
	return errors.Join(err, cmd.Process.Release())
}

// run follows the program until it has ended.
func (t *tracer) run() error {
	defer t.memory.Close()
	for {
		var status syscall.WaitStatus
		thread, err := syscall.Wait4(-1, &status, waitAll|waitNoThread, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return fmt.Errorf("waiting for the traced program: %w", err)
		case status.Stopped():
			if err := t.stopped(thread, status); err != nil && !errors.Is(err, syscall.ESRCH) { // ESRCH: it was killed meanwhile
				// The program must not go on unseen.
				return errors.Join(err, syscall.Kill(t.pid, syscall.SIGKILL))
			}
		case thread != t.pid:
			delete(t.syncing, thread)
		case status.Signaled():
			return fmt.Errorf("signal: %v", status.Signal())
		case status.ExitStatus() != 0:
			return fmt.Errorf("exit status %d", status.ExitStatus())
		default:
			return nil
		}
	}
}

// stopped handles one stop of a thread and lets it go on.
func (t *tracer) stopped(thread int, status syscall.WaitStatus) error {
	_, known := t.syncing[thread]
	if !known {
		t.syncing[thread] = false
	}
	deliver := 0
	switch signal := status.StopSignal(); {
	case signal == syscallStop:
		if err := t.syscall(thread); err != nil {
			return err
		}
	case signal == syscall.SIGTRAP, signal == syscall.SIGSTOP && !known:
		// A new thread: a stop of its parent, and one of its own.
	default:
		deliver = int(signal)
	}
	return syscall.PtraceSyscall(thread, deliver)
}

// syscall handles the beginning or the end of a system call.
func (t *tracer) syscall(thread int) error {
	var info struct { // the kernel's struct ptrace_syscall_info
		op uint8
		_  [23]uint8 // architecture, instruction pointer, stack pointer
		// When a call begins, its number and six arguments; when it ends, the value returned
		// and whether that is an error.
		values [8]uint64
	}
	_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, ptraceGetSyscallInfo, uintptr(thread), unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0)
	if errno != 0 {
		return errno
	}
	const begins = 1
	if info.op == begins {
		return t.begins(thread, info.values[0], info.values[1:])
	}
	ends := t.syncing[thread] && info.values[0] == 0
	if t.syncing[thread] = false; ends {
		return t.log.add(call{kind: syncEnds})
	}
	return nil
}

// begins logs a call that begins, if it is for the file.
func (t *tracer) begins(thread int, number uint64, args []uint64) error {
	var c call
	switch number {
	case syscall.SYS_PWRITE64:
		c = call{kind: write, offset: int64(args[3])}
	case syscall.SYS_FTRUNCATE:
		c = call{kind: resize, size: int64(args[1])}
	case syscall.SYS_FSYNC, syscall.SYS_FDATASYNC:
		c = call{kind: syncBegins}
	default:
		return nil
	}
	if path, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", t.pid, args[0])); err != nil || path != t.log.File {
		return nil // another file, or none
	}
	if c.kind == write {
		c.data = make([]byte, args[2])
		if _, err := t.memory.ReadAt(c.data, int64(args[1])); err != nil {
			return fmt.Errorf("reading what is written: %w", err)
		}
	}
	t.syncing[thread] = c.kind == syncBegins
	return t.log.add(c)
}
