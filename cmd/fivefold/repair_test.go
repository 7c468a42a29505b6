package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fivefold/bot/discord/discordtest"
)

// TestRepair damages a store, and takes it through what an operator is told to do.
func TestRepair(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	store := []string{"FIVEFOLD_STORE=bolt:" + path, "USER=ana"}
	play := func(typed string) string {
		t.Helper()
		cmd := process(t, "play")
		cmd.Env = append(cmd.Env, store...)
		cmd.Env = append(cmd.Env, "FIVEFOLD_DATA=.")
		cmd.Stdin = strings.NewReader(typed)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	play("/wordle start\n/guess boats\n/wordle stop\n/wordle start\n/guess lakes\n")
	want := play("/stats ana\n/wordle board\n")
	if out, err := fivefold(t, store, "repair"); err != nil || out != path+": nothing was wrong, and nothing was changed.\n" {
		t.Errorf("repairing what is whole: %v: %s", err, out)
	}

	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// The outcome of the game, in the log of results; pages that are free have it too.
	if b = bytes.ReplaceAll(b, []byte(`"stopped"`), []byte(`"ruined!"`)); !bytes.Contains(b, []byte("ruined!")) {
		t.Fatal("the outcome is not found")
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := fivefold(t, store, "check")
	if err == nil || !strings.Contains(out, "it is missing or wrong") || !strings.Contains(out, "\"fivefold repair "+path+"\" makes a new one") ||
		!regexp.MustCompile(`(?m)^game +where +players +ended \(UTC\) +lost\nwordle \S+ +server local +ana +20[-0-9]+ [:0-9]+ +no: a repair mends it$`).MatchString(out) {
		t.Errorf("check: %v: %s", err, out)
	}
	out, err = fivefold(t, store, "repair")
	if err != nil || !strings.Contains(out, "The damaged store is now "+path+".damaged-") || !strings.Contains(out, path+" is repaired; problems: ") {
		t.Errorf("repair: %v: %s", err, out)
	}
	if out, err := fivefold(t, store, "check"); err != nil {
		t.Errorf("check after the repair: %v: %s", err, out)
	}
	if kept, err := filepath.Glob(path + ".damaged-*"); err != nil || len(kept) != 1 {
		t.Errorf("kept: %v, %v", kept, err)
	} else if old, err := os.ReadFile(kept[0]); err != nil || !bytes.Equal(old, b) {
		t.Errorf("what was kept is not the damaged store: %v", err)
	}
	if got := play("/stats ana\n/wordle board\n"); got != want {
		t.Errorf("it shows\n%s\nand before\n%s", got, want)
	}
	out, err = fivefold(t, store, "compact")
	if after, statErr := os.Stat(path); err != nil || statErr != nil || !strings.HasPrefix(out, path+" had ") || after.Size() > int64(len(b)) {
		t.Errorf("compact: %v: %s", err, out)
	}
	if got := play("/stats ana\n/wordle board\n"); got != want {
		t.Errorf("compacted it shows\n%s\nand before\n%s", got, want)
	}
}

// TestCommandsOfRunningBot: what needs a stopped bot says so, and changes nothing.
func TestCommandsOfRunningBot(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "test.db")
	startBot(t, discordtest.New(t, discordtest.Options{}), "bolt:"+store)
	copied := filepath.Join(t.TempDir(), "copy.db")
	if out, err := fivefold(t, []string{"FIVEFOLD_STORE=bolt:" + store}, "backup", copied); err == nil || !strings.Contains(out, "in use by another process\nstop the bot, or set FIVEFOLD_ADMIN") {
		t.Errorf("backup without an admin socket: %v: %s", err, out)
	}
	before, err := os.ReadFile(store)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, before, 0o600); err != nil { // nothing is being played
		t.Fatal(err)
	}
	for _, args := range [][]string{{"check"}, {"repair"}, {"compact"}, {"restore", copied}} {
		if out, err := fivefold(t, []string{"FIVEFOLD_STORE=bolt:" + store}, args...); err == nil || !strings.Contains(out, "in use by another process") || !strings.Contains(out, "stop the bot first") {
			t.Errorf("%v: %v: %s", args, err, out)
		} else if _, why, _ := strings.Cut(out, "nothing was changed"); args[0] == "restore" && (strings.Count(why, store) != 1 || strings.Contains(why, "copy")) {
			t.Errorf("restore says %s", out)
		}
	}
	if after, err := os.ReadFile(store); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the store was changed (%v)", err)
	}
	if files, err := os.ReadDir(filepath.Dir(store)); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
}

// TestAdviceAfterDamage: whatever finds damage names the newest good copy in the folder, also one made by hand.
func TestAdviceAfterDamage(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, backups := filepath.Join(folder, "fivefold.db"), filepath.Join(folder, "copies")
	byHand := filepath.Join(backups, "today.db")
	if err := os.Mkdir(backups, 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{"FIVEFOLD_DATA=" + folder, "FIVEFOLD_BACKUP_DIR=" + backups, "FIVEFOLD_STORE=bolt:" + path, "DISCORD_TOKEN=token", "DISCORD_BASE_URL=http://127.0.0.1:1/", "USER=ana"}
	run := func(input string, args ...string) string {
		t.Helper()
		cmd := process(t, args...)
		cmd.Env, cmd.Stdin = append(cmd.Env, env...), strings.NewReader(input)
		out, err := cmd.CombinedOutput()
		if want := args[0] == "play" || args[len(args)-1] == byHand; (err == nil) != want {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("/wordle start\n/guess boats\n/wordle stop\n", "play")
	run("", "backup", byHand)
	b, err := os.ReadFile(byHand)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.ReplaceAll(b, []byte(`"stopped"`), []byte(`"ruined!"`))
	newest := filepath.Join(backups, "fivefold-29990101T000000Z.db")
	mustWriteFile(t, filepath.Join(backups, "fivefold-20250101T000000Z.db"), string(b), 0o600)
	mustWriteFile(t, newest, string(damaged), 0o600)
	mustWriteFile(t, filepath.Join(backups, "fivefold-29990101T000000Z.db.unfinished"), string(b), 0o600)
	mustWriteFile(t, filepath.Join(backups, "notes.txt"), "notes", 0o600)
	mustWriteFile(t, path, string(damaged), 0o600)
	want := "\"fivefold restore " + byHand + "\" restores the newest good copy, of 20"
	ask := func(args ...string) {
		t.Helper()
		if out := run("", args...); !strings.Contains(out, want) {
			t.Errorf("%v does not name the copy:\n%s", args, out)
		}
	}
	ask("check")
	ask("check", newest)
	ask("restore", newest)
	mustWriteFile(t, path, strings.Repeat("\x00", 8192)+string(b[8192:]), 0o600) // what says where all else is
	for _, args := range [][]string{{"check"}, {"repair"}, {"compact"}, {"backup", filepath.Join(folder, "copy.db")}, {"export", "results"}, {"bot"}, {"doctor"}} {
		ask(args...)
	}
	run("", "restore", byHand)
}
