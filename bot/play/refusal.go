package play

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

// refuseGuess puts the error of a guess into words. An invalid guess is refused as such before anything else. A
// repeated guess is shown with its tiles, even if the match has ended since: the player may have missed the answer.
// While the match goes on, any guess can be corrected.
func (h *Handlers) refuseGuess(ctx context.Context, f face.Face, r bot.Request, m game.Match, err error) error {
	typed := r.Args[f.Guess.Name]
	if _, wrong := f.Read(typed); wrong != nil {
		err = wrong
	}
	if m.State == nil {
		return err
	}
	attempt := f.Attempt(m.State, typed)
	switch {
	case m.Status() == game.Playing && attempt == 0:
		return correctable(f, err, f.Correct(m, typed), movedOn(r, m, 0)...)
	case m.Status() != game.Playing && (attempt == 0 || !errors.Is(err, game.ErrEnded)):
		return err
	}
	tiles := f.Rows(m.State)[attempt-1]
	if m.Status() == game.Playing {
		reply := bot.Ephemeral(bot.Text(fmt.Sprintf("%s was guess %d already.", f.Guessed(m.State, attempt), attempt)), tiles)
		return bot.RefuseWith(err, reply.Under(movedOn(r, m, 0)...).Row(f.Correct(m, typed)))
	}
	v, failed := f.View(ctx, h.Games, m)
	if failed != nil {
		return failed
	}
	reply := bot.Ephemeral(bot.Text(fmt.Sprintf("That was guess %d of this game, which is over:", attempt)), tiles, f.OutcomeIn(v),
		bot.Text("Start the next one with ", bot.Slash(f.Commands.Start), "."))
	if r.FromComponent && m.Puzzle == "" {
		reply = reply.Row(f.AgainButton(m))
	}
	return bot.RefuseWith(err, reply)
}

// firstUnlisted reports whether the answer is unlisted and the player has made no unlisted guess yet.
func firstUnlisted(f face.Face, m game.Match, p game.PlayerID) bool {
	if m.Status() != game.Playing || !f.Unlisted(m.State.Answer()) {
		return false
	}
	for i, move := range m.Moves {
		if move.Player == p && f.Unlisted(f.Guessed(m.State, i+1)) {
			return false
		}
	}
	return true
}

// askUnlisted asks the player to confirm an unlisted guess.
func askUnlisted(f face.Face, m game.Match, typed string) bot.Reply {
	b := bot.Button{Label: "Guess anyway", Style: bot.ButtonPrimary, Command: f.Commands.Guess, Args: face.MatchArgs(m)}
	b.Args[f.Guess.Name], b.Args[face.ArgSure] = strings.TrimSpace(typed), "y"
	return bot.Ephemeral(bot.Text(bot.Bold(strings.ToUpper(strings.TrimSpace(typed))+" isn't in my word list."),
		" Neither is the "+f.Noun+" you're looking for, so any five letters count here.")).Row(b, f.Correct(m, typed))
}

// correctable refuses a guess with a button to try again, under the first lines. Errors that another guess can't avoid
// are returned unchanged.
func correctable(f face.Face, err error, again bot.Button, first ...bot.Line) error {
	if errors.As(err, new(*game.NotBegunError)) {
		err = f.Explain(err)
	}
	refusal, ok := errors.AsType[bot.Refusal](f.ExplainRules(err))
	if !ok {
		return err
	}
	return bot.RefuseWith(err, refusal.Reply.Under(first...).Row(again))
}

// laterGame answers a button of a finished match with a button that leads to the latest match or starts the next one.
// Latest is zero for no match.
func (h *Handlers) laterGame(f face.Face, mode game.Mode, latest game.Match) bot.Reply {
	over := bot.Bold("This game is over.")
	if latest.Version > 0 && latest.Status() == game.Playing {
		there := bot.Button{Label: "Go there", Style: bot.ButtonPrimary, Command: f.Commands.Board, Args: face.MatchArgs(latest)}
		return bot.Ephemeral(bot.Text(over, " The next game has already started.")).Row(there)
	}
	if mode == game.Daily && latest.Version > 0 {
		return bot.Ephemeral(bot.Text(over, " ", h.nextDaily()))
	}
	latest.Mode = mode
	return bot.Ephemeral(bot.Text(over, " Start the next one with ", bot.Slash(f.Commands.Start), ".")).Row(f.AgainButton(latest))
}

