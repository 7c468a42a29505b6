//go:build unix

package main

import (
	"syscall"
	"time"
)

// freeze halts the process for a while, as if it got no processor time. It returns when the
// process continues.
func (b *supervised) freeze(lasts time.Duration) error {
	b.mu.Lock()
	pid := b.pid
	b.mu.Unlock()
	if err := send(pid, syscall.SIGSTOP); err != nil {
		return err
	}
	time.Sleep(lasts)
	return send(pid, syscall.SIGCONT)
}
