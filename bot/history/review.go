package history

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/marks"
)

func (h *Handlers) review() bot.Command {
	return bot.Command{
		Name: bot.NameReview,
		Help: "How good and how lucky each guess was",
		Options: []bot.Option{
			{Name: "number", Help: numberHelp},
			{Name: "everyone", Help: "Show it to everyone here", Kind: bot.FlagOption},
		},
		HiddenArgs: []string{face.ArgMatch, bot.ArgOpen},
		Audience:   bot.Undecided,
		NewMessage: true,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			which, err := past(r)
			if err != nil {
				return bot.Reply{}, err
			}
			reviewed, err := h.Finished.Review(ctx, r.Viewer(), which)
			if err != nil {
				return bot.Reply{}, bot.RefuseAs(err, map[error]bot.Line{
					game.ErrNothingFits: bot.Text("I can't rate that game: its answer isn't one I know. ", bot.Slash(bot.NameReplay), " still shows it."),
				})
			}
			button := face.ReviewButton(reviewed.Match.ID)
			reply := h.reviewed(reviewed)
			reply.Reveal = bot.RevealButton(button.Command, maps.Clone(button.Args))
			row := []bot.Button{{Label: "Step by step", Command: bot.NameReplay, Args: maps.Clone(button.Args)}}
			refused := h.notForEveryone(ctx, r, reviewed.Match)
			switch {
			case r.Args["everyone"] == "true":
				if refused == nil && !reviewed.Match.Result().Public() {
					_, refused = h.Finished.Share(ctx, r.Origin(), finished.Past{Match: reviewed.Match.ID})
				}
				reply.Audience = bot.Everyone
				return reply.Row(row...), refused
			case r.Context.Place == bot.InDirect:
				reply.Audience = bot.Everyone
			case refused == nil:
				button.Label, button.Args["everyone"] = "Show everyone", "true"
				row = append(row, button)
			}
			return reply.Row(row...), nil
		},
	}
}

// errAskerOnly refuses to show a match to others where only the asker sees replies.
var errAskerOnly = bot.Decline(bot.OnlyYouSee("I can't show that to anyone else").With("."))

// notForEveryone returns nil if the player may show m to everyone in the channel; otherwise the refusal.
func (h *Handlers) notForEveryone(ctx context.Context, r bot.Request, m game.Match) error {
	result := m.Result()
	racing, err := h.Games.StillRacing(ctx, m)
	switch {
	case err != nil:
		return err
	case r.Context.AskerOnly:
		return errAskerOnly
	case racing:
		return bot.Decline(stillRacing)
	case h.Games.AnswerSecret(m.Puzzle):
		return bot.Decline(bot.Text("Others may still be playing that daily. Show it to everyone tomorrow."))
	case result.Public() && result.Channel() != r.Location.Channel:
		return bot.Decline(bot.Text("That game was played in another channel, which some here may not see. Show its review there."))
	}
	return nil
}

// stillRacing refuses to show others a match of a running race.
var stillRacing = bot.Text("Others may still be in that race. Show it to everyone when it's over.")

// past returns the game that a request means: its button's, or the one of the typed number.
func past(r bot.Request) (p finished.Past, err error) {
	p.Match = game.MatchID(r.Args[face.ArgMatch])
	if typed := r.Args["number"]; typed != "" && p.Match == "" {
		p.Number, err = parseNumber(typed)
	}
	return p, err
}

func parseNumber(typed string) (uint64, error) {
	n, ok := bot.Number(typed, 1, math.MaxInt)
	if !ok {
		return 0, bot.Decline(bot.Text(bot.Quote(typed), " isn't a game's number. ", bot.Slash(bot.NameList), " shows the numbers."))
	}
	return uint64(n), nil
}

func day(t time.Time) bot.Span { return bot.When(t, t.UTC().Format(time.DateOnly)) }

// about says which game is shown: "Game 12 · hard mode · 2026-11-21".
func (h *Handlers) about(f game.Finished, parts ...string) bot.Line {
	if title := h.Faces.Of(f.Match.Kind).Title; title != "" {
		parts = append(parts, title)
	}
	if number, daily := f.Match.Puzzle.Daily(); daily {
		parts = append(parts, fmt.Sprintf("daily puzzle %d", number)+map[bool]string{true: ", for practice"}[f.Match.Mode == game.Practice])
	}
	if hard := f.Match.State.Hard(); hard != marks.Off {
		parts = append(parts, hard.Mode())
	}
	line := bot.Text(strings.Join(append(parts, ""), " · "), day(f.Match.Ended()))
	if winner := f.Match.Winner(); len(f.Match.Named()) > 1 && winner != "" {
		line = line.With(" · found by ", winner)
	}
	return line
}

