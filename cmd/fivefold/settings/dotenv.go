package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/joho/godotenv"

	"fivefold/cmd/fivefold/cli"
)

// DotEnv is a file in the working folder that may have settings, unless --env-file names another one. It may also
// belong to another program: many have one.
const DotEnv = ".env"

// mistakes gathers what is wrong with settings.
type mistakes struct {
	file  string
	lines map[string]int // of the settings that the file has set
	all   []error
}

// name returns how a setting is called in errors.
func (m *mistakes) name(setting string) string {
	if line := m.lines[setting]; line > 0 {
		return fmt.Sprintf("%s (line %d of %s)", setting, line, m.file)
	}
	return setting
}

// add notes what is wrong with a setting or a file, unless err is nil.
func (m *mistakes) add(name string, err error) {
	if err != nil {
		m.all = append(m.all, fmt.Errorf("%s: %w", m.name(name), err))
	}
}

// readDotEnv adds to the environment what the file sets and the environment does not. A name that looks like a
// setting but is none is a mistake: otherwise one in typing would go unnoticed. Names that begin with DISCORD_, which
// other programs have as well, are checked only for a bot. A file that cannot be parsed and has no name of ours is
// another program's.
func readDotEnv(p *cli.Program, of Scope) *mistakes {
	m := &mistakes{file: cmp.Or(p.EnvFile, DotEnv), lines: map[string]int{}}
	if info, err := os.Stat(m.file); p.EnvFile == "" && (errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir()) {
		return m // Python keeps packages in folders of that name
	}
	content, err := os.ReadFile(m.file)
	if err != nil {
		m.add(m.file, cli.Bare(err))
		return m
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff")) // some editors put this first
	values, err := godotenv.UnmarshalBytes(content)
	broken := err != nil && (bytes.Contains(content, []byte("FIVEFOLD_")) || bytes.Contains(content, []byte("DISCORD_")))
	if broken {
		values = map[string]string{}
	}
	for i, line := range strings.Split(string(content), "\n") {
		one, err := godotenv.Unmarshal(line + "\nNEXT=") // without which a name alone could be read
		if err != nil && broken {
			// The parser's error quotes the file, and with it the token.
			m.add(fmt.Sprintf("%s, line %d", m.file, i+1), errors.New("it cannot be read; every line is NAME=value, as in .env.example"))
		}
		delete(one, "NEXT")
		for name, value := range one {
			if m.lines[name] = i + 1; broken {
				values[name] = value
			}
		}
	}
	for name, value := range values {
		if _, set := p.Env[name]; set {
			delete(m.lines, name)
		} else {
			p.Env[name] = value
		}
	}
	ours := []string{"FIVEFOLD_"}
	if of == OfBot || of == OfEither && p.Env[EnvToken] != "" {
		ours = append(ours, "DISCORD_")
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		known := slices.ContainsFunc(settingsTable, func(s setting) bool { return s.name == name })
		if !known && slices.ContainsFunc(ours, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			m.add(name, errors.New("there is no such setting; \"fivefold help settings\" lists them"))
		}
	}
	return m
}
