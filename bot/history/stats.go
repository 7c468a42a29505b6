package history

import (
	"context"
	"fmt"
	"slices"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

// Stats returns the command for the statistics of a kind.
func (h *Handlers) Stats(f face.Face) bot.Command {
	return bot.Command{
		Name: f.Commands.Stats,
		Help: f.StatsHelp,
		Options: []bot.Option{
			{Name: "player", Help: "Whose card to show", Kind: bot.PlayerOption},
		},
		Audience:    bot.Undecided, // in a group it is for the asker alone
		Run:         func(ctx context.Context, r bot.Request) (bot.Reply, error) { return h.showStats(ctx, f, r) },
		ShowCommand: f.Commands.Stats,
	}
}

// showStats shows a game's leaderboard or a player's card.
func (h *Handlers) showStats(ctx context.Context, f face.Face, r bot.Request) (bot.Reply, error) {
	player := r.Args["player"]
	named := player != ""
	scope := game.Scope{Kind: f.Kind, Guild: r.Location.Guild}
	if scope.Guild == "" {
		group := r.Context.Place == bot.InGroup
		if named && player != string(r.Player) {
			where := "direct messages"
			if group {
				where = "a group"
			}
			return bot.Reply{}, bot.Decline(bot.Text("In " + where + " I only show your own statistics. A server's leaderboard is shown in that server."))
		}
		reply, err := h.card(ctx, f, scope, r.Player)
		if group && err == nil {
			// The totals are those of servers too, which the others here need not be in.
			reply.Audience = bot.Asker
			reply.Lines = append(reply.Lines, bot.Text("Only you can see this: in a group I show statistics to nobody else."))
		}
		return reply, err
	}
	if named {
		return h.card(ctx, f, scope, game.PlayerID(player))
	}
	return h.leaderboard(ctx, f, scope, r.Player)
}

// leaderboardRows is how many players a leaderboard shows in addition to the asking player.
const leaderboardRows = 10

func (h *Handlers) leaderboard(ctx context.Context, f face.Face, scope game.Scope, player game.PlayerID) (bot.Reply, error) {
	board, err := h.Statistics.Leaderboard(ctx, scope, player, leaderboardRows)
	if err != nil {
		return bot.Reply{}, err
	}
	if board.Players == 0 {
		return bot.Reply{Lines: []bot.Line{bot.Text("Nobody has finished a game here yet. Start one with ", bot.Slash(f.Commands.Start), ".")}}, nil
	}
	lines := []bot.Line{bot.Text(bot.Bold(f.Titled("Leaderboard")), " of "+bot.Plural(board.Players, "player"))}
	for _, row := range board.Top {
		lines = append(lines, rowLine(row))
	}
	switch {
	case board.Own.Place == 0:
		lines = append(lines, bot.Text("You have not finished a game here yet."))
	case !slices.Contains(board.Top, board.Own):
		lines = append(lines, bot.Text("…"), rowLine(board.Own))
	}
	lines = append(lines, orderLine)
	return bot.Reply{Lines: lines}, nil
}

func rowLine(row game.Row) bot.Line {
	line := bot.Text(fmt.Sprintf("%d. ", row.Place), row.Player, " — "+record(row.Totals))
	if row.WonCredit > 0 {
		line = line.With(fmt.Sprintf(", %.2f attempts on average", row.Average()))
	}
	return line
}

// record says how many matches a player has played and won, and what they count for in the
// order: "20 games: 18 won (90%)", "4 games: 2 won without hints, 1 with; 1.3 of 2.9 by
// shares (45%)".
func record(t game.Totals) string {
	text := fmt.Sprintf("%s: %d won", bot.Plural(t.Played, "game"), t.Won)
	if t.Helped > 0 {
		text += fmt.Sprintf(" without hints, %d with", t.Helped)
	}
	switch {
	case t.Credit == 0:
		return text // nothing counts for the order, such as games that others took hints in
	case t.Credit != 1000*t.Played:
		text += fmt.Sprintf("; %s of %s by shares", matches(t.WonCredit), matches(t.Credit))
	}
	return text + " (" + bot.Percent(t.WinRate()) + ")"
}

// matches writes a credit as a number of matches: "12", or "8.4" with parts of matches.
func matches(credit int) string {
	if credit%1000 == 0 {
		return fmt.Sprint(credit / 1000)
	}
	return fmt.Sprintf("%.1f", float64(credit)/1000)
}

// orderLine says what the places of a leaderboard go by.
var orderLine = bot.Text("Places go by the win rate that is 95% certain, so a few games say little; then by games won, attempts and wins with hints. " +
	"A game played together counts by your share in it, and one that you took hints in is not won.")

// card shows a player's totals.
func (h *Handlers) card(ctx context.Context, f face.Face, scope game.Scope, player game.PlayerID) (bot.Reply, error) {
	t, err := h.Statistics.Totals(ctx, scope, player)
	if err != nil {
		return bot.Reply{}, err
	}
	where := " here"
	if scope.Guild == "" {
		where = ""
	}
	if t.Played == 0 {
		return bot.Reply{Lines: []bot.Line{bot.Text(player, " has not finished a game"+where+" yet. Hints taken: ", fmt.Sprint(t.Hints), ".")}}, nil
	}
	lines := []bot.Line{
		bot.Text(bot.Bold(f.Titled("Statistics")), " of ", player),
		bot.Text(record(t) + "."),
		bot.Text(fmt.Sprintf("Streak %d, best streak %d. Hints taken: %d.", t.Streak, t.BestStreak, t.Hints)),
	}
	community := "" // everywhere
	if scope.Guild != "" {
		community = game.Location{Guild: scope.Guild}.Community()
	}
	performance, err := h.Games.Performance(ctx, scope.Kind, community, player)
	if err != nil {
		return bot.Reply{}, err
	}
	if performance.Matches > 0 {
		lines = append(lines, bot.Text(fmt.Sprintf("Skill %.0f, luck %.0f on average over %s.", performance.Skill, performance.Luck, bot.Plural(performance.Matches, "game"))))
	}
	switch {
	case t.WonCredit > 0:
		lines = append(lines, bot.Text(fmt.Sprintf("%.2f attempts on average:", t.Average())))
		lines = append(lines, face.Chart(t.Distribution)...)
	case t.Won > 0:
		lines = append(lines, bot.Text("Attempts:"))
		lines = append(lines, face.Chart(t.Distribution)...)
	}
	return bot.Reply{Lines: lines}, nil
}