// reviewed shows a review: what became of the game, its guesses with a judgement each, and what the players did.
func (h *Handlers) reviewed(r finished.Reviewed) bot.Reply {
	own, m := h.Faces.Of(r.Match.Kind), r.Match
	judged, hide := own.Judge(m.State, r.Review), own.Hides(m.Status())
	reply := bot.Reply{Audience: bot.Asker, Names: m.Names, Subtext: h.about(r.Finished, fmt.Sprintf("Game %d", r.Number))}
	answer := m.State.Answer()
	if own.Found(m.State) != nil { // several words, for which a heading has no room
		answer = own.Title
	}
	switch {
	case m.Status() == game.Won:
		reply.Heading = bot.Text(fmt.Sprintf("%s in %d", answer, m.Used()))
	case hide:
		reply.Heading = bot.Text("Not found: ", bot.Spoiler(answer))
	case own.NotFound != "" && answer != own.Title: // it may not have been the answer
		reply.Heading = bot.Text(own.NotFound + answer)
	default:
		reply.Heading = bot.Text("Not found: " + answer)
	}
	reply = reply.Say(judged.About...)
	for i, j := range judged.Guesses {
		line := j.Line(true)
		if len(r.Contributions) > 1 {
			line = bot.Text(m.Moves[i].Player, ": ", line)
		}
		reply = reply.Say(j.Tiles, bot.Small(line))
	}
	reply = reply.Say(bot.Line{})
	if len(r.Contributions) > 0 {
		reply = reply.Say(averages(r.Review))
	}
	if shared := r.Contributions; len(shared) > 1 && shared[0].Cut > 0 {
		parts := bot.Each(shared, func(c game.Contribution) bot.Line { return bot.Text(c.Player, " "+bot.Percent(c.Cut)) })
		parts[0] = bot.Text(shared[0].Player, " ruled out "+bot.Percent(shared[0].Cut))
		reply = reply.Say(bot.List(bot.Line{}, parts, "").With("."))
	}
	return reply.Say(solverLine(judged, hide)...)
}

// ReviewLines shows the review of a game that was played elsewhere.
func ReviewLines(f face.Face, r game.Review) (lines []bot.Line) {
	judged := f.Judge(nil, r)
	for _, j := range judged.Guesses {
		lines = append(lines, j.Tiles, j.Line(false))
	}
	return append(append(lines, averages(r)), solverLine(judged, false)...)
}

func averages(r game.Review) bot.Line {
	return bot.Text(bot.Bold("All in all: "+face.SkillAndLuck(r.Skill(), r.Luck(), game.Proven(r))), ", out of 99.")
}

func solverLine(judged face.Judgements, hide bool) (lines []bot.Line) {
	if len(judged.Solver) > 0 {
		played := bot.Span{Text: strings.Join(judged.Solver, ", ")}
		if hide {
			played = bot.Spoiler(played.Text)
		}
		lines = append(lines, bot.Text("I'd have played ", played, "."))
	}
	return lines
}

// numberHelp explains the option for a game's number.
const numberHelp = "Its number in the list (the latest game here without one)"

func (h *Handlers) replay() bot.Command {
	return bot.Command{
		Name: bot.NameReplay,
		Help: "Replay a finished game, guess by guess",
		Options: []bot.Option{
			{Name: "number", Help: numberHelp},
			{Name: "step", Help: "After how many guesses (from the start without it)"},
		},
		HiddenArgs: []string{face.ArgMatch, bot.ArgOpen},
		Audience:   bot.Asker,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			which, err := past(r)
			if err != nil {
				return bot.Reply{}, err
			}
			f, err := h.Finished.Match(ctx, r.Viewer(), which)
			if err != nil {
				return bot.Reply{}, err
			}
			step, ok := bot.Number(cmp.Or(r.Args["step"], "0"), 0, f.Match.Used())
			if !ok {
				return bot.Reply{}, bot.Decline(bot.Text(fmt.Sprintf("That game has %s, so there's no step %s.", bot.Plural(f.Match.Used(), "guess"), bot.Quote(r.Args["step"]))))
			}
			reply := h.step(ctx, r.ID, f, step)
			reply.InPlace = r.FromComponent
			reply.Reveal = bot.RevealButton(bot.NameReplay, map[string]string{face.ArgMatch: string(f.Match.ID), "step": fmt.Sprint(step)})
			return reply, nil
		},
	}
}

// step shows a finished game after its first guesses, at most all of them. Only the last step shows the answer. The request's id
// is for the log.
func (h *Handlers) step(ctx context.Context, id game.RequestID, f game.Finished, step int) bot.Reply {
	m := f.Match
	left, err := h.Games.Remaining(ctx, m)
	if err != nil {
		h.Log.Warn("could not list the answers left in a finished match", "id", id, "match", m, "error", err)
	}
	reply := bot.Reply{Names: m.Names, Heading: bot.Text(fmt.Sprintf("Game %d · step %d of %d", f.Number, step, m.Used())), Subtext: h.about(f)}
	reply = reply.Add(h.Faces.Of(m.Kind).Step(face.View{Match: m, Left: left}, step)...)
	// At an end, a button is disabled but stays, so that the other one does not move.
	to := func(label string, look bot.ButtonStyle, step, limit int) bot.Button {
		return bot.Button{
			Label: label, Style: look, Command: bot.NameReplay, Disabled: step == limit,
			Args: map[string]string{face.ArgMatch: string(m.ID), "step": fmt.Sprint(max(0, min(step, m.Used())))},
		}
	}
	if m.Used() == 0 {
		return reply
	}
	return reply.Row(to("Back", bot.ButtonSecondary, step-1, -1), to("Next", bot.ButtonPrimary, step+1, m.Used()+1), face.ReviewButton(m.ID))
}
