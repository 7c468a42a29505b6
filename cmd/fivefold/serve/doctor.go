package serve

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fivefold/bot/discord/application"
	"fivefold/bot/discord/calls"
	"fivefold/bot/kinds"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/backup"
	"fivefold/storage/bolt"
	"fivefold/storage/engine"
	"fivefold/storage/postgres"
)

// DoctorCommand is the subcommand doctor.
func DoctorCommand(p *cli.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check what the bot needs, and say what to do",
		Long: "Check the settings, Discord, the clock, the token, the store and the disk; say what to do about what is " +
			"wrong. Nothing is changed, and the bot may run meanwhile. The exit code is 0 only if all is well.",
		Example: "  fivefold doctor",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := &doctor{ctx: cmd.Context(), file: cmp.Or(p.EnvFile, settings.DotEnv)}
			d.Settings, d.wrong = settings.Read(p, settings.OfBot)
			toFix := 0
			for _, check := range []struct {
				about string
				run   func() (string, error)
			}{
				{".env", d.dotEnv}, {"settings", func() (string, error) { return "no mistakes", d.wrong }}, {"discord", d.discord},
				{"token", d.token}, {"server", d.server}, {"http", d.http}, {"store", d.store}, {"disk", d.disk},
			} {
				state := "ok"
				text, err := check.run()
				if err != nil {
					toFix++
					state, text = "fix", err.Error()
				}
				if text != "" {
					text = strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", 15))
					fmt.Fprintf(p.Out, "%-3s  %-8s  %s\n", state, check.about, text)
				}
			}
			if toFix > 0 {
				return fmt.Errorf("to fix: %d", toFix)
			}
			return nil
		},
	}
}

// doctor is what the checks share. Each check returns what is in order, or an error that says what to do. Both are empty
// if the check does not apply.
type doctor struct {
	settings.Settings
	ctx     context.Context
	file    string // the file that may have settings
	wrong   error  // what is wrong with the settings
	refused error  // what to do about a refused token

	api         *calls.Client           // nil before Discord was asked
	application application.Application // zero unless Discord has answered
}

// isWindows reports whether a file's mode says nothing about who can read it.
const isWindows = runtime.GOOS == "windows"

func (d *doctor) dotEnv() (string, error) {
	info, err := os.Stat(d.file)
	if errors.Is(err, fs.ErrNotExist) && d.Token == "" {
		here, _ := os.Getwd() // without a name, the advice is the same
		return "", fmt.Errorf("there is no %s in %s: run this in the folder that has it, such as /etc/fivefold, or name it with --env-file", d.file, here)
	}
	if err != nil || info.IsDir() || isWindows {
		return "", nil
	}
	if err := wrongUser(d.file); err != nil {
		return "", err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("other users can read it, and any token or password in it (%v): chmod 600 %s", info.Mode().Perm(), d.file)
	}
	return "only its owner can read it", nil
}

// maxClockError is how wrong the clock may be. The bot drops requests that seem to have waited for 2.5 s.
const maxClockError = time.Second

