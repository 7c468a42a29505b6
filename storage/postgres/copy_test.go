package postgres_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/record"
	"fivefold/storage/storagetest"
)

// tablesOf returns the tables of a database.
func tablesOf(t *testing.T, c *pgx.Conn) []string {
	t.Helper()
	rows, err := c.Query(t.Context(), `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// notRecords are the tables that have nothing that another store needs.
var notRecords = []string{"fivefold_schema", "fivefold_schema_lock", "work"}

// sqlChunks counts the chunks of leaderboards whose size is wrong, the players with a rank, those in
// chunks, and all chunks.
const sqlChunks = `SELECT (SELECT count(*) FROM (
		SELECT guild, kind, bound, players, row_number() OVER (PARTITION BY guild, kind ORDER BY bound) AS n, lead(bound) OVER (PARTITION BY guild, kind ORDER BY bound) AS next
		FROM rank_chunks) AS c
	WHERE players <> (SELECT count(*) FROM totals t WHERE t.guild = c.guild AND t.kind = c.kind AND t.rank >= c.bound AND (c.next IS NULL OR t.rank < c.next))
		OR n = 1 AND bound <> ''),
	(SELECT count(*) FROM totals WHERE rank IS NOT NULL), (SELECT sum(players) FROM rank_chunks)::bigint, (SELECT count(*) FROM rank_chunks)`

// TestCopyOfDatabase: a copy has the same in all tables and columns, including those that are made
// from others, and there is no table that copies leave out by mistake.
func TestCopyOfDatabase(t *testing.T) {
	from, to := postgrestest.Database(t), postgrestest.Database(t)
	s := mustOpen(t, from)
	storagetest.Fill(t, s, 60)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	source, err := postgres.OpenCopySource(t.Context(), from, testCodecs, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	target, err := postgres.OpenCopyTarget(t.Context(), to, testCodecs, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	target.SetChunk(2)
	for _, table := range record.Tables {
		var rows []record.Row
		if err := source.Rows(t.Context(), table, nil, func(r record.Row) error {
			rows = append(rows, record.Row{Table: table, Key: bytes.Clone(r.Key), Value: bytes.Clone(r.Value)})
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if err := target.Write(t.Context(), rows, record.Mark{Table: table}); err != nil {
			t.Fatal(err)
		}
	}
	if err := target.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	compareLines(t, dump(t, to), dump(t, from))
	for _, url := range []string{from, to} {
		if chunks := checkChunks(t, url); chunks < 6 {
			t.Errorf("%d chunks of leaderboards", chunks)
		}
	}
}

// dump returns all rows of a database, except the chunks of leaderboards, which depend on the order in
// which players came.
func dump(t *testing.T, url string) (lines []string) {
	t.Helper()
	c := mustConnect(t, url)
	known := append(slices.Clone(postgres.CopiedTables), append([]string{"meta"}, notRecords...)...)
	for _, table := range tablesOf(t, c) {
		if !slices.Contains(known, table) {
			t.Errorf("the rows of %s would be lost when they are copied to another store", table)
		}
		if slices.Contains(notRecords, table) || table == "rank_chunks" {
			continue
		}
		rows, err := c.Query(t.Context(), `SELECT row_to_json(r)::text FROM `+table+` r ORDER BY 1`)
		if err != nil {
			t.Fatal(err)
		}
		all, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range all {
			lines = append(lines, table+" "+line)
		}
	}
	var given string
	if err := c.QueryRow(t.Context(), `SELECT last_value::text FROM result_numbers`).Scan(&given); err != nil {
		t.Fatal(err)
	}
	return append(lines, fmt.Sprint("given ", given))
}

// checkChunks checks that the chunks of leaderboards have the right numbers of players, and returns how
// many chunks there are.
func checkChunks(t *testing.T, url string) (chunks int) {
	t.Helper()
	var wrong, ranked, players int
	if err := mustConnect(t, url).QueryRow(t.Context(), sqlChunks).Scan(&wrong, &ranked, &players, &chunks); err != nil {
		t.Fatal(err)
	}
	if wrong > 0 || ranked != players {
		t.Errorf("%d of %d chunks of leaderboards are wrong; they have %d players, want %d", wrong, chunks, players, ranked)
	}
	return chunks
}

func compareLines(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d lines, want %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("line %d of %d is\n%s\nwant\n%s of %d", i, len(got), got[i], want[i], len(want))
		}
	}
}

// TestCopyDamaged: a record that cannot be read ends the copy, and the error names it.
func TestCopyDamaged(t *testing.T) {
	from := postgrestest.Database(t)
	s := mustOpen(t, from)
	g := storagetest.Wordle
	storagetest.MustCommit(t, s, g.Match("whole", game.Location{Channel: "c1"}, "ana", g.Answers[0]))
	storagetest.MustCommit(t, s, g.Match("torn", game.Location{Channel: "c2"}, "ana", g.Answers[0]))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := pgx.Connect(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	if _, err := c.Exec(t.Context(), `UPDATE matches SET record = substring(record FROM 1 FOR 50) WHERE id = 'torn'`); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"bolt:" + filepath.Join(t.TempDir(), "to.db"), postgrestest.Database(t)} {
		if _, err := storage.Copy(t.Context(), from, to, storage.CopyOptions{}); !errors.Is(err, game.ErrDamaged) || !strings.Contains(err.Error(), `matches: "torn"`) {
			t.Errorf("%v, want the match and ErrDamaged", err)
		}
	}
}

// TestClearLost: a player's name is also removed from results whose matches were lost before a copy, or
// cannot be read.
func TestClearLost(t *testing.T) {
	url := postgrestest.Database(t)
	s := mustOpen(t, url)
	g := storagetest.Wordle
	for i := range 8 {
		m := g.Match(fmt.Sprint("m", i), game.Location{Guild: "g", Channel: "c"}, "ana", g.Answers[6])
		storagetest.MustCommit(t, s, m)
		if i%2 == 0 {
			m = g.Guess(t, m, "ben", g.Answers[0])
			storagetest.MustCommit(t, s, m)
		}
		storagetest.MustCommit(t, s, g.Guess(t, m, "ana", g.Answers[6]))
	}
	c := mustConnect(t, url)
	if _, err := c.Exec(t.Context(), `DELETE FROM matches WHERE id < 'm5'`); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(t.Context(), `UPDATE matches SET record = substring(record FROM 1 FOR 50) WHERE id = 'm5'`); err != nil {
		t.Fatal(err)
	}
	if err := s.Clear(t.Context(), game.ClearRequest{Player: "ana", Request: "clear", At: storagetest.Epoch}); err != nil {
		t.Fatal(err)
	}
	results, err := s.Results(t.Context(), 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Winner != "" || slices.ContainsFunc(r.Participants, func(p game.Participant) bool { return p.Player == "ana" }) {
			t.Errorf("a name is left: %+v", r)
		}
	}
	var named, clearing, listed, torn int
	if err := c.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM named WHERE player = 'ana'), (SELECT count(*) FROM clearing), (SELECT count(*) FROM results WHERE number IS NOT NULL), (SELECT count(*) FROM matches WHERE id = 'm5')`).
		Scan(&named, &clearing, &listed, &torn); err != nil {
		t.Fatal(err)
	}
	if len(results) != 8 || named > 0 || clearing > 0 || listed != 4 || torn > 0 {
		t.Errorf("%d results, of which %d are listed, want 8 and 4, those of ben; %d entries of the player, %d clearings go on, and %d torn matches are left", len(results), listed, named, clearing, torn)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
