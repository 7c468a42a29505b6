package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/cmd/fivefold/cli"
)

// startBot starts the program on the fake Discord and returns it when it is
// connected, with what it logs.
func startBot(t *testing.T, discord *discordtest.Server, store string, env ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := process(t, "bot")
	cmd.Env = append(cmd.Env, "DISCORD_TOKEN="+discord.Token(), "DISCORD_BASE_URL="+discord.URL(), "FIVEFOLD_STORE="+store)
	cmd.Env = append(cmd.Env, env...)
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// Both fail where the test has ended the program already.
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	if err := discord.WaitReady(ctx, 1); err != nil {
		t.Fatalf("the program does not connect: %v", err)
	}
	return cmd, &log
}

// TestInviteLog: a bot that starts for the first time logs the lines that README.md shows, in any order.
func TestInviteLog(t *testing.T) {
	t.Parallel()
	missing := regexp.MustCompile(`(?m)^level=.+`).FindAllString(mustRead(t, "../../README.md"), -1)
	if len(missing) < 3 {
		t.Fatalf("README.md shows %q", missing)
	}
	discord := discordtest.New(t, discordtest.Options{Guilds: []string{"5"}})
	cmd := process(t, "bot")
	cmd.Env = append(cmd.Env, "DISCORD_TOKEN="+discord.Token(), "DISCORD_BASE_URL="+discord.URL(), "FIVEFOLD_DATA="+t.TempDir())
	log, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	end := func() { _ = cmd.Process.Kill() } // it fails where the program has ended
	defer time.AfterFunc(time.Minute, end).Stop()
	for lines := bufio.NewScanner(log); len(missing) > 0 && lines.Scan(); {
		_, line, _ := strings.Cut(lines.Text(), " ")
		missing = slices.DeleteFunc(missing, func(want string) bool { return matches(want, line) })
	}
	end()
	if _ = cmd.Wait(); len(missing) > 0 { // it was killed
		t.Errorf("the bot does not log\n%s", strings.Join(missing, "\n"))
	}
}

func TestBotEndsOnSignal(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			discord := discordtest.New(t, discordtest.Options{})
			cmd, log := startBot(t, discord, "bolt:"+filepath.Join(t.TempDir(), "test.db"))
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("the program ended with %v", err)
			}
			if !strings.Contains(log.String(), "msg=stopped") {
				t.Errorf("no clean end in the log:\n%s", log)
			}
			if strings.Contains(log.String(), discord.Token()) {
				t.Errorf("the token is in the log:\n%s", log)
			}
		})
	}
}

// TestMistakeEndsLog: the last line of the log names the mistakes. A supervisor does not start the program again, and
// no line has the token.
func TestMistakeEndsLog(t *testing.T) {
	t.Parallel()
	discord := discordtest.New(t, discordtest.Options{})
	for want, env := range map[string][]string{
		"DISCORD_GUILD_ID: ": {"DISCORD_TOKEN=" + discord.Token(), "DISCORD_GUILD_ID=here", "FIVEFOLD_IDLE=never"},
		"DISCORD_TOKEN: ":    {"FIVEFOLD_KEEP=x"},
		"Discord refuses the token: check DISCORD_TOKEN": {"DISCORD_TOKEN=not-this-one"},
	} {
		cmd := process(t, "bot")
		cmd.Env = append(append(cmd.Env, "FIVEFOLD_LOG=json", "DISCORD_BASE_URL="+discord.URL(), "FIVEFOLD_DATA="+cmd.Dir), env...)
		out, err := cmd.CombinedOutput()
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		var last struct{ Level, Error string }
		if json.Unmarshal([]byte(lines[len(lines)-1]), &last) != nil || last.Level != "ERROR" || !strings.Contains(last.Error, want) ||
			cmd.ProcessState.ExitCode() != cli.ExitWrongUse || strings.Contains(string(out), "not-this-one") {
			t.Errorf("%v, no %q at the end of\n%s", err, want, out)
		}
	}
}
