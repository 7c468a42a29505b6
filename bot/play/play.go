// Package play answers the commands of matches, for every kind of game: start, guess, hint, board and stop.
package play

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"strconv"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/settings"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/game/statistics"
)

// Handlers carries the dependencies of the commands. Set the fields before the first call.
type Handlers struct {
	Games      *matches.Manager
	Finished   *finished.Matches
	Faces      face.Faces
	Log        *slog.Logger
	Settings   settings.Store
	Statistics statistics.Store // for streaks
	// Race shows the race of a match, for a front without a live board.
	Race func(context.Context, face.Face, game.Match) []bot.Line
	// EndRace ends a race for all players, or asks first. It returns the given error if the player can't end a race.
	EndRace func(context.Context, face.Face, bot.Request, error) (bot.Reply, error)
}

// Commands returns the commands of a kind: start, guess, hint, board, stop.
func (h *Handlers) Commands(f face.Face) []bot.Command {
	all := []bot.Command{h.start(f), h.guess(f), h.hint(f), h.board(f), h.stop(f)}
	for i := range all {
		all[i].Audience = bot.Undecided
		all[i].Explain = func(r bot.Request, err error) error { return h.explain(f, r, err) }
		all[i].ShowCommand = f.Commands.Board
	}
	return all
}

func (h *Handlers) start(f face.Face) bot.Command {
	c := bot.Command{Name: f.Commands.Start, Help: f.StartHelp, NotSaved: "no game was started", NewMessage: true}
	c.Options = append(append([]bot.Option{face.StartMode()}, f.StartOptions...), face.HintsOption())
	c.Run = func(ctx context.Context, r bot.Request) (bot.Reply, error) {
		here, err := h.Settings.Load(ctx, r.Location.Guild)
		if err != nil {
			return bot.Reply{}, err
		}
		paced := r.MayEdit && !r.Alone()
		if here.Mode.Paced() && !paced { // the server's choice, which nobody here has asked for
			here.Mode = game.Together
		}
		mode := face.ReadMode(r.Args["mode"], here.Mode)
		if r.Context.AskerOnly && !mode.Personal() {
			return bot.Reply{}, bot.RefuseWith(game.ErrNotAllowed, bot.Ephemeral(bot.OnlyYouSee("nobody could join a game").With(".")).Row(f.StartButtons(r)...))
		}
		if mode.Paced() && !paced {
			return bot.Reply{}, bot.Decline(bot.Text("Turns and votes need other players, and a board that I can update by myself. Try a server that has added me."))
		}
		if !mode.Personal() {
			if err := here.Allows(r); err != nil {
				return bot.Reply{}, err
			}
		}
		m, err := h.Games.Start(ctx, r.Origin(), matches.StartOptions{Kind: f.Kind, Mode: mode, Hard: here.ReadHard(r), Hints: here.HintLimit(r)})
		switch {
		case errors.Is(err, game.ErrAlreadyPlayed) && m.State == nil: // the player has deleted their data since
			return bot.Reply{}, bot.RefuseWith(err, h.played(f))
		case errors.Is(err, game.ErrAlreadyPlayed):
			return h.ShowMatch(ctx, f, r, m, h.played(f).Lines()...)
		case errors.Is(err, game.ErrAlreadyPlaying) && mode.Personal():
			line := bot.Text("You're playing this one already")
			if m.Location.Community() != r.Location.Community() {
				line = bot.Text("You're playing this one elsewhere: go on here")
			}
			return h.ShowMatch(ctx, f, r, m, line)
		case errors.Is(err, game.ErrAlreadyPlaying) && r.FromComponent:
			return bot.Reply{}, bot.RefuseWith(err, h.laterGame(f, r, mode, m))
		case errors.Is(err, game.ErrAlreadyPlaying):
			return h.ShowMatch(ctx, f, r, m, bot.Text("There's a game here already: join in!"))
		case err != nil:
			return bot.Reply{}, err
		}
		return h.begun(ctx, f, r, m)
	}
	return c
}

func (h *Handlers) begun(ctx context.Context, f face.Face, r bot.Request, m game.Match) (bot.Reply, error) {
	difficulty, err := h.Games.Difficulty(ctx, m)
	if err != nil && !errors.Is(err, game.ErrBusy) {
		h.Log.Warn("could not rate a match", "request", r, "match", m, "error", err)
	}
	v, err := f.View(ctx, h.Games, m)
	if err != nil {
		return bot.Reply{}, err
	}
	v.New, v.Difficulty, v.Live = true, difficulty, r.LiveBoard
	reply := f.Show(v)
	reply.Board, reply.InPlace = h.boardOf(r, m), false
	return reply, nil
}

