package play

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

// Handlers has what the commands work with. Its fields must be set and not changed
// afterwards.
type Handlers struct {
	Games *game.Manager
	Faces face.Faces
	Log   *slog.Logger
}

// Commands returns the commands of a kind: start, guess, hint, board, stop.
func (h *Handlers) Commands(f face.Face) []bot.Command {
	all := []bot.Command{h.start(f), h.guess(f), h.hint(f), h.board(f), h.stop(f)}
	for i := range all {
		all[i].Audience = bot.Undecided
		all[i].Explain = func(_ bot.Request, err error) (bot.Reply, bool) { return explain(f, err) }
		all[i].ShowCommand = f.Commands.Board
	}
	return all
}

func (h *Handlers) start(f face.Face) bot.Command {
	c := bot.Command{
		Name:    f.Commands.Start,
		Help:    f.StartHelp,
		Options: []bot.Option{face.StartMode()},

		NotSaved: "no game was started",
	}
	if f.HasHard {
		c.Options = append(c.Options, bot.Option{
			Name: "hard", Help: "Hard mode: later guesses must use every clue", Kind: bot.FlagOption,
		})
	}
	c.Run = func(ctx context.Context, r bot.Request) (bot.Reply, error) {
		mode := face.ReadMode(r.Args["mode"], game.Together)
		m, err := h.Games.Start(ctx, r.Origin(), game.StartOptions{Kind: f.Kind, Mode: mode, Hard: r.Args["hard"] == "true"})
		switch {
		case errors.Is(err, game.ErrAlreadyPlayed):
			return h.show(ctx, f, m, bot.Text(bot.Bold("You have played today's puzzle."), " The next one comes at midnight UTC. Meanwhile: ",
				bot.Slash(f.Commands.Start, "mode", face.ModeName(game.Solo)), "."))
		case errors.Is(err, game.ErrAlreadyPlaying) && mode.Personal():
			return h.show(ctx, f, m, bot.Text(bot.Bold("You are playing this game already."), " Here it is:"))
		case err != nil:
			return bot.Reply{}, err
		}
		difficulty, err := h.Games.Difficulty(ctx, m)
		if err != nil && !errors.Is(err, game.ErrBusy) {
			h.Log.Warn("a match cannot be rated", "request", r, "match", m, "error", err)
		}
		v, err := face.NewView(ctx, h.Games, m, f.Counts(m))
		if err != nil {
			return bot.Reply{}, err
		}
		v.Introduced = true
		return under(f.Show(v), f.Intro(m, difficulty)), nil
	}
	return c
}

func (h *Handlers) guess(f face.Face) bot.Command {
	return bot.Command{
		Name:    f.Commands.Guess,
		Help:    f.GuessHelp,
		Options: append(slices.Clip(f.Guess), face.WhichMode()),

		NotSaved: "your guess was not counted",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			if f.Form != nil && r.Args[f.Guess[0].Name] == "" {
				return h.formReply(ctx, f, r), nil
			}
			move, err := f.ReadGuess(r.Args)
			if err != nil {
				return bot.Reply{}, err
			}
			m, err := h.Games.Move(ctx, r.Origin(), target(f, r), move)
			if err != nil {
				return bot.Reply{}, tried(f, r, m, err)
			}
			return h.show(ctx, f, m)
		},
	}
}

// tried returns a refusal with the tiles of a guess that was made before in the match, also
// if the match has ended since: the player may not have seen the answer then. Any other
// error it returns as it is.
func tried(f face.Face, r bot.Request, m game.Match, err error) error {
	if m.State == nil {
		return err
	}
	attempt, tiles, ok := f.Tried(m.State, r.Args)
	switch {
	case !ok:
		return err
	case m.Status() == game.Playing:
		return bot.Refuse(err, bot.Text(fmt.Sprintf("Already tried: line %d. ", attempt), bot.NoAttempt), tiles)
	case errors.Is(err, game.ErrEnded):
		return bot.Refuse(err, bot.Text(fmt.Sprintf("That was line %d of this game, which is over:", attempt)), tiles, f.Outcome(m),
			bot.Text("Start the next one with ", bot.Slash(f.Commands.Start), "."))
	}
	return err
}

// formReply asks for a guess by a form, and says how to type it. If no match is found, the
// guess will be refused with the reason.
func (h *Handlers) formReply(ctx context.Context, f face.Face, r bot.Request) bot.Reply {
	form := *f.Form
	example := f.Example
	if m, err := h.Games.Latest(ctx, r.Origin(), target(f, r)); err == nil {
		example = f.ExampleIn(m)
	}
	form.Fields = slices.Clone(form.Fields)
	form.Fields[0].Help = example
	if mode := r.Args["mode"]; mode != "" {
		form.Args = map[string]string{"mode": mode}
	}
	reply := bot.Ephemeral(bot.Text("Please add the ", bot.Bold(f.Guess[0].Name), ", such as ", bot.Slash(f.Commands.Guess, f.Guess[0].Name, example), "."))
	reply.Form = &form
	return reply
}

