package transfer

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

// Table is what [Export] writes.
type Table string

// TableResults has a line for each player of each result. TableStatistics has a line for each player's totals in a server or,
// where the server is empty, everywhere. A line with a month has the totals of its daily puzzles. The average is made from
// daily_guesses: see [statistics.Counts.Score]. Lines of totals everywhere, without a month, have the player's name.
const (
	TableResults    Table = "results"
	TableStatistics Table = "statistics"
)

// Format is the form of an exported table.
type Format string

// CSV has a heading; JSONLines has an object a line, with the same names.
const (
	CSV       Format = "csv"
	JSONLines Format = "jsonl"
)

// columns are the columns of each table. New ones are added at the end.
var columns = map[Table][]string{
	TableResults: {"match", "kind", "mode", "puzzle", "server", "channel", "status", "answer", "hard", "guesses", "started", "ended", "winner",
		"player", "player_guesses", "player_hints", "counts_as", "player_name"},
	TableStatistics: {"player", "kind", "server", "month", "dailies", "dailies_solved", "daily_guesses", "daily_hints", "played", "won", "streak", "best_streak", "hints", "player_name"},
}

// Export writes a table of a store. Times are in UTC, in the form of RFC 3339. A match whose players have all deleted
// their data has one line without a player. Unreadable records are left out: package check finds them.
func Export(ctx context.Context, m ordered.Map, w io.Writer, t Table, f Format) error {
	names := columns[t]
	if names == nil || f != CSV && f != JSONLines {
		return fmt.Errorf("unknown table %q, or format %q", t, f)
	}
	lines := csv.NewWriter(w)
	encoder := json.NewEncoder(w)
	write := func(values ...any) error {
		if f == JSONLines {
			object := map[string]any{}
			for i, name := range names {
				object[name] = values[i]
			}
			return encoder.Encode(object)
		}
		return lines.Write(game.Each(values, func(v any) string {
			text := fmt.Sprint(v)
			if text != "" && strings.ContainsAny(text[:1], "=+-@") {
				text = "'" + text // or a spreadsheet would compute a name that a player has chosen
			}
			return text
		}))
	}
	if f == CSV {
		if err := lines.Write(names); err != nil {
			return err
		}
	}
	topic, line := schema.TopicTotal, exportTotal
	if t == TableResults {
		topic, line = schema.TopicResult, exportResult
	}
	err := ordered.Each(ctx, m, ordered.Prefix(topic), func(batch []ordered.Pair) error {
		for _, p := range batch {
			if err := line(p, write); err != nil && !errors.Is(err, game.ErrDamaged) {
				return err
			}
		}
		return nil
	})
	lines.Flush()
	return errors.Join(err, lines.Error())
}

func exportResult(p ordered.Pair, write func(...any) error) error {
	r, err := schema.DecodeResult(p)
	if err != nil {
		return err
	}
	players := r.Known()
	if r.Anonymous() {
		players = []game.Participant{{}}
	}
	for _, by := range players {
		if err := write(r.Match, r.Kind, r.Mode, r.Puzzle, r.Location.Guild, r.Location.Channel, r.Status, r.Answer, r.Hard, r.Attempts,
			r.Started.Format(time.RFC3339), r.Ended.Format(time.RFC3339), r.Winner, by.Player, by.Guesses, by.Hints, by.Outcome, r.Names[by.Player]); err != nil {
			return err
		}
	}
	return nil
}

func exportTotal(p ordered.Pair, write func(...any) error) error {
	t, scope, err := schema.DecodeTotal(p)
	if err != nil {
		return err
	}
	if schema.Pseudonymous(t.Player) {
		t.Player = ""
	}
	for _, guild := range append([]game.GuildID{scope.Guild}, t.Guilds...) {
		err = errors.Join(err, write(t.Player, scope.Kind, guild, scope.Month, t.Daily.Played, t.Daily.Won, t.Daily.Score(), t.Daily.Hints,
			t.Other.Played, t.Other.Won, t.Streak.Now, t.Streak.Best, t.Other.Hints, t.Name))
	}
	return err
}
