package history

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/statistics"
)

// The values of the option "when" of statistics.
const (
	thisMonth = "month"
	lastMonth = "last"
	allTime   = "all"
)

// Arguments of buttons: argCard asks for the presser's own card, and argPage for a page of the table, from 0.
const (
	argCard = "card"
	argPage = "page"
)

// Stats returns the command for the statistics of a kind.
func (h *Handlers) Stats(f face.Face) bot.Command {
	return bot.Command{
		Name: f.Commands.Stats,
		Help: f.StatsHelp,
		Options: []bot.Option{
			{Name: "player", Help: "Whose card to show", Kind: bot.PlayerOption},
			{Name: "when", Help: "The table of this month, of last month, or of all time", Choices: []string{thisMonth, lastMonth, allTime}},
		},
		HiddenArgs:  []string{argCard, argPage},
		Audience:    bot.Undecided, // in a group it is for the asker alone
		Run:         func(ctx context.Context, r bot.Request) (bot.Reply, error) { return h.showStats(ctx, f, r) },
		ShowCommand: f.Commands.Stats,
	}
}

func (h *Handlers) showStats(ctx context.Context, f face.Face, r bot.Request) (bot.Reply, error) {
	player := r.Args["player"]
	named := player != ""
	scope := statistics.Scope{Kind: f.Kind, Guild: r.Location.Guild}
	if scope.Guild == "" {
		group := r.Context.Place == bot.InGroup
		if named && player != string(r.Player) {
			return bot.Reply{}, bot.Decline(bot.Text("I only show your own statistics here. A server's leaderboard is shown in that server."))
		}
		reply, err := h.card(ctx, f, scope, r.Player)
		if group { // the totals include servers that the others here may not be in
			reply.Audience = bot.Asker
			reply = reply.Say(bot.Text("In a group, only you see your statistics."))
		}
		return reply, err
	}
	switch {
	case r.Args[argCard] != "":
		reply, err := h.card(ctx, f, scope, r.Player)
		if err != nil {
			return reply, err
		}
		today := h.Games.Today()
		scope.Month = game.DailyMonth(today)
		placeFrom := statistics.RankedFromIn(scope.Month, today)
		board, err := h.Statistics.Leaderboard(ctx, scope, r.Player, statistics.Rows{RankedFrom: placeFrom})
		if board.Own.Daily.Played > 0 {
			reply = reply.Say(bot.Text("This month here: ", rowLine(board.Own, placeFrom)))
		}
		reply.Audience = bot.Asker
		return reply, err
	case named:
		return h.card(ctx, f, scope, game.PlayerID(player))
	}
	return h.leaderboard(ctx, f, scope, r)
}

// pageRows is the number of players on a page of the table.
const pageRows = 10

func (h *Handlers) leaderboard(ctx context.Context, f face.Face, scope statistics.Scope, r bot.Request) (bot.Reply, error) {
	when, title := cmp.Or(r.Args["when"], thisMonth), "all time"
	if when != allTime {
		month := game.DailyDate(h.Games.Today())
		if when == lastMonth {
			month = month.AddDate(0, 0, -month.Day()) // its last day
		}
		scope.Month, title = month.Format("2006-01"), month.Format("January 2006")
	}
	asker := game.PlayerID("")
	if r.Context.AskerOnly { // a message for everyone has no “you”
		asker = r.Player
	}
	page, _ := bot.Number(r.Args[argPage], 0, statistics.MostRows/pageRows)
	page = max(0, min(page, statistics.MostRows/pageRows)) // a button may be forged
	rows := statistics.Rows{RankedFrom: statistics.RankedFromIn(scope.Month, h.Games.Today()), Skip: page * pageRows, Limit: pageRows}
	board, err := h.Statistics.Leaderboard(ctx, scope, asker, rows)
	if err != nil {
		return bot.Reply{}, err
	}
	lines := []bot.Line{bot.Text(bot.Bold(f.Titled("Daily puzzles")+", "+title), " · "+bot.Plural(board.Players, "player")+" with a place")}
	for _, row := range board.Rows {
		lines = append(lines, rowLine(row, rows.RankedFrom))
	}
	switch {
	case board.Own.Daily.Played > 0 && !slices.ContainsFunc(board.Rows, func(row statistics.Row) bool { return row.Player == asker }):
		lines = append(lines, bot.Text("…"), rowLine(board.Own, rows.RankedFrom))
	case len(board.Rows) == 0 && page == 0 && when != lastMonth:
		since := map[string]string{thisMonth: "this month", allTime: "yet"}[when]
		lines = append(lines, bot.Text("No daily puzzle has been finished here "+since+". Play today's: ", bot.Slash(f.Commands.Start, "mode", face.ModeName(game.Daily)), "."))
	}
	now := ""
	if rows.RankedFrom < statistics.RankedFrom {
		now = " now"
	}
	lines = append(lines, bot.Text("The fewest guesses on average come first; a lost puzzle counts as 7, and each hint adds 1. A place"+now+" takes "+bot.Plural(rows.RankedFrom, "puzzle")+"."))
	return bot.Reply{Blocks: append(bot.Lines(lines...), h.tables(f, when, page, board.More && page < statistics.MostRows/pageRows)...), InPlace: true}, nil
}

