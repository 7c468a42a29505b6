package play

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds"
	"fivefold/bot/terminal"
	"fivefold/bot/terminal/tty"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/solver/solve"
	"fivefold/storage"
)

// HistoryCommand is the subcommand history.
func HistoryCommand(p *cli.Program) *cobra.Command {
	var (
		player, outcome, word, kind string
		before                      uint64
		asJSON                      bool
	)
	cmd := &cobra.Command{
		Use:   "history [NUMBER]",
		Short: "List the finished games of this terminal, or show one step by step",
		Long: "List the finished games of this terminal, newest first, or show the one with a\n" +
			"number step by step; in a terminal, Enter goes on. With --json, each game is an\n" +
			"object on a line, and players whose history was cleared are \"\". No other fivefold\n" +
			"may have the store open meanwhile.",
		Example: "  fivefold history --outcome lost\n" +
			"  fivefold history 12\n" +
			"  fivefold history --json >games.jsonl",
		Args:              cli.OptionalArgument("NUMBER"),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := cmd.Flags()
	flags.StringVar(&player, "player", "", "only games with this player, a `name`")
	flags.Var(cli.Choice(&outcome, []string{string(game.Won), string(game.Lost), string(game.Stopped)}), "outcome", "only games with this outcome: won, lost or stopped")
	flags.StringVar(&word, "word", "", "only games with this hidden `word`")
	var names []string
	for _, c := range kinds.Codecs() {
		names = append(names, string(c.Kind))
	}
	flags.Var(cli.Choice(&kind, names), "game", "only games of this kind: "+strings.Join(names, " or "))
	flags.Uint64Var(&before, "before", 0, "only games with a smaller `number`")
	flags.BoolVar(&asJSON, "json", false, "write a JSON object a line")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			if flags.NFlag() > 0 {
				return cli.WrongUse("a game's number cannot be combined with flags: they are for the list")
			}
			number, err := strconv.ParseUint(args[0], 10, 64)
			if err != nil || number == 0 {
				return cli.WrongUse("%q is not the number of a game; \"fivefold history\" lists them", args[0])
			}
			err = withHistory(cmd.Context(), p, func(ctx context.Context, b app.App) error { return replay(ctx, p, b, number) })
			if errors.Is(err, errNoGames) {
				err = noSuchGame(number)
			}
			return err
		}
		f := game.Filter{Community: terminal.Location.Community(), Player: game.PlayerID(player), Before: before, Limit: historyPage}
		f.Status, f.Kind = game.Status(outcome), game.Kind(kind)
		if word != "" {
			w, err := cli.ReadWord(word)
			if err != nil {
				return cli.WrongUse("--word: %w", err)
			}
			f.Answer = w.String()
		}
		err := withHistory(cmd.Context(), p, func(ctx context.Context, b app.App) error {
			if asJSON {
				return listJSON(ctx, p.Out, b, viewer(p), f)
			}
			return list(ctx, p.Out, b, viewer(p), f)
		})
		if !errors.Is(err, errNoGames) {
			return err
		}
		if !asJSON {
			_, err = fmt.Fprintln(p.Out, noEntries)
			return err
		}
		return nil
	}
	cmd.AddCommand(clearCommand(p))
	return cmd
}

// clearCommand is the subcommand history clear.
func clearCommand(p *cli.Program) *cobra.Command {
	var sure bool
	cmd := &cobra.Command{
		Use:               "clear PLAYER",
		Short:             "Make a player anonymous, and delete the player's statistics",
		Long:              "Make a player anonymous in every finished game, and delete the player's statistics.",
		Example:           "  fivefold history clear ana",
		Args:              cli.Arguments("PLAYER"),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().BoolVar(&sure, "sure", false, "do it without asking first")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		player := args[0]
		if !terminal.IsName(player) {
			return cli.WrongUse("%q is not a player's name", player)
		}
		unknown := fmt.Errorf("no finished game names a player %q; \"fivefold history\" lists the games", player)
		err := withHistory(cmd.Context(), p, func(ctx context.Context, b app.App) error {
			known, err := b.Games.History(ctx, game.Viewer{Player: game.PlayerID(player), Location: terminal.Location}, game.Filter{Player: game.PlayerID(player), Limit: 1})
			if err != nil {
				return err
			}
			if len(known.Entries) == 0 {
				return unknown
			}
			if !sure {
				if !tty.IsTerminal(p.In) || !tty.IsTerminal(p.Out) {
					return errors.New("nothing was changed: add --sure, since the input and output are not a terminal")
				}
				fmt.Fprintf(p.Out, "This makes %s \"somebody\" in every finished game and deletes %s's statistics.\nIt cannot be undone. Type yes to do it: ", player, player)
				answer, _, err := cli.NewAsker(p.In).Ask(ctx)
				if err != nil {
					return err
				}
				if !strings.EqualFold(answer, "yes") {
					_, err := fmt.Fprintln(p.Out, "Nothing was changed.")
					return err
				}
			}
			o := game.Origin{Request: terminal.NewRequestID(), Location: terminal.Location, Player: game.PlayerID(player)}
			if err := solve.Clear(ctx, b.Store, o); err != nil {
				return err
			}
			if err := b.Games.ClearHistory(ctx, o); err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.Out, "The history of %s is cleared.\n", player)
			return err
		})
		if errors.Is(err, errNoGames) {
			err = unknown
		}
		return err
	}
	return cmd
}

// errNoGames means that nothing has been played, so there is no store.
var errNoGames = errors.New("there is no store")

// noEntries is printed in place of an empty list.
const noEntries = "There is no such finished game."

func noSuchGame(number uint64) error {
	return fmt.Errorf("there is no finished game %d; \"fivefold history\" lists them", number)
}

