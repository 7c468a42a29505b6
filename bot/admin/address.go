package admin

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
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

// IsSocket reports whether the address is a Unix socket, which only the bot's own user and root can reach.
func (a Address) IsSocket() bool { return a.network == "unix" }

// Listen listens on the address. A socket that an earlier process left behind is replaced; any other file is left alone.
// Until a new socket has its mode, the permissions of its folder say who can connect.
func (a Address) Listen() (net.Listener, error) {
	if a.isStale() {
		if err := os.Remove(a.address); err != nil {
			return nil, err
		}
	}
	l, err := net.Listen(a.network, a.address)
	if err == nil && a.IsSocket() {
		err = os.Chmod(a.address, 0o600)
	}
	return l, err
}

// isStale reports whether the address is a socket file that no process listens on.
func (a Address) isStale() bool {
	info, err := os.Lstat(a.address)
	if !a.IsSocket() || err != nil || info.Mode().Type() != fs.ModeSocket {
		return false
	}
	conn, err := net.DialTimeout(a.network, a.address, 5*time.Second)
	if err == nil {
		// Nothing was sent.
		_ = conn.Close()
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}
