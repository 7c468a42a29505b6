package history

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/finished"
)

func (h *Handlers) review() bot.Command {
	return bot.Command{
		Name: bot.NameReview,
		Help: "How good and lucky each guess of a finished game was",
		Options: []bot.Option{
			{Name: "number", Help: "Which game, by its number in the list; without one, the latest here"},
			{Name: "everyone", Help: "Show it to everybody in this channel, not to you alone", Kind: bot.FlagOption},
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
					game.ErrNothingFits: bot.Text("I cannot judge that game: no answer I know fits it. ", bot.Slash(bot.NameReplay), " still shows it."),
				})
			}
			button := face.ReviewButton(reviewed.Match.ID)
			reply := bot.Reply{Audience: bot.Asker, Blocks: bot.Lines(h.reviewLines(reviewed)...), Reveal: bot.RevealButton(button.Command, maps.Clone(button.Args))}
			refused := h.notForEveryone(ctx, r, reviewed.Match)
			switch {
			case r.Args["everyone"] == "true":
				if refused == nil && !reviewed.Match.Result().Public() {
					_, refused = h.Finished.Share(ctx, r.Origin(), finished.Past{Match: reviewed.Match.ID})
				}
				reply.Audience = bot.Everyone
				return reply, refused
			case r.Context.Place == bot.InDirect:
				reply.Audience = bot.Everyone
			case refused == nil:
				button.Label, button.Args["everyone"] = "Show everyone", "true"
				reply = reply.Row(button)
			}
			return reply, nil
		},
	}
}

// errAskerOnly refuses to show a match to others where only the asker sees replies.
var errAskerOnly = bot.Decline(bot.OnlyYouSee("I cannot show that to anyone else").With("."))

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
		return bot.Decline(bot.Text("Others may still be playing that daily puzzle, so it cannot be shown to everyone yet."))
	case result.Public() && result.Channel() != r.Location.Channel:
		return bot.Decline(bot.Text("That game was played in another channel, and perhaps not everybody here can read that one. Show its review there."))
	}
	return nil
}

// stillRacing refuses to show others a match of a running race.
var stillRacing = bot.Text("Others may still be in that race. You can show it to everyone once it is over.")

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
		return 0, bot.Decline(bot.Text(bot.Quote(typed), " is not the number of a game. ", bot.Slash(bot.NameList), " shows the numbers."))
	}
	return uint64(n), nil
}

func day(t time.Time) bot.Span { return bot.When(t, t.UTC().Format(time.DateOnly)) }

