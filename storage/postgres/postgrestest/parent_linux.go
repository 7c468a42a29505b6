package postgrestest

import "syscall"

// endWithParent has the server end when the thread that started it ends, as it does when the
// tests are killed.
func endWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGQUIT }
