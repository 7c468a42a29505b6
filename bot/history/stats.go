package history

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/league"
	"fivefold/game/statistics"
)

// Arguments of buttons: argCard asks for the presser's own card, and argPage for a page of the table, from 0.
const (
	argCard = "card"
	argPage = "page"
)

// Stats returns the command for the statistics of a kind.
func (h *Handlers) Stats(f face.Face) bot.Command {
	var puzzles []bot.Option
	if f.Kind == h.Faces[0].Kind {
		puzzles = []bot.Option{{Name: argPuzzle, Help: "Ours, the newspaper's, or its results that players have pasted", Choices: bot.Each(h.puzzles(), func(f face.Face) string { return string(f.Kind) })}}
	}
	return bot.Command{
		Name: f.Commands.Stats,
		Help: f.StatsHelp,
		Options: append([]bot.Option{
			{Name: "player", Help: "The player whose card you want", Kind: bot.PlayerOption},
			{Name: "when", Help: "A month such as october, all, season, or year for a picture", MultiWord: true, Complete: h.completeWhen(f)},
		}, puzzles...),
		HiddenArgs: []string{argCard, argPage},
		Audience:   bot.Undecided, // in a group it is for the asker alone
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			return h.showStats(ctx, h.puzzleOf(f, r), r)
		},
		ShowCommand: f.Commands.Stats,
	}
}

func (h *Handlers) showStats(ctx context.Context, f face.Face, r bot.Request) (bot.Reply, error) {
	player := game.PlayerID(r.Args["player"])
	own := r.Args[argCard] != "" || r.Location.Guild == ""
	table := player == "" && !own
	in, err := h.readPeriod(ctx, r.Location.Guild, cmp.Or(r.Args["when"], map[bool]string{true: "month", false: allTime}[table]))
	switch {
	case err != nil:
		return bot.Reply{}, err
	case table && in.year == 0:
		return h.leaderboard(ctx, f, in, r)
	case own && player != "" && player != r.Player:
		return bot.Reply{}, bot.Decline(bot.Text("Outside a server, I only show your own statistics."))
	}
	reply, err := h.card(ctx, f, cmp.Or(player, r.Player), in, r)
	if r.Args[argCard] != "" || r.FromComponent && r.Args["when"] == "" || r.Context.Place == bot.InGroup {
		reply.Audience = bot.Asker // in a group, the totals include servers that the others may not be in
	}
	return reply, err
}

// pageRows is the number of players on a page of the table.
const pageRows = 10