// title names a game: "Game 12, hard mode, 2026-11-21".
func (h *Handlers) title(f game.Finished) bot.Line {
	parts := []string{fmt.Sprintf("Game %d", f.Number), h.Faces.Of(f.Match.Kind).Title, face.PuzzleName(f.Match)}
	if f.Match.State.Hard() {
		parts = append(parts, "hard mode")
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return bot.Text(bot.Bold(strings.Join(parts, ", ")), ", ", day(f.Match.Ended()))
}

func (h *Handlers) reviewLines(r finished.Reviewed) []bot.Line {
	own := h.Faces.Of(r.Match.Kind)
	judged := own.Judge(r.Match.State, r.Review)
	lines := append([]bot.Line{h.title(r.Finished), own.Outcome(r.Match)}, judged.About...)
	shared, hide := len(r.Contributions) > 1, own.Hides(r.Match.Status())
	for i, j := range judged.Guesses {
		line := j.Line(hide)
		if shared {
			line = bot.Text(r.Match.Moves[i].Player, ": ", line)
		}
		lines = append(lines, j.Tiles, line)
	}
	if len(r.Contributions) > 0 {
		lines = append(lines, averages(own, r.Review)...)
	}
	if shared {
		for i, c := range r.Contributions {
			lines = append(lines, contributionLine(c, i == 0))
		}
	}
	lines = append(lines, solverLine(judged, hide)...)
	return append(lines, bot.Text("Step by step: ", bot.Slash(bot.NameReplay, "number", fmt.Sprint(r.Number)), "."))
}

// ReviewLines shows the review of a game that was played elsewhere.
func ReviewLines(f face.Face, r game.Review) (lines []bot.Line) {
	judged := f.Judge(nil, r)
	for _, j := range judged.Guesses {
		lines = append(lines, j.Tiles, j.Line(false))
	}
	lines = append(lines, averages(f, r)...)
	return append(lines, solverLine(judged, false)...)
}

func averages(f face.Face, r game.Review) []bot.Line {
	return []bot.Line{
		bot.Text(bot.Bold("In all: " + face.SkillAndLuck(r.Skill(), r.Luck(), game.Proven(r)) + ".")),
		bot.Text("From 0 to 99. " + f.SkillMeans + " Luck: how good its feedback was, out of all it could get."),
	}
}

func solverLine(judged face.Judgements, hide bool) (lines []bot.Line) {
	if len(judged.Solver) > 0 {
		played := bot.Span{Text: strings.Join(judged.Solver, ", ")}
		if hide {
			played = bot.Spoiler(played.Text)
		}
		lines = append(lines, bot.Text("The solver would have played ", played, "."))
	}
	return lines
}

func contributionLine(c game.Contribution, most bool) bot.Line {
	cut := fmt.Sprintf(" did %s of the narrowing down", bot.Percent(c.Cut))
	if most && c.Cut > 0 {
		cut = fmt.Sprintf(" narrowed it down the most, %s", bot.Percent(c.Cut))
	}
	return bot.Text(c.Player, fmt.Sprintf("%s, in %s: %s.", cut, bot.Plural(c.Guesses, "attempt"), face.SkillAndLuck(c.Skill, c.Luck, c.Proven)))
}

func (h *Handlers) replay() bot.Command {
	return bot.Command{
		Name: bot.NameReplay,
		Help: "Replay a finished game, one guess at a time",
		Options: []bot.Option{
			{Name: "number", Help: "Which game, by its number in the list; without one, the latest here"},
			{Name: "step", Help: "After how many guesses; without it, the empty board"},
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
				return bot.Reply{}, bot.Decline(bot.Text(bot.Quote(r.Args["step"])+" is not a step of that game: steps go from 0, the empty board, to ", fmt.Sprint(f.Match.Used()), "."))
			}
			reply := bot.Reply{Blocks: append(h.step(ctx, r.ID, f, step), stepButtons(f, step)...), InPlace: r.FromComponent}
			reply.Reveal = bot.RevealButton(bot.NameReplay, map[string]string{face.ArgMatch: string(f.Match.ID), "step": fmt.Sprint(step)})
			return reply, nil
		},
	}
}

// step shows a finished game after its first guesses, at most all of them. Only the last step shows the answer. The request's id
// is for the log.
func (h *Handlers) step(ctx context.Context, id game.RequestID, f game.Finished, step int) []bot.Block {
	own := h.Faces.Of(f.Match.Kind)
	v := face.View{Match: f.Match}
	var err error
	if v.Left, err = h.Games.Remaining(ctx, f.Match); err != nil {
		h.Log.Warn("could not list the answers left in a finished match", "id", id, "match", f.Match, "error", err)
	}
	title := h.title(f).With(fmt.Sprintf(", step %d of %d", step, f.Match.Used()))
	return append([]bot.Block{title}, own.Step(v, step)...)
}

// stepButtons returns the buttons for the steps before and after. At an end, one of them is disabled but stays, so that the other
// one does not move.
func stepButtons(f game.Finished, step int) []bot.Block {
	used := f.Match.Used()
	if used == 0 {
		return nil
	}
	to := func(label string, look bot.ButtonStyle, step, limit int) bot.Button {
		return bot.Button{
			Label: label, Style: look, Command: bot.NameReplay, Disabled: step == limit,
			Args: map[string]string{face.ArgMatch: string(f.Match.ID), "step": fmt.Sprint(max(0, min(step, used)))},
		}
	}
	return bot.Rows(to("Back", bot.ButtonSecondary, step-1, -1), to("Next", bot.ButtonPrimary, step+1, used+1))
}
