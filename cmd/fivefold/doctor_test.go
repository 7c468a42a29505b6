package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fivefold/bot/discord/discordtest"
)

// TestDoctor: what it says about what is in order, and about each thing that is not.
func TestDoctor(t *testing.T) {
	discord := discordtest.New(t, discordtest.Options{})
	good := []string{"DISCORD_TOKEN=" + discord.Token(), "DISCORD_BASE_URL=" + discord.URL()}
	const nobody = "http://127.0.0.1:1/"
	write := func(name, text string, mode os.FileMode) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), name)
		if err := errors.Join(os.WriteFile(path, []byte(text), mode), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name string
		env  []string
		want []string // the beginning of a line each
		fix  int
	}{
		{"all is well", good, []string{
			"ok    settings  no mistakes", "skip  .env", "ok    discord   http://127.0.0.1", "ok    clock     it agrees", "ok    token     it is that of the bot ",
			"ok    sessions  1000 more are allowed today; shards that Discord recommends: 1",
			"ok    installs  servers can install the bot, and users for themselves", "ok    store     ", "ok    disk ", "skip  backups", "skip  bot",
		}, 0},
		{"no token", good[1:], []string{"ok    discord", "ok    clock", "skip  token     DISCORD_TOKEN is not set"}, 0},
		{"a wrong token", append([]string{"DISCORD_TOKEN=no-such-token"}, good[1:]...), []string{"fix   token     Discord refuses it: reset it"}, 1},
		{"no Discord", []string{"DISCORD_BASE_URL=" + nobody}, []string{"fix   discord   " + nobody + " cannot be used: ", "skip  clock", "skip  token"}, 1},
		{"a mistake in the settings", append(good, "FIVEFOLD_LOG=xml", "FIVEFOLD_ADMIN=0.0.0.0:80"),
			[]string{"fix   settings  please correct these settings:\n                FIVEFOLD_LOG: \"xml\" is neither", "ok    token"}, 1},
		{"another file", append(good, "FIVEFOLD_STORE=bolt:"+write("notes.txt", strings.Repeat("notes ", 1000), 0o600)),
			[]string{"fix   store     cannot open the store"}, 1},
		{"no folder", append(good, "FIVEFOLD_STORE=bolt:/proc/no/folder.db"), []string{"fix   disk      no file can be written"}, 1},
		{"no backups yet", append(good, "FIVEFOLD_BACKUP_DIR=backups"), []string{"ok    backups   there are none in backups yet"}, 0},
		{"an old backup", append(good, "FIVEFOLD_BACKUP_DIR="+filepath.Dir(write("fivefold-20200101T000000Z.db", "", 0o600))),
			[]string{"fix   backups   the newest in "}, 1},
		{"no bot", append(good, "FIVEFOLD_ADMIN=unix:nobody"), []string{"skip  bot       it is not running: no answer at unix:nobody"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := fivefold(t, c.env, "doctor")
			last := fmt.Sprintf("fivefold: to fix: %d\n", c.fix)
			if (err != nil) != (c.fix > 0) || c.fix > 0 && !strings.HasSuffix(out, "\n"+last) {
				t.Errorf("%v, want %d to fix", err, c.fix)
			}
			for _, want := range c.want {
				if !strings.Contains("\n"+out, "\n"+want) {
					t.Errorf("no line %q", want)
				}
			}
			if strings.Contains(out, discord.Token()) || strings.Contains(out, "no-such-token") {
				t.Error("it shows the token")
			}
			if lines := regexp.MustCompile(`(?m)^(ok|fix|skip) `).FindAllString(out, -1); len(lines) < 8 {
				t.Errorf("%d checks", len(lines))
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}

// TestDoctorOfRunningBot: the bot may run meanwhile, and what it says about itself is shown.
func TestDoctorOfRunningBot(t *testing.T) {
	t.Parallel()
	discord := discordtest.New(t, discordtest.Options{})
	store := "bolt:" + filepath.Join(t.TempDir(), "test.db")
	socket := "FIVEFOLD_ADMIN=unix:" + socketPath(t)
	startBot(t, discord, store, socket)
	env := []string{"DISCORD_BASE_URL=" + discord.URL(), "FIVEFOLD_STORE=" + store, socket}
	out, err := fivefold(t, env, "doctor")
	for _, want := range []string{"is in use by a running bot\n", "ok    bot       it is running, connected"} {
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("%v, no %q in\n%s", err, want, out)
		}
	}
	discord.MuteHello(true)
	discord.CutGateway()
	const cut = "fix   bot       it is running, but: not connected to Discord\n"
	for until := time.Now().Add(5 * time.Minute); ; {
		if out, err = fivefold(t, env, "doctor"); strings.Contains(out, cut) || time.Now().After(until) {
			break
		}
	}
	if err == nil || !strings.Contains(out, cut) {
		t.Errorf("cut off from Discord: %v\n%s", err, out)
	}
}

// TestDoctorReadsDotEnv: a file that others can read is something to fix.
func TestDoctorReadsDotEnv(t *testing.T) {
	discord := discordtest.New(t, discordtest.Options{})
	for mode, want := range map[os.FileMode]string{0o600: "ok    .env      only its owner", 0o644: "fix   .env      other users can read it"} {
		doctor := process(t, "doctor")
		dotEnv := filepath.Join(doctor.Dir, ".env")
		if err := errors.Join(os.WriteFile(dotEnv, []byte("DISCORD_BASE_URL="+discord.URL()+"\nFIVEFOLD_DATA=.\n"), mode), os.Chmod(dotEnv, mode)); err != nil {
			t.Fatal(err)
		}
		out, err := doctor.CombinedOutput()
		if !bytes.Contains(out, []byte("\n"+want)) || (err != nil) != strings.HasPrefix(want, "fix") {
			t.Errorf("%v: %v\n%s", mode, err, out)
		}
	}
}
