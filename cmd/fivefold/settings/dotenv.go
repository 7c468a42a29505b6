package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/joho/godotenv"

	"fivefold/cmd/fivefold/cli"
)

// dotEnv is a file in the working folder that may have settings. It may also belong to another
// program: many have one.
const dotEnv = ".env"

// readDotEnv adds what a file .env sets and the environment does not. A name that looks like a
// setting but is none is an error: otherwise a typing mistake would go unnoticed. Names that
// begin with DISCORD_, which other programs have as well, are checked only for a bot. A file that
// cannot be parsed and has no name of ours is another program's.
func readDotEnv(p *cli.Program, of Scope) error {
	ours := []string{"FIVEFOLD_"}
	if of >= OfBot {
		ours = append(ours, "DISCORD_")
	}
	if info, err := os.Stat(dotEnv); errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
		return nil // Python keeps packages in folders of that name
	}
	content, err := os.ReadFile(dotEnv)
	if err != nil {
		return cli.Bare(err)
	}
	values, err := godotenv.UnmarshalBytes(bytes.TrimPrefix(content, []byte("\ufeff"))) // some editors put this first
	if err != nil && slices.ContainsFunc(ours, func(prefix string) bool { return bytes.Contains(content, []byte(prefix)) }) {
		// The parser's error quotes the file, and with it the token.
		return errors.New("it cannot be read; every line is NAME=value, as in .env.example")
	}
	var unknown []string
	for name, value := range values {
		known := slices.ContainsFunc(settingsTable, func(s setting) bool { return s.name == name })
		if !known && slices.ContainsFunc(ours, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
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