func (h *Handlers) tables(f face.Face, shown string, page int, more bool) []bot.Block {
	button := func(f face.Face, when, label string) bot.Button {
		return bot.Button{Label: label, Command: f.Commands.Stats, Args: map[string]string{"when": when}}
	}
	turn := func(label string, to int) bot.Button {
		return bot.Button{Label: label, Command: f.Commands.Stats, Args: map[string]string{"when": shown, argPage: strconv.Itoa(to)}}
	}
	var times, others []bot.Button
	for i, when := range []string{thisMonth, lastMonth, allTime} {
		times = append(times, button(f, when, []string{"This month", "Last month", "All time"}[i]))
		times[i].Disabled = when == shown && page == 0
	}
	for _, other := range h.Faces {
		if other.Kind != f.Kind {
			others = append(others, button(other, shown, other.Name()))
		}
	}
	others = append(others, bot.Button{Label: "My card", Command: f.Commands.Stats, Args: map[string]string{argCard: "own"}})
	if page > 0 {
		others = append(others, turn("Previous", page-1))
	}
	if more {
		others = append(others, turn("Next", page+1))
	}
	return []bot.Block{bot.Row(times), bot.Row(others)}
}

// rowLine is a row of a leaderboard: "1. ana — 3.40: 34 guesses in 10 puzzles (1 lost, 2 hints)", or "1 of 2: ben — 3.00: 3
// guesses in 1 puzzle" where a place takes two.
func rowLine(row statistics.Row, placeFrom int) bot.Line {
	place := fmt.Sprintf("%d. ", row.Rank)
	if row.Rank == 0 {
		place = fmt.Sprintf("%d of %d: ", row.Daily.Played, placeFrom)
	}
	return bot.Text(place, row.Player, " — "+average(row.Daily))
}

func average(c statistics.Counts) string {
	text := fmt.Sprintf("%.2f: %s in %s", c.Average(), bot.Plural(c.Score(), "guess"), bot.Plural(c.Played, "puzzle"))
	var notes []string
	if lost := c.Played - c.Won; lost > 0 {
		notes = append(notes, fmt.Sprintf("%d lost", lost))
	}
	if c.Hints > 0 {
		notes = append(notes, bot.Plural(c.Hints, "hint"))
	}
	if notes != nil {
		text += " (" + strings.Join(notes, ", ") + ")"
	}
	return text
}

func (h *Handlers) card(ctx context.Context, f face.Face, scope statistics.Scope, player game.PlayerID) (bot.Reply, error) {
	t, err := h.Statistics.Totals(ctx, scope, player)
	if err != nil {
		return bot.Reply{}, err
	}
	where, wherever, everywhere, community := "", "", t, ""
	if scope.Guild != "" {
		where, wherever, community = " here", ", counted everywhere", game.Location{Guild: scope.Guild}.Community()
		if everywhere, err = h.Statistics.Totals(ctx, statistics.Scope{Kind: scope.Kind}, player); err != nil {
			return bot.Reply{}, err
		}
	}
	if t.Daily.Played+t.Other.Played == 0 {
		return bot.Reply{}, bot.Decline(bot.Text(player, " has not finished a game"+where+" yet."))
	}
	lines := []bot.Line{bot.Text(bot.Bold(f.Titled("Statistics")), " of ", player)}
	if t.Daily.Played > 0 {
		lines = append(lines, bot.Text("Daily puzzles"+where+": "+average(t.Daily)+"."))
		lines = append(lines, bot.Text(fmt.Sprintf("Streak %d, best streak %d%s.", everywhere.DayStreak(h.Games.Today()), everywhere.Days.Best, wherever)))
		if t.Daily.Won > 0 {
			lines = append(lines, face.Chart(t.Daily.Distribution)...)
		}
	}
	if o := t.Other; o.Played > 0 {
		line := fmt.Sprintf("Other games%s: %d won", where, o.Won)
		if o.Won > 0 {
			line += fmt.Sprintf(" (%.2f guesses on average)", float64(o.Guesses())/float64(o.Won))
		}
		line += fmt.Sprintf(", %d lost", o.Played-o.Won)
		if o.Hints > 0 {
			line += ", " + bot.Plural(o.Hints, "hint")
		}
		lines = append(lines, bot.Text(line+"."), bot.Text(fmt.Sprintf("Streak %d, best streak %d.", t.Streak.Now, t.Streak.Best)))
		if o.Won > 0 {
			lines = append(lines, face.Chart(o.Distribution)...)
		}
	}
	performance, err := h.Finished.Performance(ctx, scope.Kind, community, player)
	if err != nil {
		return bot.Reply{}, err
	}
	if performance.Matches > 0 {
		lines = append(lines, bot.Text(fmt.Sprintf("Skill %.0f, luck %.0f on average over %s.", performance.Skill, performance.Luck, bot.Plural(performance.Matches, "game"))))
	}
	return bot.Reply{Blocks: bot.Lines(lines...)}, nil
}
