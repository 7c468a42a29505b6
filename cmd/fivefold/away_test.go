package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/storage/postgres/postgrestest"
)

// startAway starts a bot whose database is away, and waits until it says so.
func startAway(t *testing.T, discord *discordtest.Server, store string) (stop func() error, log *watchedLog) {
	t.Helper()
	cmd := process(t, "bot")
	cmd.Env = append(cmd.Env, "DISCORD_TOKEN="+discord.Token(), "DISCORD_BASE_URL="+discord.URL(), "FIVEFOLD_STORE="+store)
	log = &watchedLog{want: "could not reach the database; trying again every second", there: make(chan struct{})}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // which fails where it has ended already
	select {
	case <-log.there:
	case err := <-ended:
		t.Fatalf("%v\n%s", err, log)
	}
	return func() error {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			return err
		}
		return <-ended
	}, log
}

// TestDatabaseAway: a bot whose database is away waits for it, and stops at once if it is to.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	discord := discordtest.New(t, discordtest.Options{})
	stop, log := startAway(t, discord, fmt.Sprintf("postgres://fivefold@127.0.0.1:%d/fivefold", freePort(t)))
	began := time.Now()
	if err := stop(); err != nil || !strings.Contains(log.String(), "msg=stopped") {
		t.Errorf("stopping: %v after %v\n%s", err, time.Since(began), log)
	}

	server := postgrestest.Start(t)
	at := server.Database(t)
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	stop, log = startAway(t, discord, at)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	if err := discord.WaitReady(t.Context(), 1); err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	if err := stop(); err != nil || !strings.Contains(log.String(), "reached the database") {
		t.Errorf("%v\n%s", err, log)
	}
}
