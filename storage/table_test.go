package storage_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/game/statistics"
	"fivefold/storage"
	"fivefold/storage/transfer"
)

// TestExport compares both forms of both tables with each other and with what the store says.
func TestExport(t *testing.T) {
	s, ctx := storage.New(filled(t, false), codecs, storage.Options{}), t.Context()
	defer s.Close()
	results, err := s.Results(ctx, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	log := map[string]game.Result{}
	lines := 0
	for _, r := range results {
		log[string(r.Match)] = r
		named := 0
		for _, p := range r.Participants {
			if p.Player != "" {
				named++
			}
		}
		lines += max(1, named)
	}
	for _, table := range []transfer.Table{transfer.TableResults, transfer.TableStatistics} {
		var asCSV, asJSON bytes.Buffer
		if err := transfer.Export(ctx, s.Map(), &asCSV, table, transfer.CSV); err != nil {
			t.Fatal(err)
		}
		if err := transfer.Export(ctx, s.Map(), &asJSON, table, transfer.JSONLines); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&asCSV).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if table == transfer.TableResults && len(rows) != 1+lines {
			t.Errorf("there are %d lines of results, want %d", len(rows)-1, lines)
		}
		objects := json.NewDecoder(&asJSON)
		for i, row := range rows[1:] {
			var object map[string]any
			if err := objects.Decode(&object); err != nil {
				t.Fatal(err)
			}
			for n, name := range rows[0] {
				if got := fmt.Sprint(object[name]); got != row[n] {
					t.Fatalf("line %d of %s: %s is %s as JSON, and %s as CSV", i+1, table, name, got, row[n])
				}
			}
			if table == transfer.TableResults {
				r := log[row[0]]
				if row[1] != string(r.Kind) || row[6] != string(r.Status) || row[7] != r.Answer || row[9] != fmt.Sprint(r.Attempts) {
					t.Fatalf("line %d is %q, want %+v", i+1, row, r)
				}
				continue
			}
			if row[0] == "" { // of somebody who has deleted their data
				continue
			}
			got, err := s.Totals(ctx, statistics.Scope{Kind: game.Kind(row[1]), Guild: game.GuildID(row[2]), Month: row[3]}, game.PlayerID(row[0]))
			if err != nil || fmt.Sprint(got.Daily.Score(), got.Other.Won, got.Streak.Best, got.Other.Hints) != strings.Join([]string{row[6], row[9], row[11], row[12]}, " ") {
				t.Fatalf("line %d is %q, want %+v, %v", i+1, row, got, err)
			}
		}
		if err := objects.Decode(&struct{}{}); err != io.EOF {
			t.Errorf("%s has more lines as JSON than as CSV: %v", table, err)
		}
	}
	if err := transfer.Export(ctx, s.Map(), io.Discard, "secrets", transfer.CSV); err == nil {
		t.Error("a table that there is not was exported")
	}
}

// TestExportNames: results have the names of their players, and of totals those everywhere. No spreadsheet computes a name.
func TestExportNames(t *testing.T) {
	s, ctx := inMemory(t), t.Context()
	match := alone(wordGame.match("m1", game.Location{Guild: "g", Channel: "c"}, "ana"), 7)
	match.Names = game.Names{"ana": "=1+1"}
	match = stop(match, "ana")
	match.Names = game.Names{"ana": "=1+1"}
	mustCommitAll(t, s, match)
	export := func(table transfer.Table, f transfer.Format) (written string) {
		t.Helper()
		var b strings.Builder
		if err := transfer.Export(ctx, s.Map(), &b, table, f); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for table, want := range map[transfer.Table][]string{transfer.TableResults: {"'=1+1"}, transfer.TableStatistics: {"'=1+1", "", "", ""}} {
		var got []string
		for line := range strings.Lines(export(table, transfer.CSV)) {
			fields := strings.Split(strings.TrimSpace(line), ",")
			got = append(got, fields[len(fields)-1])
		}
		if want = append([]string{"player_name"}, want...); !slices.Equal(got, want) {
			t.Errorf("the last column of %s is %q, want %q", table, got, want)
		}
		if first, _, _ := strings.Cut(export(table, transfer.JSONLines), "\n"); !strings.Contains(first, `"player_name":"=1+1"`) {
			t.Errorf("%s begins with %s", table, first)
		}
	}
}
