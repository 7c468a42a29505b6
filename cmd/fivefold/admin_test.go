package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/storage/bolt"
	"fivefold/storage/postgres/postgrestest"
)

// socketPath returns a path for a socket. It is short: 107 bytes are the limit on Linux.
func socketPath(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "five")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	return filepath.Join(folder, "s")
}

// fivefold runs a command of the program and returns what it prints.
func fivefold(t *testing.T, env []string, args ...string) (string, error) {
	t.Helper()
	cmd := process(t, args...)
	cmd.Env = append(cmd.Env, "FIVEFOLD_DATA="+cmd.Dir)
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestAdmin looks at a running bot, at both kinds of address, and for what must not be
// shown there or logged.
func TestAdmin(t *testing.T) {
	t.Parallel()
	const (
		guild, channel, user, name = "710000000000000007", "810000000000000008", "910000000000000009", "zoe.zephyr"
		word                       = "fuzzy"
	)
	discord := discordtest.New(t, discordtest.Options{})
	socket := "unix:" + socketPath(t)
	port, err := postgrestest.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	tcp := fmt.Sprintf("127.0.0.1:%d", port)
	backups := filepath.Join(t.TempDir(), "backups")
	bot, log := startBot(t, discord, "bolt:"+filepath.Join(t.TempDir(), "test.db"),
		"FIVEFOLD_LOG_LEVEL=debug", "FIVEFOLD_ADMIN="+socket+", "+tcp, "FIVEFOLD_BACKUP_DIR="+backups)
	for _, i := range []discordtest.Interaction{
		{Command: "wordle start"},
		{Command: "guess", Options: map[string]any{"word": word}},
		{Command: "pokle start"},
		{Command: "pokle guess", Options: map[string]any{"cards": "2c 3c 4c 5c 6c"}},
		{Command: "stats"},
	} {
		i.Guild, i.Channel, i.User, i.UserName = guild, channel, user, name
		if _, err := discord.Invoke(i).Message(t.Context()); err != nil {
			t.Fatalf("%s: %v", i.Command, err)
		}
	}
	get := func(path string) (int, string) {
		answer, err := http.Get("http://" + tcp + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		b, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(b)
	}
	counted := regexp.MustCompile(`(?s)fivefold_interactions_total\{command="stats",outcome="answered"\} 1\n.*store_commit_seconds_count [1-9]`)
	// An interaction is counted when its answer has been delivered, which may be just now.
	for until := time.Now().Add(5 * time.Minute); ; {
		_, text := get("/metrics")
		if counted.MatchString(text) {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("the metrics do not have %v:\n%s", counted, text)
		}
	}
	var seen strings.Builder
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
		status, text := get(path)
		if status != http.StatusOK {
			t.Errorf("%s: status %d: %s", path, status, text)
		}
		seen.WriteString(text)
	}
	for _, address := range []string{socket, tcp} {
		for _, args := range [][]string{{"healthy"}, {"healthy", "--ready"}} {
			if out, err := fivefold(t, []string{"FIVEFOLD_ADMIN=" + address}, args...); err != nil || out != "ok\n" {
				t.Errorf("%v at %s: %q, %v", args, address, out, err)
			}
		}
	}
	for until := time.Now().Add(5 * time.Minute); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		if copies, err := filepath.Glob(backups + "/fivefold-*.db"); err != nil || len(copies) > 0 {
			break // what is wrong is found below
		}
	}
	if err := bot.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := bot.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	if copies, err := filepath.Glob(backups + "/fivefold-*.db"); err != nil || len(copies) != 1 || bolt.Inspect(copies[0]) != nil {
		t.Errorf("backups: %v, %v\n%s", copies, err, log)
	}
	for _, secret := range []string{discord.Token(), name, user, word, strings.ToUpper(word), "2c 3c", "2♣"} {
		if strings.Contains(seen.String(), secret) {
			t.Errorf("%q is shown:\n%s", secret, seen.String())
		}
		if strings.Contains(log.String(), secret) {
			t.Errorf("%q is logged:\n%s", secret, log)
		}
	}
	for _, id := range []string{guild, channel} {
		if strings.Contains(seen.String(), id) {
			t.Errorf("%s is shown", id)
		}
	}
	if out, err := fivefold(t, []string{"FIVEFOLD_ADMIN=" + socket}, "healthy"); err == nil || !strings.Contains(out, "no bot answers there") {
		t.Errorf("after its end: %q, %v", out, err)
	}
}

// listenAsSystemd returns the path of a socket, and a function that returns the next message there.
func listenAsSystemd(t *testing.T) (path string, next func() string) {
	t.Helper()
	path = socketPath(t)
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = systemd.Close() })
	buffer := make([]byte, 1000)
	return path, func() string {
		t.Helper()
		if err := systemd.SetReadDeadline(time.Now().Add(5 * time.Minute)); err != nil {
			t.Fatal(err)
		}
		n, err := systemd.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		return string(buffer[:n])
	}
}

// TestSystemd: the supervisor hears when the bot is ready, that it lives, and that it stops.
func TestSystemd(t *testing.T) {
	t.Parallel()
	socket, next := listenAsSystemd(t)
	bot, _ := startBot(t, discordtest.New(t, discordtest.Options{}), "bolt:"+filepath.Join(t.TempDir(), "test.db"), "NOTIFY_SOCKET="+socket, "WATCHDOG_USEC=300000")
	for heard := map[string]bool{}; !heard["READY=1"] || !heard["WATCHDOG=1"]; {
		heard[next()] = true
	}
	if err := bot.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for next() != "STOPPING=1" {
	}
}