// MayStop reports whether a player may stop games of others, and says who may.
func (h *Handlers) MayStop(ctx context.Context, r bot.Request) (may bool, who bot.Line, err error) {
	here, err := h.Settings.Load(ctx, r.Location.Guild)
	if err != nil {
		return false, who, err
	}
	return here.MayStop(ctx, r)
}

func (h *Handlers) guess(f face.Face) bot.Command {
	option := f.Guess
	option.Complete = func(ctx context.Context, r bot.Request, typed string) []bot.Choice {
		return f.Complete(func() game.State {
			m, err := h.Games.Latest(ctx, r.Origin(), target(f, r))
			if err != nil || m.Status() != game.Playing {
				return nil
			}
			return m.State
		}, typed)
	}
	return bot.Command{
		Name: f.Commands.Guess, Help: f.GuessHelp, NotSaved: "your guess was not counted",
		Options:    []bot.Option{option, face.WhichMode(f)},
		HiddenArgs: []string{face.ArgMatch, face.ArgVersion, face.ArgTyped, face.ArgLost, face.ArgFurther, face.ArgSure, face.ArgJoin},
		FormFor:    f.Guess.Name,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			typed := r.Args[option.Name]
			switch {
			case r.Args[face.ArgLost] != "":
				return h.playOn(ctx, f, r, typed)
			case r.Args[face.ArgJoin] != "":
				m, err := h.Games.Join(ctx, r.Origin(), target(f, r))
				if err != nil {
					return h.refreshed(ctx, f, r, m, err)
				}
				return h.ShowMatch(ctx, f, r, m)
			case typed == "":
				return h.formReply(ctx, f, r)
			}
			if f.Unlisted(typed) && r.Args[face.ArgSure] == "" {
				if m, err := h.Games.Latest(ctx, r.Origin(), target(f, r)); err == nil && firstUnlisted(f, m, r.Player) {
					return askUnlisted(f, m, typed), nil
				}
			}
			m, err := h.Games.Move(ctx, r.Origin(), target(f, r), typed)
			if err != nil {
				return bot.Reply{}, h.refuseGuess(ctx, f, r, m, err)
			}
			if len(m.Calls) > 0 && !m.Guessed() { // joined or proposed
				if h.Games.Changed != nil { // the reply is for the player alone, so the board changes by itself
					h.Games.Changed(m)
				}
				return bot.Ephemeral(face.Noted(m, r.Player)), nil
			}
			return h.acted(ctx, f, r, m, movedOn(r, m, 1)...)
		},
	}
}

// formReply asks for a guess by a form, and says how to type it. It refuses if the match takes no guess.
func (h *Handlers) formReply(ctx context.Context, f face.Face, r bot.Request) (bot.Reply, error) {
	m, err := h.Games.Latest(ctx, r.Origin(), target(f, r))
	if err == nil && m.Status() != game.Playing {
		err = game.ErrEnded
	}
	if err != nil {
		return h.refreshed(ctx, f, r, m, err)
	}
	example := f.Example(m.State)
	reply := bot.Ephemeral(bot.Text("Add the ", bot.Bold(f.Guess.Name), ", such as ", bot.Slash(f.Commands.Guess, f.Guess.Name, example), "."))
	args := face.MatchArgs(m)
	args[face.ArgVersion] = strconv.FormatUint(m.Version, 10)
	reply.Form = guessForm(f, args, example, r.Args[face.ArgTyped])
	v, err := f.View(ctx, h.Games, m)
	reply.Form.About = f.Known(v)
	return reply, err
}

// movedOn tells a player that others have changed the match while the form was open. Own is the number of versions that
// the guess itself made.
func movedOn(r bot.Request, m game.Match, own uint64) []bot.Line {
	opened := r.Args[face.ArgVersion]
	if opened == "" || opened == strconv.FormatUint(m.Version-own, 10) {
		return nil
	}
	return []bot.Line{bot.Text("The board moved on while ", r.Player, " was typing").Named(m.Names)}
}

func guessForm(f face.Face, args map[string]string, example, filled string) *bot.Form {
	return &bot.Form{Title: f.FormTitle, Command: f.Commands.Guess, Args: args, Fields: []bot.Field{{
		Name: f.Guess.Name, Label: f.FormLabel, Help: example, Value: filled, Required: true, Max: f.MostTyped,
	}}}
}