func (h *Handlers) leaderboard(ctx context.Context, f face.Face, in period, r bot.Request) (bot.Reply, error) {
	asker := game.PlayerID("")
	if r.Context.AskerOnly { // a message for everyone has no “you”
		asker = r.Player
	}
	page, _ := bot.Number(r.Args[argPage], 0, statistics.MostRows/pageRows)
	page = max(0, min(page, statistics.MostRows/pageRows)) // a button may be forged
	rows := statistics.Rows{RankedFrom: statistics.RankedFromIn(in.month, h.Games.Today()), Skip: page * pageRows, Limit: pageRows}
	var board statistics.Leaderboard
	var err error
	limit := f.Attempts()
	how, score := fmt.Sprintf("Average guesses; a loss is %d, a hint 1 more.", limit+1), func(c statistics.Counts) string { return fmt.Sprintf("%.2f", c.Average()) }
	if in.season == 0 {
		board, err = h.Statistics.Leaderboard(ctx, statistics.Scope{Kind: f.Kind, Guild: r.Location.Guild, Month: in.month}, asker, rows)
	} else {
		var days [][]statistics.DailyResult
		days, err = h.days(ctx, f, r.Location.Guild, "", in)
		board, score = statistics.SeasonTable(days, limit, asker, rows), func(c statistics.Counts) string { return fmt.Sprintf("%g", c.Strokes(len(days), limit)) }
		how = fmt.Sprintf("Strokes in %d of %d dailies; a loss is %d.5, a missed one %d, a hint 1 more.", len(days), in.season, limit, limit+1)
	}
	if err != nil {
		return bot.Reply{}, err
	}
	reply := bot.Reply{InPlace: true, Heading: bot.Text(in.name), Subtext: bot.Text(how)}
	if f.Title != "" {
		reply.Heading = bot.Text(f.Title + ", " + in.name)
	}
	cards := &bot.Menu{Label: "A player's card", Command: f.Commands.Stats, Args: argsOf(f, ""), Option: "player"}
	for _, row := range board.Rows {
		reply = reply.Say(rowLine(row, score(row.Daily), rows.RankedFrom))
		if row.Name != "" {
			reply.Names = reply.Names.With(row.Player, row.Name)
			cards.Choices = append(cards.Choices, bot.MenuChoice{Label: row.Name, Value: string(row.Player)})
		}
	}
	var buttons []bot.Button
	switch {
	case board.Own.Daily.Played > 0 && !slices.ContainsFunc(board.Rows, func(row statistics.Row) bool { return row.Player == asker }):
		reply = reply.Say(bot.Text("…"), rowLine(board.Own, score(board.Own.Daily), rows.RankedFrom))
	case len(board.Rows) == 0 && league.Is(f.Kind):
		reply = reply.Say(bot.Text("No results here"+in.within+" yet. To bring some, open the menu of a message that has them: ", bot.Bold("Apps"), ", ", bot.Bold("Import results"), "."))
	case len(board.Rows) == 0:
		nobody := "Nobody has finished a daily here yet."
		switch {
		case in.season > 0 && in.from > in.to:
			nobody = "The first daily of this season counts when its day is over."
		case in.season > 0, in.month != "" && in.month < game.DailyMonth(h.Games.Today()):
			nobody = "Nobody finished a daily here" + in.within + "."
		}
		reply = reply.Say(bot.Text(nobody))
		buttons = append(buttons, f.AgainButton(game.Match{Mode: game.Daily}))
	}
	others, err := h.periods(ctx, f, r.Location.Guild)
	if err != nil {
		return bot.Reply{}, err
	}
	times := &bot.Menu{Label: "Another time", Command: f.Commands.Stats, Args: argsOf(f, ""), Option: "when"}
	for _, p := range slices.DeleteFunc(others, func(p period) bool { return p.year > 0 }) {
		times.Choices = append(times.Choices, bot.MenuChoice{Label: p.name, Value: p.when})
	}
	reply = reply.Add(times, cards, h.otherPuzzles(f, argsOf(f, in.when)))
	button := func(label, arg, value string) {
		buttons = append(buttons, bot.Button{Label: label, Command: f.Commands.Stats, Args: argsOf(f, in.when, arg, value)})
	}
	button("My card", argCard, "own")
	if page > 0 {
		button("Previous", argPage, strconv.Itoa(page-1))
	}
	if board.More && page < statistics.MostRows/pageRows {
		button("Next", argPage, strconv.Itoa(page+1))
	}
	return reply.Add(bot.Rows(buttons...)...), nil
}

// rowLine is a row of a leaderboard: "1. ana · 3.40", or "ben · 3.00 · 1 of 2 puzzles" where a place takes two.
func rowLine(row statistics.Row, score string, placeFrom int) bot.Line {
	if row.Rank == 0 {
		return bot.Text(row.Player, " · "+score+fmt.Sprintf(" · %d of %s", row.Daily.Played, bot.Plural(placeFrom, "puzzle")))
	}
	line := bot.Text(fmt.Sprintf("%d. ", row.Rank))
	if row.Rank == 1 {
		line = line.With(bot.Emoji("👑 "))
	}
	return line.With(row.Player, " · "+score)
}