// withHistory opens the terminal's store, and calls run. It does not make a store: if there is
// none, it returns errNoGames.
func withHistory(ctx context.Context, p *cli.Program, run func(ctx context.Context, b app.App) error) error {
	s, err := settings.Read(p, settings.OfGames)
	if err != nil {
		return err
	}
	switch path, err := storage.Path(s.StoreURL(settings.TerminalFile)); {
	case errors.Is(err, storage.ErrNoFile): // a database: it exists, or opening it fails
	case err != nil:
		return err
	default:
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return errNoGames
		}
	}
	return app.Run(ctx, p, s, settings.TerminalFile, storage.Options{Log: s.Logger(p.ErrOut, slog.LevelWarn)}, func(ctx context.Context, b app.App, _ string) error { return run(ctx, b) })
}

// historyPage is how many games are listed at a time.
const historyPage = 20

// viewer is the player of this terminal, who lists and replays games.
func viewer(p *cli.Program) game.Viewer {
	return game.Viewer{Player: app.Player(p), Location: terminal.Location}
}

// list prints a page of games as a table.
func list(ctx context.Context, w io.Writer, a app.App, by game.Viewer, f game.Filter) error {
	page, err := a.Games.History(ctx, by, f)
	if err != nil {
		return err
	}
	if len(page.Entries) == 0 {
		_, err := fmt.Fprintln(w, noEntries)
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "number\tended\tgame\toutcome\tguesses\tanswer\tplayers")
	for _, e := range page.Entries {
		r := e.Result
		var players []string
		for _, part := range r.Participants {
			name := string(part.Player)
			if name == "" {
				name = "somebody"
			}
			players = append(players, name)
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%d\t%s\t%s\n",
			e.Number, r.Ended.Format(time.DateOnly), r.Kind, r.Status, r.Attempts, a.History.Answer(e), strings.Join(players, ", "))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if page.HasOlder {
		_, err = fmt.Fprintf(w, "There are older ones: --before %d.\n", page.Older)
	}
	return err
}

// entryJSON is a game of the list as a line of JSON. Its answer, which is left out while the player
// can still play the puzzle, has the name that the kind has for it.
func entryJSON(e game.Entry, own face.Face) ([]byte, error) {
	r := e.Result
	players := []game.PlayerID{}
	for _, part := range r.Participants {
		players = append(players, part.Player)
	}
	var foundBy *game.PlayerID // null if nobody did
	if r.Status == game.Won {
		foundBy = &r.Winner
	}
	type field struct {
		name  string
		value any
	}
	fields := []field{{"number", e.Number}, {"ended", r.Ended}, {"outcome", r.Status}, {"guesses", r.Attempts}, {"game", r.Kind}}
	if e.Sight == game.Everything {
		fields = append(fields, field{own.Noun, own.Plain(r.Answer)})
	}
	line := []byte("{")
	for i, f := range append(fields, field{"hard", r.Hard}, field{"found_by", foundBy}, field{"players", players}) {
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			line = append(line, ',')
		}
		line = append(append(strconv.AppendQuote(line, f.name), ':'), value...)
	}
	return append(line, "}\n"...), nil
}

// listJSON prints all games that pass the filter, whatever its limit.
func listJSON(ctx context.Context, w io.Writer, a app.App, by game.Viewer, f game.Filter) error {
	out := bufio.NewWriter(w)
	for {
		page, err := a.Games.History(ctx, by, f)
		if err != nil {
			return err
		}
		for _, e := range page.Entries {
			line, err := entryJSON(e, a.Play.Faces.Of(e.Result.Kind))
			if err != nil {
				return err
			}
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
		if !page.HasOlder {
			return out.Flush()
		}
		f.Before = page.Older
	}
}

// replay shows all steps of a game, one after another; in a terminal it waits for Enter between
// them. The tiles are as this player wants them.
func replay(ctx context.Context, p *cli.Program, b app.App, number uint64) error {
	f, err := b.Games.Finished(ctx, viewer(p), number)
	var secret *game.SecretError
	switch {
	case errors.As(err, &secret):
		first := b.Play.Faces.Of(secret.Kind).Commands.Start
		if secret.Playing {
			first = b.Play.Faces.Of(secret.Kind).Commands.Board
		}
		return fmt.Errorf("game %d is a daily puzzle that %s has not finished: play it first with /%s %s in \"fivefold play\"",
			number, app.Player(p), first, face.ModeName(game.Daily))
	case errors.Is(err, game.ErrForgotten):
		return fmt.Errorf("game %d is no longer kept; \"fivefold history\" lists those that are", number)
	case errors.Is(err, game.ErrNotInHistory):
		return noSuchGame(number)
	case err != nil:
		return err
	}
	look, err := b.Bot.Look(ctx, app.Player(p))
	if err != nil {
		return err
	}
	id := terminal.NewRequestID()
	keys := cli.NewAsker(p.In)
	interactive := tty.IsTerminal(p.In) && tty.IsTerminal(p.Out)
	for step := range f.Match.Used() + 1 {
		if step > 0 {
			between := "\n"
			if interactive {
				between = "Enter shows the next step, q ends. "
			}
			if _, err := io.WriteString(p.Out, between); err != nil {
				return err
			}
			if interactive {
				answer, ok, err := keys.Ask(ctx)
				if err != nil || !ok || strings.EqualFold(answer, "q") {
					return err
				}
			}
		}
		r := bot.Reply{Lines: b.History.Step(ctx, id, f, step), Look: look}
		if _, err := io.WriteString(p.Out, terminal.DrawOn(p.Out, r, p.Colour())); err != nil {
			return err
		}
	}
	return nil
}
