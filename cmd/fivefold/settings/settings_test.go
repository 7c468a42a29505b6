package settings

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot/terminal/tty"
	"fivefold/cmd/fivefold/cli"
	_ "fivefold/storage/postgres/postgrestest" // which clears the variables of PostgreSQL's programs
)

var update = flag.Bool("update", false, "rewrite the settings in documents")

func mustReadDocument(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestLimits: what is just allowed, and what no longer is.
func TestLimits(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		name, text string
		want       any // nil for an error
	}{
		{envKeep, "7d", 7 * day}, {envKeep, "36500d", 36_500 * day}, {envKeep, "6d", nil}, {envKeep, "36501d", nil},
		{envKeep, "99999999999999999999d", nil}, {envKeep, "d", nil}, {envKeep, "7", nil}, {envKeep, "7.5d", nil}, {envKeep, "-7d", nil},
		{envIdle, "", day}, {envIdle, "off", time.Duration(0)}, {envIdle, "1m", time.Minute}, {envIdle, "59s", nil}, {envIdle, "24", nil}, {envIdle, "Off", nil},
		{envShards, "", "0 []"}, {envShards, "auto", "0 []"}, {envShards, "1000", "1000 []"}, {envShards, "0", nil}, {envShards, "1001", nil}, {envShards, "two", nil},
		{envShardIDs, "0-3", "8 [0 1 2 3]"}, {envShardIDs, "7-7", "8 [7]"}, {envShardIDs, "0-8", nil}, {envShardIDs, "0-99999999", nil},
		{envShardIDs, "3-0", nil}, {envShardIDs, "-3", nil}, {envShardIDs, "0-", nil}, {envShardIDs, "all", nil},
	} {
		environ := map[string]string{c.name: c.text}
		if c.name == envShardIDs {
			environ[envShards] = "8"
		}
		s, err := readAtHome(environ)
		shards := fmt.Sprint(s.Shards.Count, s.Shards.IDs)
		got := map[string]any{envKeep: s.Keep, envIdle: s.Idle, envShards: shards, envShardIDs: shards}[c.name]
		if c.want == nil && err == nil || c.want != nil && (err != nil || got != c.want) {
			t.Errorf("%s=%q: %v, %v, want %v", c.name, c.text, got, err, c.want)
		}
	}
	moved := map[string]string{"HOME": "/home/ana", EnvStore: "postgres://fivefold@db.example/fivefold", EnvBackupDir: "/var/backups/fivefold"}
	if _, err := Read(&cli.Program{Env: moved}, OfGames); err != nil {
		t.Errorf("migrate with the settings of a bot that still has a file: %v", err)
	}
	if _, err := readAtHome(moved); err == nil {
		t.Error("a bot makes backups of a database")
	}
}

// TestMistakesTogether: each mistake is told, and once.
func TestMistakesTogether(t *testing.T) {
	for _, c := range []struct {
		environ string // with | between the variables
		want    []string
	}{
		{"DISCORD_SHARDS=0|DISCORD_SHARD_IDS=5-2", []string{`DISCORD_SHARDS: "0" is not`, `DISCORD_SHARD_IDS: "5-2" is not`}},
		{"DISCORD_SHARDS=0|DISCORD_SHARD_IDS=0-3", []string{`DISCORD_SHARDS: "0" is not`}},
		{"DISCORD_SHARDS=auto|DISCORD_SHARD_IDS=0-3", []string{"DISCORD_SHARD_IDS: DISCORD_SHARDS must be a number then, here of at least 4"}},
		{"DISCORD_SHARDS=3|DISCORD_SHARD_IDS=0-3", []string{"DISCORD_SHARD_IDS: DISCORD_SHARDS must be a number then, here of at least 4"}},
		{"DISCORD_SHARDS=3|DISCORD_SHARD_IDS=2", []string{`DISCORD_SHARD_IDS: "2" is not a range such as 0-3, or 3-3 for one shard`}},
		{"FIVEFOLD_HTTP=:0", []string{"FIVEFOLD_HTTP: it needs DISCORD_PUBLIC_KEY"}},
		{"FIVEFOLD_HTTP=8080", []string{`FIVEFOLD_HTTP: "8080" is not`}},
		{"FIVEFOLD_HTTP=:0|DISCORD_PUBLIC_KEY=short", []string{"DISCORD_PUBLIC_KEY: "}},
	} {
		env := cli.Environment("linux", strings.Split("HOME=/home/ana|DISCORD_TOKEN=token|"+c.environ, "|"))
		_, err := Read(&cli.Program{Env: env}, OfBot)
		got := strings.Split(fmt.Sprint(err), "\n")[1:]
		if !slices.EqualFunc(got, c.want, strings.HasPrefix) {
			t.Errorf("%s: got %q, want %q", c.environ, got, c.want)
		}
	}
}

// readAtHome reads the settings of a bot whose user has a home.
func readAtHome(environ map[string]string) (Settings, error) {
	environ["HOME"], environ[EnvPublicKey] = "/home/ana", strings.Repeat("0", 64)
	environ[EnvToken] = cmp.Or(environ[EnvToken], "token")
	return Read(&cli.Program{Env: environ}, OfBot)
}

// TestPasswordInDotEnv: the password of a database may be in the file too.
func TestPasswordInDotEnv(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile(".env", []byte("PGPASSWORD=secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Read(&cli.Program{Env: map[string]string{"HOME": "/home/ana"}}, OfGames); err != nil || s.Password != "secret" {
		t.Errorf("the password is %s, %v", s.Password, err)
	}
}

// TestSettingsDocuments: .env.example is made from the table of settings. With -update it is made again.
func TestSettingsDocuments(t *testing.T) {
	const name = "../../../.env.example"
	want := exampleBegin
	for _, s := range settingsTable {
		text := tty.Wrap(strings.ToUpper(s.help[:1])+s.text()[1:]+".", 89)
		comment := "#"
		if s.name == EnvToken || s.name == EnvGuild {
			comment = ""
		}
		want += fmt.Sprintf("\n# %s\n%s%s=%s\n", strings.ReplaceAll(text, "\n", "\n# "), comment, s.name, cmp.Or(s.example, s.value()))
	}
	want += exampleEnd
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if mustReadDocument(t, name) != want {
		t.Errorf("%s is not as the settings are; run go test ./cmd/fivefold/settings -run SettingsDocuments -update", name)
	}
}

// TestSettingsExamples: each example is read.
func TestSettingsExamples(t *testing.T) {
	needsMore := []string{envShardIDs, envAnswers, envGuesses, envTrees}
	for _, s := range settingsTable {
		if !slices.Contains(needsMore, s.name) {
			if _, err := readAtHome(map[string]string{s.name: s.example}); err != nil {
				t.Errorf("the example for %s: %v", s.name, err)
			}
		}
	}
}

const (
	exampleBegin = `# Copy this file to .env and fill in what you need. Without a token, fivefold
# plays in the terminal; README.md says how to get one. Everything else is
# optional. Write values without quotes.
`
	exampleEnd = `
# For docs/operating/compose.yaml only: the public name of the machine, such as
# bot.example.org. It also takes DISCORD_TOKEN, DISCORD_PUBLIC_KEY and PGPASSWORD.
#SITE_ADDRESS=
`
)
