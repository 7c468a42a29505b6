package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fivefold/bot/admin"
	"fivefold/bot/kinds"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/backup"
	"fivefold/storage/bolt"
	"fivefold/storage/postgres"
)

// DoctorCommand is the subcommand doctor.
func DoctorCommand(p *cli.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check what the bot needs, and say what to do",
		Long: "Check the settings, the token, the clock, the disk, the store, its backups, and\n" +
			"whether Discord can be reached; say what to do about what is wrong. Nothing is\n" +
			"changed, and the bot may run meanwhile. The exit code is 0 only if all is well.",
		Example: "  fivefold doctor",
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			toFix := 0
			for f := range examine(cmd.Context(), p) {
				if f.state == needsFix {
					toFix++
				}
				if _, err := fmt.Fprintln(p.Out, f); err != nil {
					return err
				}
			}
			if toFix > 0 {
				return fmt.Errorf("to fix: %d", toFix)
			}
			return nil
		},
	}
}

// finding is what one check of the doctor found.
type finding struct {
	state findingState
	about string // what was checked
	text  string // what was found, and what to do about it
}

type findingState string

const (
	isOK     findingState = "ok"
	needsFix findingState = "fix"
	skipped  findingState = "skip"
)

func (f finding) String() string {
	return fmt.Sprintf("%-4s  %-8s  %s", f.state, f.about, strings.ReplaceAll(f.text, "\n", "\n"+strings.Repeat(" ", 16)))
}

func fine(about, format string, args ...any) finding {
	return finding{isOK, about, fmt.Sprintf(format, args...)}
}

func fix(about, format string, args ...any) finding {
	return finding{needsFix, about, fmt.Sprintf(format, args...)}
}

func notChecked(about, format string, args ...any) finding {
	return finding{skipped, about, fmt.Sprintf(format, args...)}
}

// examine yields the findings of all checks.
func examine(ctx context.Context, p *cli.Program) func(yield func(finding) bool) {
	return func(yield func(finding) bool) {
		s, err := settings.Read(p, settings.OfBot)
		findings := []finding{settingsFinding(err), dotEnvFinding()}
		findings = append(findings, examineDiscord(ctx, s, p.Version)...)
		findings = append(findings, examineStore(ctx, s)...)
		findings = append(findings, examineBackups(s), examineBot(ctx, s))
		for _, f := range findings {
			if !yield(f) {
				return
			}
		}
	}
}

func settingsFinding(err error) finding {
	if err != nil {
		return fix("settings", "%v", err)
	}
	return fine("settings", "no mistakes")
}

func dotEnvFinding() finding {
	if mode, open := settings.OpenDotEnv(); open {
		return fix(".env", "other users can read it, and any token or password in it (%v): chmod 600 .env", mode)
	}
	info, err := os.Stat(settings.DotEnv)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
		return notChecked(".env", "there is none in this folder")
	}
	if settings.IsWindows {
		return notChecked(".env", "who can read it is not known on Windows")
	}
	return fine(".env", "only its owner can read it")
}

// examineDatabase opens a store in a database, and checks that it takes changes.
func examineDatabase(ctx context.Context, s settings.Settings) finding {
	name := storage.Name(s.Store)
	ctx = game.WithWaiting(ctx)
	store, err := storage.Open(ctx, s.Store, kinds.Codecs(), storage.Options{Password: string(s.Password)})
	if err != nil {
		return fix("store", "%v", app.ExplainStore(err, s))
	}
	if err := errors.Join(store.Probe(ctx), store.Close()); err != nil {
		return fix("store", "%s does not take changes: %v", name, postgres.Advised(err))
	}
	return fine("store", "%s takes changes", name)
}

// examineStore looks at the store and at the disk that it is on.
func examineStore(ctx context.Context, s settings.Settings) []finding {
	path, err := storage.Path(s.StoreURL(settings.BotFile))
	if errors.Is(err, storage.ErrNoFile) {
		return []finding{examineDatabase(ctx, s)}
	}
	if err != nil || s.Store == "" && s.Data == "" {
		return []finding{notChecked("store", "the settings do not say where it is")}
	}
	store := fine("store", "%s is in order", path)
	size := int64(0)
	info, err := os.Stat(path)
	if err == nil {
		size = info.Size()
	}
	if errors.Is(err, fs.ErrNotExist) {
		store = fine("store", "%s does not exist yet; the bot makes it when it starts", path)
	} else if err := bolt.Inspect(path); errors.Is(err, bolt.ErrLocked) {
		store = fine("store", "%s is in use by a running bot", path)
	} else if err != nil {
		store = fix("store", "%v", app.ExplainStore(err, s))
	} else if info.Mode().Perm()&0o077 != 0 && !settings.IsWindows {
		store = fix("store", "other users can read %s, and the secret of the daily puzzles in it: chmod 600 %s", path, path)
	}
	return []finding{store, diskFinding(filepath.Dir(path), size)}
}

// diskFinding says whether files can be written to a folder, and whether another copy of
// the store fits there.
func diskFinding(folder string, size int64) finding {
	for { // the bot makes folders that do not exist
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
			break
		}
		folder = filepath.Dir(folder)
	}
	f, err := os.CreateTemp(folder, ".fivefold-doctor-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return fix("disk", "no file can be written: %v; check who owns the folder, and that the disk is not mounted read-only", err)
	}
	free, err := backup.Free(folder)
	if err != nil {
		return fix("disk", "%s: %v", folder, err)
	}
	if need := max(backup.Room*size, spare); free < need {
		return fix("disk", "%s has %s free; make room for another %s, so that the store can grow and be copied", folder, megabytes(free), megabytes(need-free))
	}
	return fine("disk", "%s has %s free", folder, megabytes(free))
}

// spare is how many bytes the disk of a new store should have free.
const spare = 64 << 20

func megabytes(n int64) string { return fmt.Sprintf("%d MB", n/1_000_000) }

// examineBackups looks for the scheduled backups.
func examineBackups(s settings.Settings) finding {
	folder := s.Backups()
	switch _, err := storage.Path(s.StoreURL(settings.BotFile)); {
	case err != nil:
		return notChecked("backups", "the store is in a database")
	case folder == "":
		return notChecked("backups", "%s is off, so the bot makes none", settings.EnvBackupDir)
	}
	newest, found, err := backup.Newest(folder)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fix("backups", "%v", err)
	case !found:
		return fine("backups", "there are none in %s yet; the bot makes one when it starts", folder)
	}
	age := time.Since(newest.At).Round(time.Second)
	if age > 2*s.BackupEvery {
		return fix("backups", "the newest in %s is %v old; if the bot is running, its log says why it makes none", folder, age)
	}
	return fine("backups", "the newest in %s is %v old", folder, age)
}

// examineBot asks the running bot how it is.
func examineBot(ctx context.Context, s settings.Settings) finding {
	if len(s.Admin) == 0 {
		return notChecked("bot", "%s is not set, so a running bot cannot be asked", settings.EnvAdmin)
	}
	switch err := admin.NewClient(s.Admin[0]).Ready(ctx); {
	case errors.Is(err, admin.ErrNobody):
		return notChecked("bot", "it is not running: no answer at %s", s.Admin[0])
	case err != nil:
		return fix("bot", "it is running, but: %v", err)
	}
	return fine("bot", "it is running, connected, and its store takes changes")
}
