package daypost

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/statistics"
)

// The most results in a post, and the most with tiles in a message. More might not fit.
const (
	mostListed = 36
	mostTiles  = 16
)

// mostWinners is the most players named as the winners of a month, if they are equal.
const mostWinners = 5

// share divides most among the puzzles from one number to another, in every kind; it is at least 1.
func (h *Handlers) share(most, from, to int) int {
	return max(1, most/(max(1, to-from+1)*max(1, len(h.Faces))))
}

func score(r statistics.DailyResult) string {
	return face.Brief(r.Won, r.Guesses, r.Hints, fmt.Sprintf("/%d", game.MaxAttempts))
}

func (h *Handlers) reply(ctx context.Context, guild game.GuildID, p *post) (bot.Reply, error) {
	var lines []bot.Line
	if p.Month != "" {
		var err error
		if lines, err = h.winners(ctx, guild, p.Month); err != nil {
			return bot.Reply{}, err
		}
	}
	hints := false
	for n := p.From; n <= p.To; n++ {
		title := bot.Text(bot.Bold(fmt.Sprintf("Results of daily puzzle %d", n)))
		var results []bot.Line
		for _, f := range h.Faces {
			r, err := h.Statistics.Daily(ctx, f.Kind, guild, n, h.share(mostListed, p.From, p.To))
			if err != nil {
				return bot.Reply{}, err
			}
			if r.Players == 0 {
				continue
			}
			line := bot.Text(f.Name())
			for i, one := range r.Listed {
				line = line.With([]string{": ", ", "}[min(i, 1)], one.Player, " "+score(one))
				hints = hints || one.Hints > 0
			}
			if more := r.Players - len(r.Listed); more > 0 {
				line = line.With(fmt.Sprintf(" and %d more", more))
			}
			results = append(results, line)
		}
		if results == nil {
			title = title.With(": nobody here has played it.")
		}
		lines = append(append(lines, title), results...)
	}
	if hints {
		lines = append(lines, bot.Text("* with hints"))
	}
	streak, err := h.streak(ctx, guild, p.To)
	if err != nil {
		return bot.Reply{}, err
	}
	if streak > 0 {
		lines = append(lines, bot.Text("This server's streak: ", bot.Bold(bot.Plural(streak, "day")), "."))
	}
	lines = append(lines, bot.Text(bot.Bold("Today:"), fmt.Sprintf(" daily puzzle %d", p.To+1)))
	buttons := bot.Each(h.Faces, func(f face.Face) bot.Button {
		return bot.Button{Label: f.Name(), Style: bot.ButtonPrimary, Command: f.Commands.Start, Args: map[string]string{"mode": face.ModeName(game.Daily)}}
	})
	return bot.Reply{Blocks: bot.Lines(lines...)}.Row(append(buttons, p.tiles())...), nil
}

// winners names the players in first place in the tables of a month.
func (h *Handlers) winners(ctx context.Context, guild game.GuildID, month string) (lines []bot.Line, err error) {
	for _, f := range h.Faces {
		board, err := h.Statistics.Leaderboard(ctx, statistics.Scope{Kind: f.Kind, Guild: guild, Month: month}, "", statistics.Rows{RankedFrom: statistics.RankedFrom, Limit: mostWinners})
		if err != nil {
			return nil, err
		}
		first := slices.DeleteFunc(board.Rows, func(row statistics.Row) bool { return row.Rank != 1 })
		if len(first) > 0 {
			players := bot.Each(first, func(row statistics.Row) game.PlayerID { return row.Player })
			closes := game.MonthCloses(month)
			won := fmt.Sprintf(" won %s in %s: %.2f on average.", closes.AddDate(0, 0, -closes.Day()).Format("January"), f.Name(), first[0].Daily.Average())
			lines = append(lines, bot.List(bot.Text(bot.Emoji("👑 ")), players, "").With(won))
		}
	}
	return lines, nil
}

// streak returns how many daily puzzles in a row, up to last, any players of the server have solved.
func (h *Handlers) streak(ctx context.Context, guild game.GuildID, last int) (n int, err error) {
	solved := map[int]bool{}
	for _, f := range h.Faces {
		days, err := h.Statistics.SolvedDays(ctx, f.Kind, guild, 1, last)
		if err != nil {
			return 0, err
		}
		for _, day := range days {
			solved[day] = true
		}
	}
	for n = 0; solved[last-n]; n++ {
	}
	return n, nil
}

// tiles is the button that shows the tiles of the reported puzzles, or of the one before if the post reports none.
func (p *post) tiles() bot.Button {
	return bot.Button{Label: "Results as tiles", Command: bot.NameDayPost, Args: map[string]string{
		argDay: p.Day, argFrom: strconv.Itoa(min(p.From, p.To)), argTo: strconv.Itoa(p.To),
	}}
}

// tilesReply shows the tiles of puzzles from one number to another, without letters.
func (h *Handlers) tilesReply(ctx context.Context, guild game.GuildID, from, to int) (bot.Reply, error) {
	var lines []bot.Line
	to = max(0, min(to, h.Games.Today()-1)) // a button may be forged
	from = max(1, from, to-mostDays+1)
	for n := from; n <= to; n++ {
		for _, f := range h.Faces {
			r, err := h.Statistics.Daily(ctx, f.Kind, guild, n, h.share(mostTiles, from, to))
			if err != nil {
				return bot.Reply{}, err
			}
			slots := bot.Each(r.Listed, func(one statistics.DailyResult) game.Slot {
				return game.PuzzleSlot(f.Kind, one.Player, game.DailyPuzzle(n))
			})
			matches, err := h.Games.Store.LoadSlots(ctx, slots, false)
			if err != nil {
				return bot.Reply{}, err
			}
			for i, one := range r.Listed {
				lines = append(lines, bot.Text(bot.Bold(fmt.Sprintf("%s %d", f.Name(), n)), ", ", one.Player, ": "+score(one)))
				if m := matches[i]; m.Err == nil && m.Match.ID == one.Match {
					for _, row := range f.Rows(m.Match.State) {
						lines = append(lines, bot.Text(bot.Look{}.Squares(row)))
					}
				}
			}
		}
	}
	if lines == nil {
		lines = []bot.Line{bot.Text("Nobody here has played these puzzles.")}
	}
	return bot.Reply{Blocks: bot.Lines(lines...)}, nil
}
