package daypost

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/statistics"
)

// reply writes a post: yesterday's results with a picture of the boards, and buttons for today's puzzles.
func (h *Handlers) reply(ctx context.Context, guild game.GuildID, p *post, named []game.PlayerID) (reply bot.Reply, err error) {
	reply.Tone = bot.News
	reply.Heading = bot.Text("Today's puzzles are out!")
	for n := p.From; n <= p.To; n++ {
		boards, said, err := h.results(ctx, guild, n, &reply)
		switch {
		case err != nil:
			return reply, err
		case said == "":
		case n < p.To: // missed because of an outage
			reply = reply.Say(bot.Text(fmt.Sprintf("Daily %d: %s.", n, said)))
		default:
			reply.Heading, reply.Subtext = bot.Text("Yesterday: "+said), bot.Text(fmt.Sprintf("Daily %d", n))
			reply = reply.Add(face.Boards(reply.Names, boards)...)
		}
	}
	if reply, err = h.newspaper(ctx, guild, p.To, reply); err != nil {
		return reply, err
	}
	if p.Month != "" {
		if reply, err = h.awards(ctx, guild, p.Month, reply); err != nil {
			return reply, err
		}
	}
	streak, faces, err := h.streak(ctx, guild, p.To)
	if streak > 1 {
		reply.Subtext = bot.Join(reply.Subtext, bot.Text(fmt.Sprintf("solved here %d days in a row", streak), bot.Span{Style: bot.StyleEmoji, Text: " 🔥"}))
	}
	if err != nil {
		return reply, err
	}
	today := bot.Text(bot.Bold(fmt.Sprintf("Today: daily %d", p.To+1)))
	if p.Role != "" {
		today, reply.Pings.Roles = today.With(" · ", p.Role), []game.RoleID{p.Role}
	}
	reply, err = h.ping(ctx, named, p.To+1, reply.Say(today))
	row := playToday(faces)
	if len(row) < len(h.Faces) {
		row = append(row, face.DailyButton)
	}
	return reply.Add(bot.Rows(row...)...), err
}

// playToday returns buttons for today's dailies.
func playToday(faces []face.Face) []bot.Button {
	row := bot.Each(faces, func(f face.Face) bot.Button {
		return bot.Button{Label: "Play " + cmp.Or(f.Title, "the word game"), Command: f.Commands.Start, Args: map[string]string{"mode": face.ModeName(game.Daily)}}
	})
	if row != nil {
		row[0].Style = bot.ButtonPrimary
	}
	return row
}

// result is a player's result in a puzzle of a kind.
type result struct {
	face face.Face
	best bool // of the kind
	statistics.DailyResult
}

// results returns the boards of a puzzle in every kind, best first, and says how many have played and solved it; nothing if nobody
// has. It adds the names to the reply.
func (h *Handlers) results(ctx context.Context, guild game.GuildID, n int, reply *bot.Reply) (boards []face.PlayerBoard, said string, err error) {
	var all []result
	solved, most := map[game.PlayerID]bool{}, 0
	for _, f := range h.Faces {
		found, err := h.Statistics.Daily(ctx, f.Kind, guild, n, statistics.MaxDailyResults)
		if err != nil {
			return nil, "", err
		}
		most = max(most, found.Players)
		for _, one := range found.Listed {
			all = append(all, result{f, one.Won && one.Score() == found.Listed[0].Score(), one})
			solved[one.Player] = solved[one.Player] || one.Won
			reply.Names = reply.Names.With(one.Player, one.Name)
		}
	}
	slices.SortStableFunc(all, func(a, b result) int { return a.Score() - b.Score() })
	loaded, err := h.Games.Store.LoadSlots(ctx, bot.Each(all[:min(len(all), picture.MostBoards)], func(r result) game.Slot {
		return game.PuzzleSlot(r.face.Kind, r.Player, game.DailyPuzzle(n))
	}), false)
	for i, r := range all {
		score := strings.TrimPrefix(r.face.Title+" · "+face.Score(r.Won, r.Guesses, r.Limit, r.Hints), " · ")
		board := face.PlayerBoard{Player: r.Player, Board: picture.Board{Attempts: r.face.Attempts(), Result: score}}
		if i < len(loaded) && loaded[i].Err == nil && loaded[i].Match.ID == r.Match {
			board = r.face.Board(r.Player, loaded[i].Match.State, score)
		}
		board.Place = map[bool]int{true: picture.Best}[r.best]
		boards = append(boards, board)
	}
	return boards, tally(solved, most), err
}

// tally says how many have played and solved a puzzle: "three played, two solved it". It is empty if nobody has played. At least
// most have played; who has solved it is known of the others only.
func tally(solved map[game.PlayerID]bool, most int) string {
	n := 0
	for _, did := range solved {
		if did {
			n++
		}
	}
	switch played := len(solved); {
	case played == 0:
		return ""
	case played < most:
		return count(most) + " played"
	}
	return count(len(solved)) + " played, " + count(n) + " solved it"
}

// count writes small numbers in words.
func count(n int) string {
	if small := [...]string{"none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}; n < len(small) {
		return small[n]
	}
	return fmt.Sprint(n)
}

// streak returns how many daily puzzles in a row, up to last, any players of the server have solved; and the first kind with those of
// which they have solved one in the last week.
func (h *Handlers) streak(ctx context.Context, guild game.GuildID, last int) (n int, faces []face.Face, err error) {
	solved := map[int]bool{}
	for i, f := range h.Faces {
		days, err := h.Statistics.SolvedDays(ctx, f.Kind, guild, 1, last)
		if err != nil {
			return 0, nil, err
		}
		if i == 0 || len(days) > 0 && days[len(days)-1] > last-7 {
			faces = append(faces, f)
		}
		for _, day := range days {
			solved[day] = true
		}
	}
	for n = 0; solved[last-n]; n++ {
	}
	return n, faces, nil
}
