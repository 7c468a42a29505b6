package play

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
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
	if errors.Is(err, game.ErrNotTurn) {
		return bot.Refuse(err, face.Turn(m, r.Player))
	}
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
		said := "You've guessed %s already (guess %d)."
		if slices.Contains(f.Found(m.State), attempt) {
			said = "%s is found already (guess %d)."
		}
		reply := bot.Ephemeral(bot.Text(fmt.Sprintf(said, f.Guessed(m.State, attempt), attempt)), tiles)
		return bot.RefuseWith(err, reply.Under(movedOn(r, m, 0)...).Row(f.Correct(m, typed)))
	}
	v, failed := f.View(ctx, h.Games, m)
	if failed != nil {
		return failed
	}
	reply := bot.Ephemeral(bot.Text(fmt.Sprintf("That was guess %d of this game. It's over:", attempt)), tiles, f.Outcome(v))
	reply.Names = m.Names
	if m.Puzzle == "" {
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
func (h *Handlers) laterGame(f face.Face, r bot.Request, mode game.Mode, latest game.Match) bot.Reply {
	switch {
	case latest.Version > 0 && latest.Status() == game.Playing:
		there := bot.Button{Label: "Go there", Style: bot.ButtonPrimary, Command: f.Commands.Board, Args: face.MatchArgs(latest)}
		return bot.Ephemeral(bot.Text(bot.Bold("This game is over."), " The next one has started.")).Row(there)
	case mode == game.Daily:
		return h.played(f)
	case !mode.Personal(), mode == game.Current:
		return bot.Ephemeral(over).Row(f.StartButtons(r)...)
	}
	latest.Mode = mode
	return bot.Ephemeral(over).Row(f.AgainButton(latest))
}

var over = bot.Text("This game is over.")

// played answers a player whose puzzle of today is over.
func (h *Handlers) played(f face.Face) bot.Reply {
	next := bot.When(game.DailyDate(h.Games.Today()+1), "at midnight UTC")
	return bot.Ephemeral(bot.Text("You've played today's puzzle. The next one comes ", next, ".")).Row(f.StartButton("Play alone", game.Solo))
}

// whichGame asks which game a command is for, with a button for each mode.
func whichGame(f face.Face, r bot.Request, modes []game.Mode) bot.Reply {
	question := "Which game?"
	if guess := strings.ToUpper(r.Args[f.Guess.Name]); guess != "" && r.Command == f.Commands.Guess {
		question = "Which game is " + guess + " for?"
	}
	var names []bot.Span
	var row []bot.Button
	fit := true
	for _, mode := range modes {
		name := face.ModeName(mode)
		names = append(names, bot.Bold(name))
		b := bot.Button{Label: bot.Capital(name), Command: r.Command, Args: maps.Clone(r.Args)}
		delete(b.Args, face.ArgMatch)
		b.Args["mode"] = name
		row, fit = append(row, b), fit && len(b.Query()) <= bot.MaxButton
	}
	reply := bot.Ephemeral(bot.Text(bot.Bold(question)))
	if fit {
		return reply.Row(row...)
	}
	return reply.Say(bot.List(bot.Text("Add its mode: "), names, "or").With("."))
}

func (h *Handlers) explain(f face.Face, r bot.Request, err error) error {
	mode := face.ReadMode(r.Args["mode"], game.Current)
	var (
		other   *game.OtherMatchError
		hints   *game.HintLimitError
		several *game.AmbiguousError
	)
	board := bot.Button{Label: "Show the board", Style: bot.ButtonPrimary, Command: f.Commands.Board}
	if r.Args["mode"] != "" {
		board.Args = map[string]string{"mode": r.Args["mode"]}
	}
	answer := func(l bot.Line, row ...bot.Button) error { return bot.RefuseWith(err, bot.Ephemeral(l).Row(row...)) }
	switch {
	case errors.As(err, &hints):
		return bot.Refuse(err, face.NoHints(hints.Limit))
	case errors.As(err, &other):
		return bot.RefuseWith(err, h.laterGame(f, r, mode, other.Match))
	case errors.As(err, &several):
		return bot.RefuseWith(err, whichGame(f, r, several.Modes))
	case errors.Is(err, game.ErrEnded): // a daily puzzle is always today's: older ones are no longer found
		return bot.RefuseWith(err, h.laterGame(f, r, mode, game.Match{}))
	case errors.Is(err, game.ErrNoMatch) && mode == game.Challenged:
		return answer(bot.Text("You're not in a challenge here."), bot.Button{Label: "Challenge the others", Command: f.Commands.Challenge})
	case errors.Is(err, game.ErrNoMatch) && mode == game.Racing:
		return answer(bot.Text("You're not in a race here."), bot.Button{Label: "Start a race", Command: f.Commands.Race})
	case errors.Is(err, game.ErrNoMatch) && mode == game.Practice:
		return answer(bot.Text("You have no past puzzle open here."), face.DailyButton)
	case errors.Is(err, game.ErrNoMatch):
		return answer(bot.Text("No game here yet."), f.StartButtons(r)...)
	case errors.Is(err, game.ErrUnreadable):
		return answer(bot.Text("I can't read this game any more: its data is damaged."), f.StartButtons(r)...)
	case errors.Is(err, game.ErrNoDaily):
		return answer(NoDaily, f.StartButton("Play alone", game.Solo))
	case errors.Is(err, game.ErrAllKnown):
		return answer(bot.Text("There's nothing left to give away: the board and the hints show it all."), board)
	}
	return f.Explain(err)
}

// NoDaily is the reply while the clock is before the first daily puzzle.
var NoDaily = bot.Text("There's no daily puzzle today: my clock is wrong. Ask the bot's operator to set it.")
