package main

import (
	"bufio"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"fivefold/bot/discord/discordtest"
)

// TestHTTP: the whole program without a gateway. Commands are registered by hand, a balancer sees
// how the bot is, and the log says what to enter on the developer portal.
func TestHTTP(t *testing.T) {
	t.Parallel()
	discord := discordtest.New(t, discordtest.Options{})
	env := []string{"DISCORD_TOKEN=" + discord.Token(), "DISCORD_BASE_URL=" + discord.URL()}
	discord.FailNext("POST", "/emojis", 403, 1)
	if out, err := fivefold(t, env, "register"); err == nil || !strings.Contains(out, "0 tiles were uploaded, then it failed; start it again to go on: ") {
		t.Errorf("refused: %v\n%s", err, out)
	}
	out, err := fivefold(t, env, "register")
	if err != nil || !strings.HasSuffix(out, "Tiles: 443, of which 443 were uploaded now.\n") || len(discord.Commands("")) == 0 || discord.Emoji("Ag1") == nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := process(t, "bot")
	socket, next := listenAsSystemd(t)
	cmd.Env = append(append(cmd.Env, env...), "FIVEFOLD_STORE=bolt:"+filepath.Join(t.TempDir(), "test.db"), "NOTIFY_SOCKET="+socket,
		"FIVEFOLD_HTTP=127.0.0.1:0", "DISCORD_PUBLIC_KEY="+discord.PublicKey())
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// Both fail where the test has ended the program already.
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	log, lines := "", bufio.NewScanner(stderr)
	for !strings.Contains(log, "enter=https://YOUR-ADDRESS/interactions") { // Discord has no address yet
		if !lines.Scan() {
			t.Fatalf("it does not say what to enter:\n%s", log)
		}
		log += lines.Text() + "\n"
	}
	if next() != "READY=1" {
		t.Error("systemd does not hear that it is ready")
	}
	found := regexp.MustCompile(`at=http://(127\.0\.0\.1:[0-9]+)/interactions`).FindStringSubmatch(log)
	if found == nil {
		t.Fatalf("it does not say where it listens:\n%s", log)
	}
	address := found[1]
	if err := discord.SetEndpoint(t.Context(), "http://"+address+"/interactions"); err != nil {
		t.Fatal(err)
	}
	answer, err := discord.Invoke(discordtest.Interaction{Guild: "7", Channel: "8", User: "9", Command: "wordle start"}).Message(t.Context())
	if err != nil || !strings.Contains(answer.Content, "Find the five-letter word") {
		t.Errorf("%q, %v", answer.Content, err)
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/metrics": 404, "/backup": 404, "/interactions": 405, "/": 404} {
		answer, err := http.Get("http://" + address + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, answer.StatusCode, want)
		}
	}
	if identified, _ := discord.Sessions(); identified != 0 {
		t.Error("the gateway was connected")
	}
	key := "DISCORD_PUBLIC_KEY=" + discord.PublicKey()
	doctor := func(want string, env ...string) {
		t.Helper()
		if out, err := fivefold(t, env, "doctor"); !strings.Contains(out, want) || (err != nil) != strings.HasPrefix(want, "fix") {
			t.Errorf("%v, no %q in\n%s", err, want, out)
		}
	}
	doctor("ok   http      interactions are posted to http://"+address, append(env, "FIVEFOLD_HTTP=:8080", key)...)
	doctor("fix  http      interactions are posted to http://"+address, env...)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
		log += lines.Text() + "\n"
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	if !strings.Contains(log, "msg=stopped") {
		t.Error("no clean end in the log")
	}
	if t.Failed() {
		t.Log(log)
	}
}