func (h *Handlers) hint(f face.Face) bot.Command {
	c := bot.Command{Name: f.Commands.Hint, Help: f.HintHelp, NotSaved: "a hint would count, so I can't give one now"}
	if len(f.HintKinds) > 1 {
		choices := bot.Each(f.HintKinds, func(k game.HintKind) string { return string(k) })
		c.Options = append(c.Options, bot.Option{Name: "kind", Help: f.HintKindsHelp, Choices: choices})
	}
	c.Options = append(c.Options, face.WhichMode(f))
	c.HiddenArgs = []string{face.ArgMatch, face.ArgSure}
	c.Run = func(ctx context.Context, r bot.Request) (bot.Reply, error) {
		if (r.FromComponent || !r.Surface.HasButtons()) && r.Args[face.ArgSure] == "" {
			if m, err := h.Games.Latest(ctx, r.Origin(), target(f, r)); err == nil && m.Mode == game.Daily && m.Status() == game.Playing && len(m.Hints) == 0 {
				if left, limited := m.HintsLeft(); left > 0 || !limited {
					return h.askHint(ctx, f, r, m)
				}
			}
		}
		kind := cmp.Or(game.HintKind(r.Args["kind"]), f.HintKinds[0])
		m, err := h.Games.Hint(ctx, r.Origin(), target(f, r), kind)
		if err != nil {
			return h.refreshed(ctx, f, r, m, err)
		}
		if r.LiveBoard {
			return h.acted(ctx, f, r, m)
		}
		return bot.Reply{Audience: face.Audience(m), Blocks: bot.Lines(f.HintLine(m.Hints[len(m.Hints)-1])), Board: h.boardOf(r, m)}, nil
	}
	return c
}

func (h *Handlers) askHint(ctx context.Context, f face.Face, r bot.Request, m game.Match) (bot.Reply, error) {
	sure := bot.Button{Label: "Take a hint", Style: bot.ButtonPrimary, Command: f.Commands.Hint, Args: face.MatchArgs(m)}
	sure.Args[face.ArgSure] = "yes"
	if !r.Surface.HasButtons() {
		maps.Copy(sure.Args, r.Args)
		return bot.Ephemeral(bot.Text(bot.Bold("Take a hint?"), " It adds one guess to your average.")).Row(sure), nil
	}
	reply, err := h.ShowMatch(ctx, f, r, m, bot.Text("It adds one guess to your average"))
	reply.Heading = bot.Text("Take a hint?")
	for _, block := range reply.Blocks {
		row, _ := block.(bot.Row)
		for i := range row {
			if row[i].Command == f.Commands.Hint {
				row[i] = sure
			}
		}
	}
	return reply, err
}

func (h *Handlers) board(f face.Face) bot.Command {
	return bot.Command{
		Name: f.Commands.Board, Help: f.BoardHelp,
		Options:    []bot.Option{face.WhichMode(f), {Name: "text", Help: "In words, for everyone who reads it", Kind: bot.FlagOption}},
		HiddenArgs: []string{face.ArgMatch, face.ArgRace, bot.ArgOpen},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			m, err := h.Games.Latest(ctx, r.Origin(), target(f, r))
			if err != nil {
				return bot.Reply{}, err
			}
			reply, err := h.ShowMatch(ctx, f, r, m)
			return reply.In(bot.Look{Text: r.Args["text"] == "true"}), err
		},
	}
}

func (h *Handlers) stop(f face.Face) bot.Command {
	return bot.Command{
		Name: f.Commands.Stop, Help: f.StopHelp, NotSaved: "the game goes on",
		Options:    []bot.Option{face.WhichMode(f), {Name: face.ArgSure, Help: "Skip the question", Kind: bot.FlagOption}},
		HiddenArgs: []string{face.ArgMatch, face.ArgRace},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			if r.Args[face.ArgRace] != "" {
				return h.EndRace(ctx, f, r, game.ErrRaceOver)
			}
			may, who, err := h.MayStop(ctx, r)
			if err != nil {
				return bot.Reply{}, err
			}
			m, err := h.Games.Stop(ctx, r.Origin(), target(f, r), may, r.Args[face.ArgSure] == "true")
			switch {
			case errors.Is(err, game.ErrUnsure):
				b := bot.Button{Label: "Stop the game", Style: bot.ButtonDanger, Command: f.Commands.Stop, Args: face.MatchArgs(m)}
				if m.Mode.Personal() {
					b.Label = "Give up"
				}
				b.Args[face.ArgSure] = "true"
				return bot.Ephemeral(face.StopCost(m, r.Player)).Row(b), nil
			case errors.Is(err, game.ErrNotAllowed):
				return bot.Reply{}, bot.Refuse(err, bot.Text("Only ", m.Starter, " (who started this game) or ", who, " can stop it.").Named(m.Names))
			case !r.FromComponent && (errors.Is(err, game.ErrNoMatch) || errors.Is(err, game.ErrEnded)):
				return h.EndRace(ctx, f, r, err)
			case err != nil:
				return h.refreshed(ctx, f, r, m, err)
			}
			return h.acted(ctx, f, r, m)
		},
	}
}

