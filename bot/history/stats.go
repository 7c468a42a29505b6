package history

import (
	"context"
	"errors"
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
			return bot.Reply{}, bot.Refuse(errPrivate, bot.Text("In "+where+" I only show your own statistics. A server's leaderboard is shown in that server."))
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

var errPrivate = errors.New("another player's totals in direct messages")

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
	return bot.Reply{Lines: lines}, nil
}

func rowLine(row game.Row) bot.Line {
	line := bot.Text(fmt.Sprintf("%d. ", row.Place), row.Player,
		fmt.Sprintf(" — won %d of %d (%s)", row.Won, row.Played, bot.Percent(row.WinRate())))
	if row.Won > 0 {
		line = line.With(fmt.Sprintf(", %.2f attempts on average", row.Average()))
	}
	return line
}

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
		bot.Text(fmt.Sprintf("Played %d, won %d (%s).", t.Played, t.Won, bot.Percent(t.WinRate()))),
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
	if t.Won > 0 {
		lines = append(lines, bot.Text(fmt.Sprintf("%.2f attempts on average:", t.Average())))
		lines = append(lines, face.Chart(t.Distribution)...)
	}
	return bot.Reply{Lines: lines}, nil
}