func (h *Handlers) hint(f face.Face) bot.Command {
	c := bot.Command{Name: f.Commands.Hint, Help: f.HintHelp, NotSaved: "and a hint counts, so I cannot give one"}
	if len(f.HintKinds) > 1 {
		kind := bot.Option{Name: "kind", Help: f.HintKindsHelp}
		for _, k := range f.HintKinds {
			kind.Choices = append(kind.Choices, string(k))
		}
		c.Options = append(c.Options, kind)
	}
	c.Options = append(c.Options, face.WhichMode())
	c.Run = func(ctx context.Context, r bot.Request) (bot.Reply, error) {
		kind := f.HintKinds[0]
		if typed := r.Args["kind"]; typed != "" {
			kind = game.HintKind(typed)
		}
		m, err := h.Games.Hint(ctx, r.Origin(), target(f, r), kind)
		if err != nil {
			return bot.Reply{}, err
		}
		return bot.Reply{Audience: face.Audience(m), Lines: f.Hint(m)}, nil
	}
	return c
}

func (h *Handlers) board(f face.Face) bot.Command {
	c := bot.Command{
		Name: f.Commands.Board, Help: f.BoardHelp, Options: []bot.Option{face.WhichMode()},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			m, err := h.Games.Latest(ctx, r.Origin(), target(f, r))
			if err != nil {
				return bot.Reply{}, err
			}
			reply, err := h.show(ctx, f, m)
			if r.Args["text"] == "true" {
				reply.Picture = nil
			}
			return reply, err
		},
	}
	if f.HasText {
		c.Options = append(c.Options, bot.Option{Name: "text", Help: "As text instead of a picture", Kind: bot.FlagOption})
	}
	return c
}

func (h *Handlers) stop(f face.Face) bot.Command {
	return bot.Command{
		Name: f.Commands.Stop, Help: f.StopHelp, Options: []bot.Option{face.WhichMode()}, NotSaved: "the game goes on",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			m, err := h.Games.Stop(ctx, r.Origin(), target(f, r), r.MayManage)
			if errors.Is(err, game.ErrNotAllowed) {
				return bot.Reply{}, bot.Refuse(err, bot.Text("Only ", m.Starter,
					", who started this game, or someone who can manage messages here can stop it."))
			}
			if err != nil {
				return bot.Reply{}, err
			}
			return h.show(ctx, f, m)
		},
	}
}

// target is which match a request is about.
func target(f face.Face, r bot.Request) game.Target {
	return game.Target{Kind: f.Kind, Mode: face.ReadMode(r.Args["mode"], game.Current)}
}

// show shows a match under some lines.
func (h *Handlers) show(ctx context.Context, f face.Face, m game.Match, first ...bot.Line) (bot.Reply, error) {
	v, err := face.NewView(ctx, h.Games, m, f.Counts(m))
	if err != nil {
		return bot.Reply{}, err
	}
	return under(f.Show(v), first...), nil
}

// under puts a reply under some lines.
func under(reply bot.Reply, lines ...bot.Line) bot.Reply {
	reply.Lines = append(lines, reply.Lines...)
	return reply
}

// explain puts an error of a match into words.
func explain(f face.Face, err error) (bot.Reply, bool) {
	if line, ok := f.Explain(err); ok {
		return bot.Ephemeral(line), true
	}
	start, board := f.Commands.Start, f.Commands.Board
	name := "game"
	if f.Title != "" {
		name += " of " + f.Title
	}
	switch {
	case errors.Is(err, game.ErrNoMatch):
		return bot.Ephemeral(bot.Text("No "+name+" has been started here yet. Start one with ", bot.Slash(start), ".")), true
	case errors.Is(err, game.ErrUnreadable):
		return bot.Ephemeral(bot.Text("I cannot read this game any more: its data is damaged. Please start a new one with ", bot.Slash(start), ".")), true
	case errors.Is(err, game.ErrEnded):
		return bot.Ephemeral(bot.Text("This game is over. Start the next one with ", bot.Slash(start), ".")), true
	case errors.Is(err, game.ErrAlreadyPlaying):
		return bot.Ephemeral(bot.Text("A "+name+" is being played here already. See it with ", bot.Slash(board, "mode", face.ModeName(game.Together)),
			" and join in with ", bot.Slash(f.Commands.Guess), ". Or play alone: ", bot.Slash(start, "mode", face.ModeName(game.Solo)), ".")), true
	case errors.Is(err, game.ErrAmbiguous):
		return bot.Ephemeral(bot.Text("You are playing more than one "+name+" here. Please say which one you mean: ", bot.Bold("together"), ", ", bot.Bold("solo"),
			" or ", bot.Bold("daily"), ", such as ", bot.Slash(board, "mode", face.ModeName(game.Solo)), ". ", bot.NoAttempt)), true
	case errors.Is(err, game.ErrNoDaily):
		return bot.Ephemeral(bot.Text("There is no daily puzzle today, since my clock is wrong. Please ask whoever runs this bot to set it. Meanwhile: ",
			bot.Slash(start, "mode", face.ModeName(game.Solo)), ".")), true
	case errors.Is(err, game.ErrAllKnown):
		return bot.Ephemeral(bot.Text("The board and the hints so far already show everything of that kind. See the board with ", bot.Slash(board), ".")), true
	}
	return bot.Reply{}, false
}