// target returns the match that a request means: without a mode, the one that its player is playing.
func target(f face.Face, r bot.Request) matches.Target {
	return matches.Target{Kind: f.Kind, Mode: face.ReadMode(r.Args["mode"], game.Current), Match: game.MatchID(r.Args[face.ArgMatch])}
}

// Shows sets the function that shows the boards of matches that end without a request. Call it once, before the manager
// is used.
func (h *Handlers) Shows(show bot.Show) {
	h.Games.Changed = func(m game.Match) {
		r := bot.Request{ID: game.RequestID(m.ID), Location: m.Location, Player: m.Starter, LiveBoard: true}
		if face.Audience(m) == bot.Everyone {
			show(func(ctx context.Context) (bot.Reply, error) {
				if m.Guessed() { // by a vote
					return h.acted(ctx, h.Faces.Of(m.Kind), r, m)
				}
				return h.ShowMatch(ctx, h.Faces.Of(m.Kind), r, m)
			})
		}
	}
}

// refreshed answers a button of an ended match with the board at its end, since the button's message may still show the
// match as open. For other requests and errors it returns err.
func (h *Handlers) refreshed(ctx context.Context, f face.Face, r bot.Request, m game.Match, err error) (bot.Reply, error) {
	past := errors.As(err, new(*game.OtherMatchError)) // a later match has followed the one of the message
	if past && r.FromComponent {
		past, failed := h.Finished.Match(ctx, r.Viewer(), finished.Past{Match: game.MatchID(r.Args[face.ArgMatch])})
		m = past.Match
		if failed != nil || m.Kind != f.Kind || !m.Mode.Personal() && m.Location != r.Location { // not a match of this channel
			return bot.Reply{}, err
		}
	}
	if !past && !errors.Is(err, game.ErrEnded) || !r.FromComponent || m.State == nil {
		return bot.Reply{}, err
	}
	reply, failed := h.ShowMatch(ctx, f, r, m)
	if refusal, ok := errors.AsType[bot.Refusal](h.explain(f, r, err)); ok && failed == nil {
		reply.Board.Otherwise, reply.Board.Past = &refusal.Reply, past
	}
	return reply, failed
}

// acted shows a match to the player who has just made a move in it.
func (h *Handlers) acted(ctx context.Context, f face.Face, r bot.Request, m game.Match, said ...bot.Line) (bot.Reply, error) {
	reply, err := h.ShowMatch(ctx, f, r, m, said...)
	if err == nil {
		reply.Board.Acted = true
	}
	return reply, err
}

// ShowMatch shows a match to one of its players. What is said stands below the heading, in place of what the board says there.
func (h *Handlers) ShowMatch(ctx context.Context, f face.Face, r bot.Request, m game.Match, said ...bot.Line) (bot.Reply, error) {
	v, err := f.View(ctx, h.Games, m)
	if err != nil {
		return bot.Reply{}, err
	}
	v.Live = r.LiveBoard
	v.Alone = r.Alone()
	v.Away = m.Location.Community() != r.Location.Community()
	if number, daily := m.Puzzle.Daily(); daily && m.Mode == game.Daily && m.Status() == game.Won {
		totals, err := h.Statistics.Totals(ctx, statistics.Scope{Kind: m.Kind}, m.Starter)
		if err != nil {
			return bot.Reply{}, err
		}
		if totals.LastDay == number {
			v.Streak = totals.Days.Now
		}
	}
	reply := f.Show(v)
	if len(said) > 0 {
		reply.Subtext = bot.Join(said...)
	}
	reply.Board = h.boardOf(r, m)
	reply.Board.Event = f.Event(m).Named(m.Names)
	if m.Mode.Raced() && m.Status() != game.Playing && !r.LiveBoard {
		reply = reply.Say(h.Race(ctx, f, m)...)
	}
	return reply, nil
}

// boardOf says which match a front keeps the message of, and how the front can ask for a later version.
func (h *Handlers) boardOf(r bot.Request, m game.Match) *bot.Board {
	r.MayRead, r.Expires = nil, time.Time{} // a front keeps the board, and may call Later long after the request
	target := matches.Target{Kind: m.Kind, Mode: m.Mode, Match: m.ID}
	later := func(ctx context.Context, than uint64) (bot.Reply, bool, error) {
		now, err := h.Games.Latest(ctx, r.Origin(), target)
		if errors.As(err, new(*game.OtherMatchError)) || err == nil && now.Version <= than {
			return bot.Reply{}, false, nil
		}
		if err != nil {
			return bot.Reply{}, false, err
		}
		reply, err := h.ShowMatch(ctx, h.Faces.Of(target.Kind), r, now)
		return reply, err == nil, err
	}
	return &bot.Board{Match: m.ID, Slot: m.Slot(), Location: m.Location, Version: m.Version, Changed: m.Changed(), Later: later}
}
