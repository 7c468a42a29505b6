package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
			"ok   settings  no mistakes", "ok   discord   http://127.0.0.1", "ok   token     it is that of the application Fivefold",
			"ok   store     ", "ok   disk ",
		}, 0},
		{"no token", good[1:], []string{"fix  settings  please correct these settings:\n               DISCORD_TOKEN: it is not set", "ok   discord"}, 1},
		{"a wrong token", append([]string{"DISCORD_TOKEN=no-such-token"}, good[1:]...), []string{"fix  token     it is refused by Discord: reset it"}, 1},
		{"no Discord", append(good, "DISCORD_BASE_URL="+nobody), []string{"fix  discord   " + nobody + " cannot be used: "}, 1},
		{"another file", append(good, "FIVEFOLD_STORE=bolt:"+write("notes.txt", strings.Repeat("notes ", 1000), 0o600)),
			[]string{"fix  store     cannot open the store"}, 1},
		{"no folder", append(good, "FIVEFOLD_STORE=bolt:/proc/no/folder.db"), []string{"fix  disk      no file can be written"}, 1},
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
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}

// TestDoctorReadsDotEnv: a file that others can read is something to fix.
func TestDoctorReadsDotEnv(t *testing.T) {
	discord := discordtest.New(t, discordtest.Options{})
	for mode, want := range map[os.FileMode]string{0o600: "ok   .env      only its owner", 0o644: "fix  .env      other users can read it"} {
		doctor := process(t, "doctor")
		dotEnv := filepath.Join(doctor.Dir, ".env")
		if err := errors.Join(os.WriteFile(dotEnv, []byte("DISCORD_TOKEN="+discord.Token()+"\nDISCORD_BASE_URL="+discord.URL()+"\nFIVEFOLD_DATA=.\n"), mode), os.Chmod(dotEnv, mode)); err != nil {
			t.Fatal(err)
		}
		out, err := doctor.CombinedOutput()
		if !bytes.Contains(out, []byte("\n"+want)) || (err != nil) != strings.HasPrefix(want, "fix") {
			t.Errorf("%v: %v\n%s", mode, err, out)
		}
	}
}
