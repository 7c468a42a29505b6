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
	wrong map[string]bool // settings with a mistake
	all   []error
}

// add adds what is wrong with a setting or a file, unless err is nil.
func (m *mistakes) add(name string, err error) {
	if err != nil {
		m.wrong[name] = true
		m.all = append(m.all, fmt.Errorf("%s: %w", name, err))
	}
}

// readDotEnv adds the settings of the file to the environment, which comes first. It returns the scope, which is never
// OfEither. An unknown name that looks like a setting is a mistake; one that begins with DISCORD_, as other programs
// have, only for a bot.
func readDotEnv(p *cli.Program, of Scope) (*mistakes, Scope) {
	m := &mistakes{wrong: map[string]bool{}}
	values := m.readFile(cmp.Or(p.EnvFile, DotEnv), p.EnvFile == "")
	for name, value := range values {
		if _, set := p.Env[name]; !set {
			p.Env[name] = value
		}
	}
	if of == OfEither {
		of = OfGames
		if strings.TrimSpace(p.Env[EnvToken]) != "" || m.wrong[EnvToken] {
			of = OfBot
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		upper := strings.ToUpper(name)
		switch known := slices.ContainsFunc(settingsTable, func(s setting) bool { return s.name == name }); {
		case !known && (strings.HasPrefix(upper, "FIVEFOLD_") || of == OfBot && strings.HasPrefix(upper, "DISCORD_")):
			m.add(name, errors.New("there is no such setting; "+hint(upper)))
		case of == OfBot && p.Env[name] == values[name] && (name == "GOMEMLIMIT" || name == "GOGC"):
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

// ours finds the name of a setting in a line.
var ours = regexp.MustCompile(`(DISCORD|FIVEFOLD)_\w+`)

// readFile returns the settings of a file. A line that cannot be read and has no name of ours belongs to another
// program.
func (m *mistakes) readFile(file string, mayBeMissing bool) map[string]string {
	if info, err := os.Stat(file); mayBeMissing && (errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir()) {
		return nil // Python has folders of that name
	}
	content, err := os.ReadFile(file)
	if err != nil {
		m.add(file, cli.Bare(err))
		return nil
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff")) // some editors begin with this
	readable := ""
	for i, line := range strings.Split(string(content), "\n") {
		// The next name lets no name alone be read. The parser's error quotes the file, and with it the token.
		if _, err := godotenv.Unmarshal(line + "\nNEXT="); err == nil {
			readable += line + "\n"
		} else if name := ours.FindString(line); name != "" {
			m.wrong[name] = true
			m.add(fmt.Sprintf("%s, line %d", file, i+1), errors.New("it cannot be read; every line is NAME=value, as in .env.example"))
		}
	}
	values, err := godotenv.Unmarshal(readable)
	m.add(file, err)
	return values
}
