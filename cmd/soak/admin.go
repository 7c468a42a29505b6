package main

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// goroutines asks the program's admin socket how many goroutines it has. It returns 0 if it
// cannot find out.
func (w *world) goroutines() int {
	if !w.adminSetting {
		return 0
	}
	client := http.Client{
		Timeout: time.Second,
		Transport: &http.Transport{
			DisableKeepAlives: true,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, "unix", w.adminSocket())
			},
		},
	}
	resp, err := client.Get("http://admin/metrics")
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "go_goroutines "); ok {
			n, err := strconv.Atoi(text)
			if err == nil {
				return n
			}
		}
	}
	return 0
}
