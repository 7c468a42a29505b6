package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/joho/godotenv"

	"fivefold/cmd/fivefold/cli"
)

// DotEnv is a file in the working folder that may have settings. It may also belong to another
// program: many have one.
const DotEnv = ".env"

// The prefixes of our settings. Other programs for Discord have settings with the second
// one as well.
const (
	ourPrefix     = "FIVEFOLD_"
	discordPrefix = "DISCORD_"
)

// parseDotEnv returns what the file .env sets. It returns nothing if there is no such file, or
// if the file cannot be parsed and mentions none of the names: then it is another program's.
func parseDotEnv(names ...string) (map[string]string, error) {
	if info, err := os.Stat(DotEnv); err == nil && info.IsDir() {
		return nil, nil // Python keeps packages in folders of that name
	}
	content, err := os.ReadFile(DotEnv)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cli.Bare(err)
	}
	values, err := godotenv.UnmarshalBytes(bytes.TrimPrefix(content, []byte("\ufeff"))) // some editors put this first
	if err == nil {
		return values, nil
	}
	for _, name := range names {
		if bytes.Contains(content, []byte(name)) {
			// The parser's error quotes the file, and with it the token.
			return nil, errors.New("it cannot be read; every line is NAME=value, as in .env.example")
		}
	}
	return nil, nil // another program's, in a form of its own
}

// readDotEnv adds what a file .env sets and the environment does not. A name that looks like a
// setting but is none is an error: otherwise a typing mistake would go unnoticed. Names that
// begin with DISCORD_ are checked only for a bot.
func readDotEnv(p *cli.Program, of Scope) error {
	ours := []string{ourPrefix}
	if of >= OfBot {
		ours = append(ours, discordPrefix)
	}
	values, err := parseDotEnv(ours...)
	if err != nil {
		return err
	}
	var unknown []string
	for name, value := range values {
		if !isSetting(name) && slices.ContainsFunc(ours, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			unknown = append(unknown, name)
		}
		if _, set := p.Env[name]; !set {
			p.Env[name] = value
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return fmt.Errorf("there is no setting %s; \"fivefold --help\" lists them", strings.Join(unknown, ", "))
	}
	return nil
}

func isSetting(name string) bool {
	return slices.ContainsFunc(settingsTable, func(s setting) bool { return s.name == name })
}

// FindToken reports whether there is a token, and whether it is in a file .env that has no
// settings of our own. A name in that file that is almost the token's counts as the token: the
// mistake is reported when the settings are read.
func FindToken(p *cli.Program) (found, foreign bool, err error) {
	if token, set := p.Env[EnvToken]; set { // even an empty one takes precedence over the file
		return strings.TrimSpace(token) != "", false, nil
	}
	values, err := parseDotEnv(ourPrefix, EnvToken)
	if err != nil {
		return false, false, err
	}
	foreign = true
	for name, value := range values {
		switch {
		case strings.HasPrefix(name, ourPrefix):
			foreign = false
		case name == EnvToken:
			found = found || strings.TrimSpace(value) != ""
		case cli.Distance(name, EnvToken) <= 2:
			return true, false, nil
		}
	}
	return found, found && foreign, nil
}

// On Windows, permissions say nothing about other users.
const IsWindows = runtime.GOOS == "windows"

// WarnOfDotEnv logs that others can read the file .env, which may have the token.
func WarnOfDotEnv(log *slog.Logger) {
	if mode, open := OpenDotEnv(); open {
		log.Warn("other users of this machine can read the file .env, which may have the token: chmod 600 .env", "mode", mode.String())
	}
}

// OpenDotEnv reports whether other users can read or write the file .env, and its
// permissions.
func OpenDotEnv() (os.FileMode, bool) {
	info, err := os.Stat(DotEnv)
	if err != nil || info.IsDir() || IsWindows {
		return 0, false
	}
	return info.Mode().Perm(), info.Mode().Perm()&0o077 != 0
}
