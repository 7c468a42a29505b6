// Package settings reads settings from the environment, a file .env, and the files that these name:
// see [Read].
package settings

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fivefold/bot/admin"
	"fivefold/bot/discord/gateway"
	"fivefold/bot/terminal/tty"
	"fivefold/cmd/fivefold/cli"
	"fivefold/game/wordle"
	"fivefold/solver/trees"
	"fivefold/storage/engine"
)

// HelpWidth is the width of help in columns.
const HelpWidth = 80

// Help lists the settings, as the help of the program does.
func Help() string {
	width := 0
	for _, s := range settingsTable {
		width = max(width, len(s.name))
	}
	var b strings.Builder
	for _, s := range settingsTable {
		text := strings.ReplaceAll(tty.Wrap(s.text(), HelpWidth-width-3), "\n", "\n"+strings.Repeat(" ", width+4))
		fmt.Fprintf(&b, "  %-*s  %s\n", width, s.name, text)
	}
	return b.String()
}

// Secret is a text that prints only whether it is set.
type Secret string

// String says whether it is set.
func (s Secret) String() string {
	if s == "" {
		return "not set"
	}
	return "set"
}

// LogValue is String, for logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// HTTP is how Discord sends interactions by HTTP.
type HTTP struct {
	Address   string // empty for the gateway
	Path      string
	PublicKey ed25519.PublicKey
}

// Settings are the checked settings.
type Settings struct {
	Token    Secret
	Guild    string
	BaseURL  *url.URL
	Shards   gateway.Shards
	HTTP     HTTP
	Store    string // empty for the default
	Password Secret // of a database
	Data     string
	Keep     time.Duration // 0 for ever
	Idle     time.Duration // 0 for never
	Lists    *wordle.Lists
	Trees    []*trees.Tree
	logJSON  bool
	logLevel *slog.Level // nil for the default

	Admin       []admin.Address
	backupDir   string // empty for the default, backupsOff for none: see Backups
	BackupEvery time.Duration
	BackupKeep  int
}

// StoreURL returns the place of the store, or else of defaultFile in the data folder.
func (s Settings) StoreURL(defaultFile string) string {
	if s.Store != "" {
		return s.Store
	}
	return "bolt:" + filepath.Join(s.Data, defaultFile)
}

// Scope is which settings a command reads and checks.
type Scope int

const (
	OfStore  Scope = iota // the store, its copies, the admin address and the log
	OfGames               // all but those of Discord and of scheduled backups
	OfBot                 // all, with a token
	OfEither              // OfBot if there is a token, otherwise OfGames
)

// Read reads and checks the settings that a command uses. The error joins all faults, each with the
// name of its setting and never with the token.
func Read(p *cli.Program, of Scope) (Settings, error) {
	m, of := readDotEnv(p, of)
	s := Settings{Password: Secret(p.Env[envPassword])}
	get := func(name string) string { return strings.TrimSpace(p.Env[name]) }
	for _, one := range settingsTable {
		if text := cmp.Or(get(one.name), one.value()); text != "" && one.of <= of && one.read != nil {
			m.add(one.name, one.read(&s, text))
		}
	}
	if _, err := engine.Path(s.Store); of == OfBot && s.backupDir != "" && s.backupDir != backupsOff && errors.Is(err, engine.ErrNoFile) {
		m.add(EnvBackupDir, err)
	}
	if s.Token == "" && of == OfBot && !m.wrong[EnvToken] {
		m.add(EnvToken, errors.New("it is not set; README.md says how to get one, and \"fivefold play\" needs none"))
	}
	if n := len(s.Shards.IDs); n > 0 && s.Shards.IDs[n-1] >= s.Shards.Count && !m.wrong[envShards] {
		m.add(envShardIDs, fmt.Errorf("%s must be a number then, here of at least %d", envShards, s.Shards.IDs[n-1]+1))
	}
	if s.HTTP.Address != "" && get(EnvPublicKey) == "" && !m.wrong[EnvHTTP] && !m.wrong[EnvPublicKey] {
		m.add(EnvHTTP, fmt.Errorf("it needs %s, which is on the developer portal's page General Information", EnvPublicKey))
	}
	if s.Data == "" {
		if s.Data = defaultData(runtime.GOOS, get); s.Data == "" && s.Store == "" {
			m.add(envData, errors.New("the home folder is not known; set this to the folder for games"))
		}
	}
	if of >= OfGames {
		s.Lists = readLists(m, listFile{envAnswers, get(envAnswers)}, listFile{envGuesses, get(envGuesses)})
		var err error
		s.Trees, err = ReadTrees(s.Lists, get(envTrees))
		m.add(envTrees, err)
	}
	if err := errors.Join(m.all...); err != nil {
		return s, cli.WrongUse("please correct these settings:\n%w", err)
	}
	return s, nil
}

// With returns a command's RunE: it reads the settings and calls run.
func With(p *cli.Program, of Scope, run func(ctx context.Context, p *cli.Program, s Settings, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		s, err := Read(p, of)
		if err != nil {
			return err
		}
		return run(cmd.Context(), p, s, args)
	}
}

// backupsOff is the folder that means no scheduled backups.
const backupsOff = "off"

// Backups returns the folder of scheduled backups, or "" if there are none.
func (s Settings) Backups() string {
	path, err := engine.Path(s.StoreURL(BotFile))
	switch {
	case err != nil || s.backupDir == backupsOff:
		return ""
	case s.backupDir == "":
		return filepath.Join(filepath.Dir(path), "backups")
	}
	return s.backupDir
}

// defaultData returns the folder where the system keeps a user's data, or "" if it is not known.
func defaultData(system string, get func(string) string) string {
	home := get("HOME")
	switch {
	case system == "windows" && get("LOCALAPPDATA") != "":
		return filepath.Join(get("LOCALAPPDATA"), "Fivefold")
	case system == "darwin" && home != "":
		return filepath.Join(home, "Library", "Application Support", "Fivefold")
	case filepath.IsAbs(get("XDG_DATA_HOME")): // the XDG specification says to ignore a relative one
		return filepath.Join(get("XDG_DATA_HOME"), "fivefold")
	case home != "":
		return filepath.Join(home, ".local", "share", "fivefold")
	}
	return ""
}

// The files in the data folder that keep games by default.
const (
	BotFile      = "fivefold.db"
	TerminalFile = "terminal.db"
)

// Logger returns a logger to errOut. The level is the least that it logs unless a setting has
// another.
func (s Settings) Logger(errOut io.Writer, level slog.Level) *slog.Logger {
	if s.logLevel != nil {
		level = *s.logLevel
	}
	options := &slog.HandlerOptions{Level: level}
	if s.logJSON {
		return slog.New(slog.NewJSONHandler(errOut, options))
	}
	return slog.New(slog.NewTextHandler(errOut, options))
}
