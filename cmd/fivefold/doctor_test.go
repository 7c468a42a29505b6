package main

import (
	"bytes"
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
	notes := filepath.Join(t.TempDir(), "notes.txt")
	mustWriteFile(t, notes, strings.Repeat("notes ", 1000), 0o600)
	discord.FailNext("GET", "/applications/@me", 429, 1) // the first of these has to wait
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
		{"no token and no .env", good[1:], []string{"fix  .env      there is no .env in /", "fix  settings  please correct these settings:\n               DISCORD_TOKEN: it is not set", "ok   discord"}, 2},
		{"a wrong token", append([]string{"DISCORD_TOKEN=no-such-token"}, good[1:]...), []string{"fix  token     it is refused by Discord: reset it"}, 1},
		{"no Discord", append(good, "DISCORD_BASE_URL="+nobody), []string{"fix  discord   " + nobody + " cannot be used, so the token is not checked: "}, 1},
		{"another file", append(good, "FIVEFOLD_STORE=bolt:"+notes), []string{"fix  store     cannot open the store"}, 1},
		{"no folder", append(good, "FIVEFOLD_STORE=bolt:/proc/no/folder.db"), []string{"fix  disk      no file can be written to /proc, for /proc/no/folder.db: "}, 1},
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

// TestDoctorServer: it says that the bot is not in the one server that has its commands, or in others too.
func TestDoctorServer(t *testing.T) {
	const here = "1600000000000000001"
	for want, guilds := range map[string][]string{
		"ok   server    only server " + here + " has the commands": {here},
		"fix  server    the bot is not in server " + here:          nil,
		"fix  server    the bot is in other servers too (1)":       {here, "1600000000000000002"},
	} {
		discord := discordtest.New(t, discordtest.Options{Guilds: guilds})
		out, err := fivefold(t, []string{"DISCORD_TOKEN=" + discord.Token(), "DISCORD_BASE_URL=" + discord.URL(), "DISCORD_GUILD_ID=" + here}, "doctor")
		if !strings.Contains(out, "\n"+want) || (err != nil) != strings.HasPrefix(want, "fix") {
			t.Errorf("%v\n%s\nwant %s", err, out, want)
		}
	}
}

// TestDoctorReadsDotEnv: a file that others can read is something to fix.
func TestDoctorReadsDotEnv(t *testing.T) {
	discord := discordtest.New(t, discordtest.Options{})
	for mode, want := range map[os.FileMode]string{0o600: "ok   .env      only its owner", 0o644: "fix  .env      other users can read it"} {
		doctor := process(t, "doctor")
		mustWriteFile(t, filepath.Join(doctor.Dir, ".env"), "DISCORD_TOKEN="+discord.Token()+"\nDISCORD_BASE_URL="+discord.URL()+"\nFIVEFOLD_DATA=.\n", mode)
		out, err := doctor.CombinedOutput()
		if !bytes.HasPrefix(out, []byte(want)) || (err != nil) != strings.HasPrefix(want, "fix") {
			t.Errorf("%v: %v\n%s", mode, err, out)
		}
	}
}

// TestDoctorSeesWrongUser: a root who can read everything learns nothing about what the bot can, and other users cannot
// look. Both hear whose the files are.
func TestDoctorSeesWrongUser(t *testing.T) {
	discord := discordtest.New(t, discordtest.Options{})
	doctor := process(t, "doctor", "--env-file", "/etc/shadow")
	want := "fix  .env      /etc/shadow belongs to user 0, and this runs as another: sudo -u '#0' fivefold doctor\n"
	if os.Getuid() == 0 {
		doctor = process(t, "doctor")
		want = "fix  .env      .env belongs to user 4321, and this runs as another: sudo -u '#4321' fivefold doctor\n"
		mustWriteFile(t, filepath.Join(doctor.Dir, ".env"), "DISCORD_TOKEN="+discord.Token(), 0o600)
		if err := os.Chown(filepath.Join(doctor.Dir, ".env"), 4321, 4321); err != nil {
			t.Fatal(err)
		}
	} else if info, err := os.Stat("/etc/shadow"); err != nil || info.Mode().Perm()&4 != 0 {
		t.Skip("this machine has no file that only root can read")
	}
	doctor.Env = append(doctor.Env, "FIVEFOLD_DATA=.", "DISCORD_BASE_URL="+discord.URL())
	if out, err := doctor.CombinedOutput(); err == nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("%v, want %q:\n%s", err, want, out)
	}
}
