package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/joho/godotenv"

	"fivefold/cmd/fivefold/cli"
)

// DotEnv is the file with settings in the working folder, unless --env-file names another. It may belong to another
// program.
const DotEnv = ".env"

// mistakes collects what is wrong with settings.
type mistakes struct {
	file  string
	of    Scope          // never OfEither
	lines map[string]int // the line of each setting from the file
	all   []mistake
}

type mistake struct {
	setting string
	line    int // of the file; 0 for the environment
	error
}

// name returns the name of a setting in errors.
func (m *mistakes) name(setting string) string {
	if line := m.lines[setting]; line > 0 {
		return fmt.Sprintf("%s (line %d of %s)", setting, line, m.file)
	}
	return setting
}

// add adds what is wrong with a setting or a file, unless err is nil.
func (m *mistakes) add(name string, err error) {
	if err != nil {
		m.all = append(m.all, mistake{name, m.lines[name], fmt.Errorf("%s: %w", m.name(name), err)})
	}
}

// has reports whether a setting has a mistake already.
func (m *mistakes) has(setting string) bool {
	return slices.ContainsFunc(m.all, func(one mistake) bool { return one.setting == setting })
}

// err returns all mistakes in the order of the file's lines, or nil.
func (m *mistakes) err() error {
	slices.SortStableFunc(m.all, func(a, b mistake) int { return cmp.Compare(a.line, b.line) })
	var all []error
	for _, one := range m.all {
		all = append(all, one.error)
	}
	return errors.Join(all...)
}

// readDotEnv adds the settings of the file to the environment, which comes first. An unknown name that looks like a
// setting is a mistake; one that begins with DISCORD_, as other programs have, only for a bot.
func readDotEnv(p *cli.Program, of Scope) *mistakes {
	m := &mistakes{file: cmp.Or(p.EnvFile, DotEnv), lines: map[string]int{}}
	values := m.readFile(p.EnvFile == "")
	for name, value := range values {
		if _, set := p.Env[name]; set {
			delete(m.lines, name)
		} else {
			p.Env[name] = value
		}
	}
	if m.of = of; of == OfEither {
		m.of = OfGames
		if strings.TrimSpace(p.Env[EnvToken]) != "" || m.has(EnvToken) {
			m.of = OfBot
		}
	}
	for name := range values {
		switch upper := strings.ToUpper(name); {
		case isSetting(name):
		case strings.HasPrefix(upper, "FIVEFOLD_"), m.of == OfBot && strings.HasPrefix(upper, "DISCORD_"):
			how := cmp.Or(cli.DoYouMean(allSettings(), name), "; \"fivefold help settings\" lists them")
			m.add(name, errors.New("there is no such setting"+how))
		case m.of == OfBot && m.lines[name] > 0 && (name == "GOMEMLIMIT" || name == "GOGC"):
			m.add(name, errors.New("it must be set in the environment, where Go looks for it"))
		}
	}
	return m
}

func isSetting(name string) bool {
	return slices.ContainsFunc(settingsTable, func(s setting) bool { return s.name == name })
}

// readFile returns the settings of the file. A file that cannot be parsed and has no name of ours belongs to another
// program.
func (m *mistakes) readFile(mayBeMissing bool) map[string]string {
	if info, err := os.Stat(m.file); mayBeMissing && (errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir()) {
		return nil // Python has folders of that name
	}
	content, err := os.ReadFile(m.file)
	if err != nil {
		m.add(m.file, cli.Bare(err))
		return nil
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff")) // some editors begin with this
	values, err := godotenv.UnmarshalBytes(content)
	broken := err != nil && (bytes.Contains(content, []byte("FIVEFOLD_")) || bytes.Contains(content, []byte("DISCORD_")))
	if broken {
		values = map[string]string{}
	}
	for i, line := range strings.Split(string(content), "\n") {
		one, err := godotenv.Unmarshal(line + "\nNEXT=") // so that a name alone cannot be read
		if err != nil && broken {
			// The parser's error quotes the file, and with it the token.
			m.all = append(m.all, mistake{firstName.FindString(line), i + 1,
				fmt.Errorf("%s, line %d: it cannot be read; every line is NAME=value, as in .env.example", m.file, i+1)})
		}
		delete(one, "NEXT")
		for name, value := range one {
			before := m.lines[name]
			m.lines[name] = i + 1
			if before > 0 && isSetting(name) {
				m.add(name, fmt.Errorf("line %d sets it too", before))
			}
			if broken {
				values[name] = value
			}
		}
	}
	return values
}

// firstName finds the setting in a line that cannot be read.
var firstName = regexp.MustCompile(`(DISCORD|FIVEFOLD)_\w+`)
