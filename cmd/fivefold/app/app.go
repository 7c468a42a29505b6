// Package app puts the program together: a store, the games in it, and the bot that answers requests.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/kinds"
	"fivefold/bot/preferences"
	botsolve "fivefold/bot/solve"
	"fivefold/bot/terminal"
	"fivefold/bot/terminal/tty"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/game/wordle"
	"fivefold/solver/dodge"
	"fivefold/solver/multi"
	"fivefold/solver/optimal"
	"fivefold/solver/parallel"
	"fivefold/solver/poker"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
	"fivefold/storage"
	"fivefold/storage/backup"
	"fivefold/storage/bolt"
	"fivefold/storage/check"
	"fivefold/storage/engine"
	"fivefold/storage/postgres"
	"fivefold/storage/transfer"
)

// terminalWait is how long a person at a terminal waits for another program to close the store.
const terminalWait = 500 * time.Millisecond

// player returns the name of the person at the terminal.
func player(p *cli.Program) game.PlayerID {
	for _, name := range []string{"USER", "USERNAME"} {
		if terminal.IsName(p.Env[name]) {
			return game.PlayerID(p.Env[name])
		}
	}
	return "player"
}

// App is the program put together: the bot, and what its commands work with.
type App struct {
	Bot     *bot.Bot
	Store   *storage.Store
	Permits *parallel.Permits
	Games   *matches.Manager
	commands.Handlers
}

// KeepTime runs the store and ends races, closed daily puzzles and games without a move for as long as idle, or none if
// that is 0. Stop ends that and waits for work in progress.
func (a App) KeepTime(ctx context.Context, idle time.Duration, log *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() { a.Store.Run(ctx) })
	work.Go(func() { a.Games.KeepDeadlines(ctx, log) })
	work.Go(func() { a.Games.KeepEndingIdle(ctx, idle, log) })
	return func() { cancel(); work.Wait() }
}

// Run opens the store, calls serve and closes the store. The settings name the store, or else it is
// defaultFile in the data folder. If a sync of the store fails, the context of serve ends, and the
// error wraps bolt.ErrSync.
func Run(ctx context.Context, p *cli.Program, s settings.Settings, defaultFile string, o storage.Options, serve func(ctx context.Context, a App, where string) error) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	o.Failed, o.Keep = end, s.Keep
	if defaultFile == settings.TerminalFile {
		o.LockWait = terminalWait
	}
	o.Password = string(s.Password)
	where, log := engine.Name(s.StoreURL(defaultFile)), o.Log
	store, err := storage.Open(ctx, s.StoreURL(defaultFile), kinds.Codecs(), o)
	if err != nil && p.Serves && ctx.Err() != nil {
		log.Info("stopped")
		return nil
	}
	if err != nil {
		return Unopened(ctx, err, s, defaultFile)
	}
	err = serve(ctx, assemble(p, s, store, log), where)
	if closing := store.Close(); closing != nil {
		err = errors.Join(err, fmt.Errorf("closing the store: %w", closing))
	}
	if failed := context.Cause(ctx); errors.Is(failed, bolt.ErrSync) {
		err = errors.Join(fmt.Errorf("%w\nwhat was saved before is safe; start fivefold again, and look at the disk if this happens often", failed), err)
	}
	return err
}

// assemble puts together what answers requests from a store.
func assemble(p *cli.Program, s settings.Settings, store *storage.Store, log *slog.Logger) App {
	permits := parallel.NewPermits(0)
	words, several, elsewhere, cards, evil := optimal.New(s.Lists, s.Trees...), multi.New(s.Lists), NewWeighted(p, s.Lists), new(poker.Solver), dodge.New(s.Lists)
	words.Permits, several.Permits, elsewhere.Permits, cards.Permits, evil.Permits = permits, permits, permits, permits, permits
	help := botsolve.Handlers{Lists: s.Lists, Log: log, Words: &solve.Words{Store: store, Solver: elsewhere, Boards: several}, Cards: &solve.Cards{Store: store, Solver: cards}}
	all := kinds.All(kinds.Parts{Lists: s.Lists, Words: words, Boards: several, Cards: cards, Dodge: evil, Elsewhere: help})
	games := &matches.Manager{Store: store, Rules: all.Rules(), Pick: p.Pick, Now: p.Now}
	ended := &finished.Matches{Games: games, Store: store}
	if t := p.SearchTime; t > 0 {
		words.SuggestTime, words.ReviewTime, cards.SuggestTime = t, t, t
		ended.PerformanceTime = t
	}
	if store.File() == nil { // other processes may use it
		games.Work = store
	}
	chosen := preferences.Store{Records: store}
	handlers := commands.New(commands.Dependencies{
		Kinds: all, Games: games, Finished: ended, Statistics: store, Log: log,
		Preferences: chosen, Settings: store, DayPosts: store, League: store, Reminders: store,
	})
	return App{&bot.Bot{Table: handlers.Table(), Log: log, Look: chosen.PlayerLook}, store, permits, games, handlers}
}

