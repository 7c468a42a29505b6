package serve

import (
	"errors"
	"net"
	"strconv"
	"time"

	"fivefold/cmd/fivefold/cli"
)

// newSupervisor is the systemd that started the program, if one did:
// www.freedesktop.org/software/systemd/man/sd_notify.html. The zero value is none.
type supervisor struct {
	socket   string
	watchdog time.Duration // how often it wants to hear from us, or 0
}

// newSupervisor reads what systemd says about itself in the environment.
func newSupervisor(p *cli.Program) supervisor {
	s := supervisor{socket: p.Env["NOTIFY_SOCKET"]}
	// systemd sets a whole number, or nothing.
	if micros, err := strconv.Atoi(p.Env["WATCHDOG_USEC"]); err == nil && s.socket != "" {
		s.watchdog = time.Duration(micros) * time.Microsecond
	}
	return s
}

// notify reports states such as READY=1, one a line.
func (s supervisor) notify(states string) error {
	if s.socket == "" {
		return nil
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: s.socket, Net: "unixgram"})
	if err != nil {
		return err
	}
	_, err = conn.Write([]byte(states))
	return errors.Join(err, conn.Close())
}