// card shows a player's statistics: of daily puzzles or, without any, of all other games.
func (h *Handlers) card(ctx context.Context, f face.Face, player game.PlayerID, in period, r bot.Request) (bot.Reply, error) {
	guild := r.Location.Guild
	t, err := h.Statistics.Totals(ctx, statistics.Scope{Kind: f.Kind, Guild: guild, Month: in.month}, player)
	if err != nil {
		return bot.Reply{}, err
	}
	var days [][]statistics.DailyResult
	if in.year > 0 || in.season > 0 {
		if days, err = h.days(ctx, f, guild, player, in); err != nil {
			return bot.Reply{}, err
		}
		t = statistics.Totals{Daily: statistics.CountsOf(slices.Concat(days...)...)}
	}
	everywhere, err := h.Statistics.Totals(ctx, statistics.Scope{Kind: f.Kind}, player)
	if err != nil {
		return bot.Reply{}, err
	}
	names := game.Names{player: everywhere.Name}.With(r.Player, r.PrintableName()).With(player, r.Others[player])
	where, community := "", ""
	if guild != "" {
		where, community = " here", game.Location{Guild: guild}.Community()
	}
	if t.Daily.Played+t.Other.Played == 0 {
		return bot.Reply{}, bot.Decline(bot.Text(player, nothing(f, in, where, h.Games.Today())).Named(names))
	}
	counts, what, daily := t.Daily, "dailies", t.Daily.Played > 0
	average, streak := counts.Average(), statistics.Streak{Now: everywhere.DayStreak(h.today(f)), Best: everywhere.Days.Best}
	if !daily {
		counts, what, streak = t.Other, "games", t.Streak
		average = float64(counts.Guesses()) / float64(max(1, counts.Won))
	}
	drawn := picture.Card{Won: bars(f, counts), Figures: []picture.Figure{
		{Value: strconv.Itoa(counts.Played), Name: "played"},
		{Value: bot.Percent(float64(counts.Won) / float64(counts.Played)), Name: "solved"},
		{Value: fmt.Sprintf("%.2f", average), Name: "average"},
		{Value: strconv.Itoa(streak.Now), Name: "streak"},
	}}
	reply := bot.Reply{InPlace: true, Names: names, Heading: bot.Text(player), Subtext: bot.Text(f.Name() + ": " + what + where + in.within)}
	if in.year > 0 {
		year := drawYear(f, player, names[player], in, days)
		return h.underCard(reply.Add(drawing("year.png", year.Alt(), year.Draw)), f, player, in, r), nil
	}
	performance, err := h.Finished.Performance(ctx, f.Kind, community, player)
	if err != nil {
		return bot.Reply{}, err
	}
	if counts.Won == 0 && !daily {
		drawn.Figures = slices.Delete(drawn.Figures, 2, 3) // an average of nothing
	}
	if performance.Matches > 0 {
		drawn.Figures = append(drawn.Figures, picture.Figure{Value: fmt.Sprintf("%.0f", performance.Skill), Name: "skill"})
	}
	latest, err := h.Finished.Store.History(ctx, finished.Filter{
		Viewer: player, Player: player, Kind: f.Kind, Community: community, PlayedOut: true, Limit: 20,
	})
	if err != nil {
		return bot.Reply{}, err
	}
	if i := slices.IndexFunc(latest, func(e finished.Entry) bool { return (e.Result.Month() != "") == daily }); i >= 0 && latest[i].Result.Status == game.Won {
		drawn.Latest = latest[i].Result.Attempts
	}
	reply = reply.Add(drawing("card.png", drawn.Alt(), drawn.Draw))
	if streak.Best > streak.Now {
		reply = reply.Say(bot.Text(fmt.Sprintf("Best streak: %d", streak.Best)))
	}
	if o := t.Other; daily && o.Played > 0 {
		reply = reply.Say(bot.Text(fmt.Sprintf("Other games: %d of %d won", o.Won, o.Played)))
	}
	return h.underCard(reply, f, player, in, r), nil
}

// bars returns the games won by each number of guesses that a puzzle has.
func bars(f face.Face, c statistics.Counts) []int {
	return append(slices.Clone(c.Distribution), make([]int, max(0, f.Attempts()-len(c.Distribution)))...)
}

// nothing ends a sentence about a player without results in a period.
func nothing(f face.Face, in period, where string, today int) string {
	what := "a daily"
	switch {
	case league.Is(f.Kind):
		return " has no results" + where + in.within + "."
	case in.when == allTime:
		what = "a game"
	case in.year > 0 && in.to < today, in.month != "" && in.month < game.DailyMonth(today):
		return " finished no daily" + where + in.within + "."
	}
	return " hasn't finished " + what + where + " yet."
}

// drawing is a picture, described sentence by sentence where none is shown.
func drawing(name, alt string, draw func(contrast bool) []byte) *bot.Picture {
	lines := bot.Each(strings.SplitAfter(alt, ". "), func(s string) bot.Line { return bot.Text(strings.TrimSpace(s)) })
	return &bot.Picture{Name: name, Alt: alt, Instead: lines, Draw: draw}
}

// underCard adds a menu and buttons to a player's card: the same of other puzzles and periods.
func (h *Handlers) underCard(reply bot.Reply, f face.Face, player game.PlayerID, shown period, r bot.Request) bot.Reply {
	whose := []string{"player", string(player)}
	if player == r.Player && r.Args["player"] == "" {
		whose = []string{argCard, "own"}
	}
	var row []bot.Button
	button := func(label, in string) {
		row = append(row, bot.Button{Label: label, Command: f.Commands.Stats, Args: argsOf(f, in, whose...), Disabled: in == shown.when})
	}
	today := game.DailyDate(h.Games.Today())
	button(today.Format("January"), monthOf(today).when)
	button("All time", allTime)
	if today.Month() == time.December || shown.year > 0 {
		year := strconv.Itoa(cmp.Or(shown.year, today.Year()))
		button("Year "+year, year)
	}
	if r.Location.Guild != "" {
		row = append(row, bot.Button{Label: "Leaderboard", Command: f.Commands.Stats, Args: argsOf(f, "")})
	}
	return reply.Add(h.otherPuzzles(f, argsOf(f, shown.when, whose...))).Row(row...)
}