// discord checks that Discord answers, within a minute if it says to wait, and compares the clock with the whole seconds
// of Discord's date.
func (d *doctor) discord() (string, error) {
	if d.BaseURL == nil {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(d.ctx, time.Minute)
	defer cancel()
	sent, wrong := time.Now(), time.Duration(0)
	d.api = calls.New(calls.Options{
		Token: string(d.Token), BaseURL: d.BaseURL, Timeout: 15 * time.Second, Log: slog.New(slog.DiscardHandler),
		Responded: func(r *http.Response) {
			if date, err := http.ParseTime(r.Header.Get("Date")); err == nil {
				wrong = max(wrong, sent.Sub(date.Add(time.Second)), time.Until(date))
			}
		},
	})
	var err error
	d.application, err = application.AskOnce(ctx, d.api)
	switch {
	case calls.FinalError(err) != nil: // also without a token
		d.refused = fmt.Errorf("it is refused by Discord: reset it on the developer portal's page of the bot, and put the new one into %s", settings.EnvToken)
	case err != nil:
		return "", fmt.Errorf("%s cannot be used, so the token is not checked: %w; check the network, the firewall and %s, or try again later",
			d.BaseURL, err, settings.EnvBaseURL)
	}
	if wrong > maxClockError {
		return "", fmt.Errorf("the clock is at least %v off Discord's: have it set over the network (NTP)", wrong.Round(time.Second))
	}
	return fmt.Sprintf("%s answers within %v, and the clock is right", d.BaseURL, time.Since(sent).Round(time.Millisecond)), nil
}

func (d *doctor) token() (string, error) {
	if d.Token == "" || d.application.ID == "" && d.refused == nil {
		return "", nil
	}
	return "it is that of the application " + d.application.Name, d.refused
}

// server checks that the bot is in the one server that has its commands, and in no other.
func (d *doctor) server() (string, error) {
	if d.Guild == "" || d.application.ID == "" {
		return "", nil
	}
	all, err := application.Servers(d.ctx, d.api)
	in := slices.Contains(all, d.Guild)
	others := len(slices.DeleteFunc(all, func(id string) bool { return id == d.Guild }))
	switch {
	case err != nil:
		return "", fmt.Errorf("could not ask Discord in which servers the bot is: %w", err)
	case !in:
		return "", fmt.Errorf("the bot is not in server %s: invite it there, or correct %s", d.Guild, settings.EnvGuild)
	case others > 0:
		return "", fmt.Errorf("the bot is in other servers too (%d), which have no commands while %s is set: clear it, or remove the bot there",
			others, settings.EnvGuild)
	}
	return "only server " + d.Guild + " has the commands, and the bot is in no other", nil
}

// http checks that Discord sends interactions as the settings say.
func (d *doctor) http() (string, error) {
	a := d.application
	portal := "https://discord.com/developers/applications/" + a.ID + "/information"
	switch {
	case a.ID == "" || d.HTTP.Address == "" && a.Endpoint == "":
		return "", nil
	case d.HTTP.Address == "":
		return "", fmt.Errorf("interactions are posted to %s, so none come over the gateway: "+
			"clear the Interactions Endpoint URL at\n%s or set %s", a.Endpoint, portal, settings.EnvHTTP)
	case !strings.EqualFold(a.Key, hex.EncodeToString(d.HTTP.PublicKey)):
		return "", fmt.Errorf("%s is not this bot's key, which is %s", settings.EnvPublicKey, a.Key)
	case a.Endpoint == "":
		return "", fmt.Errorf("there is no address to post interactions to: "+
			"enter https://YOUR-ADDRESS%s as Interactions Endpoint URL at\n%s", d.HTTP.Path, portal)
	}
	return "interactions are posted to " + a.Endpoint, nil
}

// path returns the path of the store's file, or "" without a setting or for a database.
func (d *doctor) path() string {
	path, err := engine.Path(d.StoreURL(settings.BotFile))
	if err != nil || d.Store == "" && d.Data == "" {
		return ""
	}
	return path
}

func (d *doctor) store() (string, error) {
	path := d.path()
	if path == "" {
		return d.database()
	}
	if err := wrongUser(existing(path)); err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path + " does not exist yet; the bot makes it when it starts", nil
	}
	if err := bolt.Inspect(path); errors.Is(err, bolt.ErrLocked) {
		return path + " is in use by a running bot, whose log and metrics say whether it has found damage", nil
	} else if err != nil {
		return "", app.Unopened(d.ctx, err, d.Settings, settings.BotFile)
	}
	if info.Mode().Perm()&0o077 != 0 && !isWindows {
		return "", fmt.Errorf("other users can read %s, and the secret of the daily puzzles in it: chmod 600 %[1]s", path)
	}
	return path + " opens; \"fivefold check\" reads every record", nil
}

// database checks that a store in a database takes changes.
func (d *doctor) database() (string, error) {
	if d.Store == "" {
		return "", nil
	}
	ctx := game.WithWaiting(d.ctx)
	store, err := storage.Open(ctx, d.Store, kinds.Codecs(), storage.Options{Options: engine.Options{Password: string(d.Password)}})
	if err != nil {
		return "", app.Unopened(d.ctx, err, d.Settings, settings.BotFile)
	}
	if err := errors.Join(store.Probe(ctx), store.Close()); err != nil {
		return "", fmt.Errorf("%s does not take changes: %w", engine.Name(d.Store), postgres.Advised(err))
	}
	return engine.Name(d.Store) + " takes changes", nil
}

// spare is how many bytes the disk of a new store should have free.
const spare = 64 << 20

// disk checks that files can be written next to the store, and that the store can grow and be copied.
func (d *doctor) disk() (string, error) {
	path := d.path()
	if path == "" {
		return "", nil
	}
	need := int64(spare)
	if info, err := os.Stat(path); err == nil {
		need = max(need, backup.Room*info.Size())
	}
	folder := existing(filepath.Dir(path)) // the bot makes folders that do not exist
	f, err := os.CreateTemp(folder, ".fivefold-doctor-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return "", fmt.Errorf("no file can be written to %s, for %s: %w; check the name, who owns the folder, and that the disk is not mounted read-only", folder, path, cli.Bare(err))
	}
	free, err := backup.Free(folder)
	if err == nil && free < need {
		err = fmt.Errorf("it needs another %d MB, so that the store can grow and be copied", (need-free)/1_000_000)
	}
	return fmt.Sprintf("%s has %d MB free", folder, free/1_000_000), err
}
