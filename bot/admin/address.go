package admin

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strings"
	"time"
)

// Address is where the operator reaches the bot: a Unix socket or a loopback address.
type Address struct {
	network string // unix or tcp
	address string
}

// ParseAddress reads unix:PATH or an address such as 127.0.0.1:9095. Any address that other
// machines could reach is an error.
func ParseAddress(text string) (Address, error) {
	if path, ok := strings.CutPrefix(text, "unix:"); ok {
		if path == "" {
			return Address{}, errors.New("unix: needs the path of a socket, such as unix:/run/fivefold/admin.sock")
		}
		return Address{"unix", path}, nil
	}
	at, err := netip.ParseAddrPort(text)
	if err != nil {
		return Address{}, fmt.Errorf("%q is neither unix:PATH nor an address such as 127.0.0.1:9095", text)
	}
	if !at.Addr().IsLoopback() {
		return Address{}, fmt.Errorf("%q can be reached from other machines, and nothing there asks for a password; use 127.0.0.1 or unix:PATH", text)
	}
	return Address{"tcp", at.String()}, nil
}

// String is the address as [ParseAddress] reads it.
func (a Address) String() string {
	if a.IsSocket() {
		return "unix:" + a.address
	}
	return a.address
}

// IsSocket reports whether it is a Unix socket, which only the bot's own user and root
// can reach.
func (a Address) IsSocket() bool { return a.network == "unix" }

// Listen listens on the address. A socket that an earlier process left behind is replaced;
// any other file is left alone.
func (a Address) Listen() (net.Listener, error) {
	l, err := a.listen()
	if errors.Is(err, addressInUse) && a.IsSocket() && a.isStale() {
		if err := os.Remove(a.address); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("removing the socket of an earlier process: %w", err)
		}
		l, err = a.listen()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a, plain(err))
	}
	return l, nil
}

func (a Address) listen() (net.Listener, error) {
	if a.IsSocket() {
		// A socket is made with the permissions that the mask leaves. Changing them
		// afterwards would leave a moment in which others can connect.
		defer setUmask(0o177)()
	}
	return net.Listen(a.network, a.address)
}

// staleTimeout is how long isStale tries to connect.
const staleTimeout = 5 * time.Second

// isStale reports whether the file is a socket on which nobody listens.
func (a Address) isStale() bool {
	info, err := os.Lstat(a.address)
	if err != nil || info.Mode().Type() != fs.ModeSocket {
		return false
	}
	conn, err := net.DialTimeout(a.network, a.address, staleTimeout)
	if err == nil {
		// Nothing was sent.
		_ = conn.Close()
	}
	return errors.Is(err, connectionRefused)
}

// plain drops the address and the system call from an error.
func plain(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	var call *os.SyscallError
	if errors.As(err, &call) {
		err = call.Err
	}
	return err
}
