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

	"fivefold/cmd/fivefold/cli"
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

func TestKeepTime(t *testing.T) {
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{"7d": 7 * day, "365d": 365 * day, "36500d": 36_500 * day, "168h": 7 * day, "720h30m": 30*day + 30*time.Minute} {
		if got, err := keepTime(text); got != want || err != nil {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"6d", "0", "0d", "-7d", "167h", "36501d", "99999999999999999999d", "d", "7", "1y", "365 d", "7.5d", "for ever"} {
		if got, err := keepTime(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestIdleTime(t *testing.T) {
	for text, want := range map[string]time.Duration{"": 24 * time.Hour, "off": 0, "1m": time.Minute, "90m": 90 * time.Minute, "720h": 720 * time.Hour} {
		if s, err := readAtHome(map[string]string{envIdle: text}); s.Idle != want || err != nil {
			t.Errorf("%q is %v, %v, want %v", text, s.Idle, err, want)
		}
	}
	for _, text := range []string{"0", "59s", "-24h", "24", "1d", "Off", "never"} {
		if s, err := readAtHome(map[string]string{envIdle: text}); err == nil {
			t.Errorf("%q is %v", text, s.Idle)
		}
	}
}

// readAtHome reads the settings of a bot whose user has a home.
func readAtHome(environ map[string]string) (Settings, error) {
	environ["HOME"], environ[EnvPublicKey] = "/home/ana", strings.Repeat("0", 64)
	return Read(&cli.Program{Env: environ}, OfBot)
}

// TestSettingsDocuments: .env.example and the table in docs/operating.md are made from the
// table of settings. With -update they are made again.
func TestSettingsDocuments(t *testing.T) {
	rows, example := "| setting | default | what it is |\n|---|---|---|\n", exampleBegin
	for _, s := range settingsTable {
		name := "`" + s.name + "`"
		if at := settingsExplained[s.name]; at != "" {
			name = "[" + name + "](" + at + ")"
		}
		rows += fmt.Sprintf("| %s | %s | %s |\n", name, cmp.Or(s.standard, "none"), s.help)
		text := cli.Fill(strings.ToUpper(s.help[:1])+s.text()[1:]+".", 88)
		comment := "#"
		if s.name == EnvToken || s.name == envGuild {
			comment = ""
		}
		example += fmt.Sprintf("\n# %s\n%s%s=%s\n", strings.ReplaceAll(text, "\n", "\n# "), comment, s.name, cmp.Or(s.example, s.value()))
	}
	const begin, end = "<!-- settings: made by go test ./cmd/fivefold/settings -run SettingsDocuments -update -->\n\n", "\n<!-- end -->\n"
	before, rest, ok := strings.Cut(mustReadDocument(t, "../../../docs/operating.md"), begin)
	_, after, ends := strings.Cut(rest, end)
	if !ok || !ends {
		t.Fatalf("docs/operating.md does not have %q and %q", begin, end)
	}
	for name, want := range map[string]string{"docs/operating.md": before + begin + rows + end + after, ".env.example": example + exampleEnd} {
		if *update {
			if err := os.WriteFile("../../../"+name, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if mustReadDocument(t, "../../../"+name) != want {
			t.Errorf("%s is not as the settings are; run go test ./cmd/fivefold/settings -run SettingsDocuments -update", name)
		}
	}
}

// TestSettingsExamples: each example is read.
func TestSettingsExamples(t *testing.T) {
	needsMore := []string{envShardIDs, EnvTLSCert, envTLSKey, envAnswers, envGuesses, envTrees}
	for _, s := range settingsTable {
		if !slices.Contains(needsMore, s.name) {
			if _, err := readAtHome(map[string]string{s.name: s.example}); err != nil {
				t.Errorf("the example for %s: %v", s.name, err)
			}
		}
	}
}

// settingsExplained says where the documents say more about a setting.
var settingsExplained = map[string]string{
	EnvHTTP: "http.md", EnvStore: "scaling.md#the-database", envKeep: "#keeping-games-for-a-time", envIdle: "#idle-games",
	envAnswers: "#your-own-word-lists", EnvAdmin: "#watching-it", EnvBackupDir: "#backups",
}

const (
	exampleBegin = `# Copy this file to .env and fill in what you need. Everything is optional: without
# a token, fivefold plays in the terminal. README.md says how to get one. Write values
# without quotes.
`
	exampleEnd = `
# For compose.yaml only: the public name of the machine, such as bot.example.org. It also
# takes DISCORD_TOKEN, DISCORD_PUBLIC_KEY and PGPASSWORD from here.
#SITE_ADDRESS=
`
)