// whichGame asks which game a command is for, with a button for each mode.
func whichGame(f face.Face, r bot.Request, modes []game.Mode) bot.Reply {
	question := "Which game?"
	var typed []string
	if option := f.Guess.Name; r.Command == f.Commands.Guess {
		if guess := strings.ToUpper(r.Args[option]); guess != "" {
			question = "Which game is " + guess + " for?"
		}
		typed = []string{option, r.Args[option]}
	}
	typed = append(typed, "mode", face.ModeName(modes[len(modes)-1]))
	var names []bot.Span
	var row []bot.Button
	fit := true
	for _, mode := range modes {
		name := face.ModeName(mode)
		names = append(names, bot.Bold(name))
		b := bot.Button{Label: bot.Capital(name), Command: r.Command, Args: maps.Clone(r.Args)}
		delete(b.Args, face.ArgMatch)
		b.Args["mode"] = name
		row, fit = append(row, b), fit && b.Size() <= bot.MaxButton
	}
	reply := bot.Ephemeral(bot.Text(bot.Bold(question)))
	if fit && r.Surface.HasButtons() {
		return reply.Row(row...)
	}
	return reply.Say(bot.List(bot.Text("Type it with "), names, "or").With(", such as ", bot.Slash(r.Command, typed...), "."))
}

func (h *Handlers) nextDaily() bot.Line {
	return bot.Text("The next puzzle comes ", bot.When(game.DailyDate(h.Games.Today()+1), "at midnight UTC"), ".")
}

func (h *Handlers) explain(f face.Face, r bot.Request, err error) error {
	start, board := f.Commands.Start, f.Commands.Board
	name := "game"
	if f.Title != "" {
		name += " of " + f.Title
	}
	mode := face.ReadMode(r.Args["mode"], game.Current)
	var (
		other   *game.OtherMatchError
		hints   *game.HintLimitError
		several *game.AmbiguousError
	)
	switch {
	case errors.As(err, &hints):
		return bot.Refuse(err, face.NoHints(hints.Limit))
	case errors.As(err, &other):
		return bot.RefuseWith(err, h.laterGame(f, mode, other.Match))
	case errors.As(err, &several):
		return bot.RefuseWith(err, whichGame(f, r, several.Modes))
	case errors.Is(err, game.ErrEnded) && mode == game.Daily: // always today's: older daily puzzles are no longer found
		return bot.Refuse(err, bot.Text(bot.Bold("This game is over."), " ", h.nextDaily()))
	case errors.Is(err, game.ErrEnded) && r.FromComponent && mode != game.Current:
		return bot.RefuseWith(err, h.laterGame(f, mode, game.Match{}))
	}
	none := bot.Text("No "+name+" has been started here yet. Start one with ", bot.Slash(start), ".")
	switch mode {
	case game.Challenged:
		none = bot.Text("You are not in a challenge here. Give one with ", bot.Slash(f.Commands.Challenge), ".")
	case game.Racing:
		none = bot.Text("You are not in a race here. Join one with ")
		if r.Surface.HasButtons() {
			none = none.With("the button under it, or with ")
		}
		none = none.With(bot.Slash(f.Commands.Race), ".")
	case game.Practice:
		none = bot.Text("You are practising no past puzzle here. Begin with ", bot.Slash(bot.NameDaily, "number", ""), ".")
	}
	return bot.RefuseAs(f.Explain(err), map[error]bot.Line{
		game.ErrNoMatch:    none,
		game.ErrUnreadable: bot.Text("I cannot read this game any more: its data is damaged. Please start a new one with ", bot.Slash(start), "."),
		game.ErrEnded:      bot.Text("This game is over. Start the next one with ", bot.Slash(start), "."),
		game.ErrNoDaily:    NoDaily.With(" Meanwhile: ", bot.Slash(start, "mode", face.ModeName(game.Solo)), "."),
		game.ErrAllKnown:   bot.Text("There is nothing of that kind left to give away: the board and the hints show it all. See ", bot.Slash(board), "."),
	})
}

// NoDaily is the reply while the clock is before the first daily puzzle.
var NoDaily = bot.Text("There is no daily puzzle today, since my clock is wrong. Please ask the bot's operator to set it.")
