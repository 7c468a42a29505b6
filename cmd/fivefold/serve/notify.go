package serve

import (
	"context"
	"errors"
	"net"
	"strconv"
	"time"

	"fivefold/cmd/fivefold/cli"
)

// supervisor is the systemd that started the program:
// www.freedesktop.org/software/systemd/man/sd_notify.html. Without a socket there is none.
type supervisor struct {
	socket   string
	watchdog time.Duration // how often it expects a sign of life; 0 for never
}

// newSupervisor reads the environment that systemd sets.
func newSupervisor(p *cli.Program) supervisor {
	s := supervisor{socket: p.Env["NOTIFY_SOCKET"]}
	if micros, err := strconv.Atoi(p.Env["WATCHDOG_USEC"]); err == nil && s.socket != "" {
		s.watchdog = time.Duration(micros) * time.Microsecond
	}
	return s
}

// notify reports a state such as READY=1.
func (s supervisor) notify(state string) error {
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: s.socket, Net: "unixgram"})
	if err != nil {
		return err
	}
	_, err = conn.Write([]byte(state))
	return errors.Join(err, conn.Close())
}

// startWithin is how long a start waits for Discord before "systemctl start" ends. The bot goes on trying.
const startWithin = time.Minute

// keep reports that the bot has started, when it is connected or has tried for long; that it works; and, when ctx ends,
// that it stops. It returns when running ends.
func (s supervisor) keep(ctx, running context.Context, h *health, report func(state string)) {
	looks, late, stopping := time.Tick(500*time.Millisecond), time.After(startWithin), ctx.Done()
	var watched <-chan time.Time // nil without a watchdog
	if s.watchdog > 0 {
		watched = time.Tick(s.watchdog / 3)
	}
	started := func() {
		report("READY=1")
		looks, late = nil, nil
	}
	for {
		select {
		case <-looks:
			if h.connected() {
				started()
			}
		case <-late:
			started()
		case <-watched:
			if h.alive(ctx) == nil {
				report("WATCHDOG=1")
			}
		case <-stopping:
			report("STOPPING=1")
			stopping = nil
		case <-running.Done():
			return
		}
	}
}
