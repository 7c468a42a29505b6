package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/joho/godotenv"

	"fivefold/cmd/fivefold/cli"
)

// DotEnv is the file with settings in the working folder, unless --env-file names another. It may belong to another
// program.
const DotEnv = ".env"

// mistakes collects what is wrong with settings.
type mistakes struct {
	file  string
	lines map[string]int  // the line of each setting from the file
	wrong map[string]bool // settings with a mistake
	all   []error
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
		m.wrong[name] = true
		m.all = append(m.all, fmt.Errorf("%s: %w", m.name(name), err))
	}
}

// readDotEnv adds the settings of the file to the environment, which comes first. It returns the scope, which is never
// OfEither. An unknown name that looks like a setting is a mistake; one that begins with DISCORD_, as other programs
// have, only for a bot.
func readDotEnv(p *cli.Program, of Scope) (*mistakes, Scope) {
	m := &mistakes{file: cmp.Or(p.EnvFile, DotEnv), lines: map[string]int{}, wrong: map[string]bool{}}
	for name, value := range m.readFile(p.EnvFile == "") {
		if _, set := p.Env[name]; set {
			delete(m.lines, name)
		} else {
			p.Env[name] = value
		}
	}
	if of == OfEither {
		of = OfGames
		if strings.TrimSpace(p.Env[EnvToken]) != "" || m.wrong[EnvToken] {
			of = OfBot
		}
	}
	byLine := func(a, b string) int { return cmp.Compare(m.lines[a], m.lines[b]) }
	for _, name := range slices.SortedFunc(maps.Keys(m.lines), byLine) {
		upper := strings.ToUpper(name)
		switch known := slices.ContainsFunc(settingsTable, func(s setting) bool { return s.name == name }); {
		case !known && (strings.HasPrefix(upper, "FIVEFOLD_") || of == OfBot && strings.HasPrefix(upper, "DISCORD_")):
			m.add(name, errors.New("there is no such setting; "+hint(upper)))
		case of == OfBot && (name == "GOMEMLIMIT" || name == "GOGC"):
			m.add(name, errors.New("it must be set in the environment, where Go looks for it"))
		}
	}
	return m, of
}

// hint proposes the setting that an unknown name is most like.
func hint(name string) string {
	for _, s := range settingsTable {
		if strings.HasPrefix(s.name, name) || levenshtein.ComputeDistance(s.name, name) <= 2 {
			return fmt.Sprintf("do you mean %q?", s.name)
		}
	}
	return "\"fivefold help settings\" lists them"
}

// ours finds the first name of a setting in a line.
var ours = regexp.MustCompile(`(DISCORD|FIVEFOLD)_\w+`)

// readFile returns the settings of the file, and notes their lines. A line that cannot be read and has no name of ours
// belongs to another program.
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
	readable, number := "", 0
	for line := range strings.Lines(string(content)) {
		number++
		one, err := godotenv.Unmarshal(line + "\nNEXT=") // so that a name alone cannot be read
		if err != nil {
			if name := ours.FindString(line); name != "" {
				m.wrong[name] = true
				// The parser's error quotes the file, and with it the token.
				m.add(fmt.Sprintf("%s, line %d", m.file, number), errors.New("it cannot be read; every line is NAME=value, as in .env.example"))
			}
			continue
		}
		readable += line + "\n"
		delete(one, "NEXT")
		for name := range one {
			before := m.lines[name]
			m.lines[name] = number
			if before > 0 && ours.MatchString(name) {
				m.add(name, fmt.Errorf("line %d sets it too", before))
			}
		}
	}
	values, err := godotenv.Unmarshal(readable)
	m.add(m.file, err)
	return values
}
