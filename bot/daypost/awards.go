package daypost

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/statistics"
)

const (
	mostShown    = 3           // players named who share an award
	mostJudged   = 20          // dailies looked at for each award
	mostTogether = 50          // games of several players looked at
	leastHelp    = 0.5         // what a player rules out for others to be named, in games
	mostSearched = 500         // latest games searched for those of several players
	awardTime    = time.Second // how long the games of a kind may be looked at
)

// award is who did best in a month, and how well.
type award struct {
	score   float64
	players []game.PlayerID
}

// add gives the award to a player with a score above all so far, or as good.
func (a *award) add(player game.PlayerID, score float64) {
	if score > a.score {
		a.score, a.players = score, nil
	}
	if score == a.score && score > 0 && !slices.Contains(a.players, player) {
		a.players = append(a.players, player)
	}
}

// line says who has the award, or nothing if nobody has.
func (a award) line(emoji, did string) []bot.Line {
	if len(a.players) == 0 {
		return nil
	}
	slices.Sort(a.players)
	names := bot.Each(a.players[:min(mostShown, len(a.players))], func(p game.PlayerID) any { return p })
	if more := len(a.players) - mostShown; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return []bot.Line{bot.List(bot.Text(bot.Emoji(emoji+" ")), names, "and").With(did)}
}

// awards adds the awards of a month to a post, each in a line. How lucky, close and helpful guesses were goes by how many answers
// were possible then, in a few games: see [Handlers.candidates]. That needs no review.
func (h *Handlers) awards(ctx context.Context, guild game.GuildID, month string, reply bot.Reply) (bot.Reply, error) {
	last := game.MonthCloses(month)
	last = last.AddDate(0, 0, -last.Day())
	for _, f := range h.Faces {
		helped := map[game.PlayerID]float64{} // what players ruled out in games that others won, in whole games
		var average, streak, luck, shave, help award
		board, err := h.Statistics.Leaderboard(ctx, statistics.Scope{Kind: f.Kind, Guild: guild, Month: month}, "", statistics.Rows{RankedFrom: statistics.RankedFrom, Limit: mostJudged})
		if err != nil {
			return reply, err
		}
		for _, row := range board.Rows {
			if row.Rank == 1 {
				average.add(row.Player, row.Daily.Average())
				reply.Names = reply.Names.With(row.Player, row.Name)
			}
		}
		days, err := h.Statistics.Days(ctx, f.Kind, guild, "", game.DailyNumber(last)-last.Day()+1, game.DailyNumber(last))
		if err != nil {
			return reply, err
		}
		for player, days := range statistics.LongestStreaks(days) {
			if days > 1 {
				streak.add(player, float64(days))
			}
		}
		for _, d := range slices.Concat(days...) {
			reply.Names = reply.Names.With(d.Player, d.Name)
		}
		games, err := h.candidates(ctx, f.Kind, guild, month, slices.Concat(days...))
		if err != nil {
			return reply, err
		}
		err = h.judge(ctx, games, func(m game.Match, left []int) {
			for player, name := range m.Names {
				reply.Names = reply.Names.With(player, cmp.Or(reply.Names[player], name))
			}
			for _, c := range m.Credit(left) {
				if c.Player != m.Winner() && c.Player != "" {
					helped[c.Player] += c.Cut
				}
			}
			if possible := float64(left[m.Used()-1]); m.Mode == game.Daily && possible > 1 {
				luck.add(m.Starter, possible)
				if m.State.AttemptsLeft() == 0 {
					shave.add(m.Starter, possible)
				}
			}
		})
		if err != nil {
			return reply, err
		}
		for player, games := range helped {
			if games >= leastHelp {
				help.add(player, games)
			}
		}
		lines := slices.Concat(
			average.line("👑", fmt.Sprintf(" won %s in %s: %.2f guesses on average.", last.Format("January"), cmp.Or(f.Title, "the word game"), average.score)),
			streak.line("🔥", fmt.Sprintf(" solved %g dailies in a row.", streak.score)),
			luck.line("🍀", fmt.Sprintf(" had the luckiest guess: one %s out of %g.", f.Noun, luck.score)),
			shave.line("😅", fmt.Sprintf(" had the closest shave: the last guess, with %s left.", bot.Plural(int(shave.score), f.Noun))),
			help.line("🧹", fmt.Sprintf(" ruled out the most for others, worth %.1f games.", help.score)),
		)
		reply = reply.Say(lines...)
	}
	return reply, nil
}

// candidates returns won games of a month for awards: of the dailies without hints, those with the fewest guesses and those with
// the last one; and the latest games of several players.
func (h *Handlers) candidates(ctx context.Context, k game.Kind, guild game.GuildID, month string, dailies []statistics.DailyResult) (games []game.MatchID, err error) {
	dailies = slices.DeleteFunc(dailies, func(d statistics.DailyResult) bool { return !d.Won || d.Hints > 0 })
	slices.SortStableFunc(dailies, func(a, b statistics.DailyResult) int { return cmp.Compare(a.Guesses, b.Guesses) })
	lastGuess := slices.IndexFunc(dailies, func(d statistics.DailyResult) bool { return d.Guesses == game.MaxAttempts })
	for i, d := range dailies {
		if i < mostJudged || lastGuess >= 0 && i >= lastGuess && i < lastGuess+mostJudged {
			games = append(games, d.Match)
		}
	}
	together, err := h.Finished.Store.History(ctx, finished.Filter{Community: game.Location{Guild: guild}.Community(), Kind: k, Status: game.Won, Limit: mostSearched})
	together = slices.DeleteFunc(together, func(e finished.Entry) bool {
		guessed := slices.DeleteFunc(e.Result.Known(), func(p game.Participant) bool { return p.Guesses == 0 })
		return e.Result.Ended.UTC().Format("2006-01") != month || len(guessed) < 2
	})
	return append(games, bot.Each(together[:min(mostTogether, len(together))], func(e finished.Entry) game.MatchID { return e.Result.Match })...), err
}

// judge calls each with games, and how many answers were possible before the first guess and after each. It stops when the time
// for that is over.
func (h *Handlers) judge(ctx context.Context, games []game.MatchID, each func(m game.Match, left []int)) error {
	inTime, cancel := context.WithTimeout(ctx, awardTime)
	defer cancel()
	found, err := h.Finished.Store.Reviews(ctx, games...)
	for _, r := range found {
		left, err := h.Games.Remaining(inTime, r.Match)
		switch {
		case inTime.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		case len(left) > r.Match.Used():
			each(r.Match, left)
		}
	}
	return err
}