// Terminal is [Run] with the terminal's store. Serve gets a terminal for the person who types; the log waits
// until its screen is gone. The welcome has a %s for the place of the store.
func Terminal(ctx context.Context, p *cli.Program, s settings.Settings, welcome string, serve func(ctx context.Context, a App, t terminal.Terminal) error) error {
	release := p.HoldLog()
	err := Run(ctx, p, s, settings.TerminalFile, storage.Options{Options: engine.Options{Log: s.Logger(p.ErrOut, slog.LevelWarn)}}, func(ctx context.Context, a App, where string) error {
		return serve(ctx, a, terminal.Terminal{
			Bot: a.Bot, In: p.In, Out: p.Out, Player: player(p), Colour: p.Colour(),
			Screen: tty.TakesControls(p.Out, p.Env), Console: p.Env["TERM"] == "linux",
			Welcome: fmt.Sprintf(welcome, strings.TrimPrefix(where, "bolt:")),
		})
	})
	return errors.Join(err, release())
}

// NewWeighted returns a solver for puzzles that are played elsewhere.
func NewWeighted(p *cli.Program, lists *wordle.Lists) *weighted.Solver {
	w := weighted.New(lists)
	w.SuggestTime = cmp.Or(p.ElsewhereTime, w.SuggestTime)
	return w
}

// RestoreAdvice names the command that restores the newest good copy of the bot's store.
func RestoreAdvice(ctx context.Context, s settings.Settings) string {
	path, at := backup.NewestGood(s.Backups(), func(path string) bool {
		_, problems, err := check.File(ctx, path, kinds.Codecs(), check.Options{})
		return err == nil && problems == 0
	})
	if path == "" {
		return "\"fivefold restore FILE\" restores a backup"
	}
	return fmt.Sprintf("\"fivefold restore %s\" restores the newest good copy, of %s", path, at.Format(time.RFC3339))
}

// Explain returns err, which may be nil, with what to do about it, if that is known. The path is that of the store's
// file.
func Explain(ctx context.Context, err error, s settings.Settings, path string) error {
	advice := ""
	switch {
	case errors.Is(err, bolt.ErrLocked):
		advice = "stop the bot first, or end the other fivefold that uses it; \"fivefold backup FILE\" copies the store of a running bot"
	case errors.Is(err, postgres.ErrSchema):
		advice = "run \"fivefold migrate\" once, with " + settings.EnvStore + " set to the database"
	case errors.Is(err, transfer.ErrUnfinished):
		advice = "run the same \"fivefold copy\" again"
	case errors.Is(err, transfer.ErrNotEmpty):
		advice = "TO must be a file that does not exist yet, or a database with an empty table; nothing was changed"
	case errors.Is(err, game.ErrNewer):
		advice = "install the newer release again, or restore a backup from before it; nothing was changed"
	case errors.Is(err, bolt.ErrForeign):
		advice = "set " + settings.EnvStore + " to another file; this one was not changed"
	case errors.Is(err, game.ErrDamaged):
		if filepath.Base(path) != settings.TerminalFile { // it has no backups
			advice = RestoreAdvice(ctx, s) + "\n"
		}
		advice += fmt.Sprintf("\"fivefold repair %s\" makes a new one of what can be read; this one was not changed", path)
	case errors.Is(err, fs.ErrNotExist) && "bolt:"+path == s.StoreURL(settings.BotFile):
		advice = "run this in the folder that has the bot's .env, or name that with --env-file"
	default:
		advice = postgres.Advice(err)
	}
	if advice == "" {
		return err
	}
	return fmt.Errorf("%w\n%s", err, advice)
}

// Unopened returns the error of a store that cannot be opened, with what to do. See [Run] for defaultFile.
func Unopened(ctx context.Context, err error, s settings.Settings, defaultFile string) error {
	path, _ := engine.Path(s.StoreURL(defaultFile)) // "" for a database
	err = fmt.Errorf("cannot open the store %w", err)
	if explained := Explain(ctx, err, s, path); explained != err {
		return explained
	}
	return fmt.Errorf("%w\ncheck that the file and its folder can be written to, or set %s to another place", err, settings.EnvStore)
}
