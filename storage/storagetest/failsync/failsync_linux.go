// Package failsync has the kernel fail a sync of this process.
package failsync

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Nth makes the n-th fdatasync of this process from now on, counted from 1, return EIO;
// if done is true, the file is synced all the same. It cannot be undone. It uses a filter of
// system calls that asks this process itself: see seccomp_unotify(2). An error means that the
// system does not allow that.
func Nth(n int, done bool) error {
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}, // the number of the call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_FDATASYNC, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	const flags = unix.SECCOMP_FILTER_FLAG_TSYNC | unix.SECCOMP_FILTER_FLAG_TSYNC_ESRCH | unix.SECCOMP_FILTER_FLAG_NEW_LISTENER
	listener, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return errno
	}
	go func() {
		for i := 1; ; i++ {
			// struct seccomp_notif, then struct seccomp_notif_resp
			var asked struct {
				id         uint64
				pid, flags uint32
				nr         int32
				arch       uint32
				ip         uint64
				args       [6]uint64
			}
			if _, _, errno := unix.Syscall(unix.SYS_IOCTL, listener, unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&asked))); errno != 0 {
				panic(errno)
			}
			answer := struct {
				id    uint64
				value int64
				err   int32
				flags uint32
			}{id: asked.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
			if i == n {
				if done {
					if err := unix.Fsync(int(asked.args[0])); err != nil { // not the call that is intercepted
						panic(err)
					}
				}
				answer.err, answer.flags = -int32(unix.EIO), 0
			}
			if _, _, errno := unix.Syscall(unix.SYS_IOCTL, listener, unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&answer))); errno != 0 {
				panic(errno)
			}
		}
	}()
	return nil
}
