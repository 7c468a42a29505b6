package postgrestest

import "syscall"

// endWithParent has the kernel end a program when the thread that started it ends, as when the tests are
// killed.
func endWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGQUIT }
