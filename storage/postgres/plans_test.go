package postgres_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest"
)

// statements is a tracer that collects the statements of a store, each with the arguments of its first use.
type statements struct {
	mu  sync.Mutex // protects all
	all map[string][]any
}

func (s *statements) add(sql string, args []any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.all[sql]; !there {
		s.all[sql] = args
	}
}

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	s.add(d.SQL, d.Args)
	return ctx
}
func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (s *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceBatchStartData) context.Context {
	for _, q := range d.Batch.QueuedQueries {
		s.add(q.SQL, q.Arguments)
	}
	return ctx
}
func (s *statements) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (s *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// planned returns the statements that have a plan, sorted.
func (s *statements) planned() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.all)), func(sql string) bool {
		kind, _, _ := strings.Cut(strings.ToLower(sql), " ")
		return !slices.Contains([]string{"select", "insert", "update", "delete"}, kind)
	})
}

// explained returns the plan that an EXPLAIN statement shows.
func explained(ctx context.Context, c *pgx.Conn, explain string, args ...any) (string, error) {
	rows, err := c.Query(ctx, explain, args...)
	if err != nil {
		return "", err
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return strings.Join(lines, "\n"), err
}

var seqScan = regexp.MustCompile(`Seq Scan on (\w+)`)

// wholeTables returns the tables that a plan reads from their beginning to their end.
func wholeTables(plan string) (tables []string) {
	for _, m := range seqScan.FindAllStringSubmatch(plan, -1) {
		tables = append(tables, m[1])
	}
	return tables
}

// small are the tables that may be read as a whole: they have few rows, however many games there are.
var small = []string{"clearing", "fivefold_schema"}

// TestPlans: every statement finds its rows by an index. It asks for the plans with enable_seqscan off, with
// which a plan has a sequential scan only if no index can be used.
func TestPlans(t *testing.T) {
	url, ctx := postgrestest.Empty(t), t.Context() // a database of its own: others have statistics
	if _, err := postgres.Migrate(ctx, url, postgres.Options{}); err != nil {
		t.Fatal(err)
	}
	noAutovacuum(t, url)
	traced := &statements{all: map[string][]any{}}
	s, err := postgres.Open(ctx, url, testCodecs, postgres.Traced(traced))
	if err != nil {
		t.Fatal(err)
	}
	doEverything(t, s)
	g := storagetest.Wordle
	lost := g.Guess(t, g.Match("lost", game.Location{Guild: "g", Channel: "c3"}, "ben", g.Answers[0]), "ben", g.Answers[0])
	storagetest.MustCommit(t, s, lost.Rewind(1))
	storagetest.MustCommit(t, s, lost)
	c := mustConnect(t, url)
	if _, err := c.Exec(ctx, "DELETE FROM matches WHERE id = 'lost'"); err != nil { // as if it was lost before a copy
		t.Fatal(err)
	}
	if err := s.Clear(ctx, game.ClearRequest{Player: "ben", Request: "clear lost", At: storagetest.Epoch}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(ctx, "SET enable_seqscan = off"); err != nil {
		t.Fatal(err)
	}
	plans := map[string]string{}
	for _, sql := range traced.planned() {
		plan, err := explained(ctx, c, "EXPLAIN "+sql, traced.all[sql]...)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		plans[sql] = plan
		for _, table := range wholeTables(plan) {
			if !slices.Contains(small, table) {
				t.Errorf("%s\nreads all of %s:\n%s", sql, table, plan)
			}
		}
	}
	for sql, plan := range plans {
		lines := append(strings.Split(plan, "\n"), "")
		for n, line := range lines[:len(lines)-1] {
			if strings.Contains(line, "Index") && strings.Contains(line, "Scan using") && !strings.Contains(lines[n+1], "Index Cond") &&
				!slices.ContainsFunc(small, func(table string) bool { return strings.Contains(line, " on "+table+" ") }) {
				t.Errorf("%s\nreads a whole index:\n%s", sql, plan)
			}
		}
	}
	if len(plans) < 50 {
		t.Errorf("%d statements were looked at", len(plans))
	}
	all := strings.Join(slices.Collect(maps.Values(plans)), "\n")
	for _, index := range []string{"matches_playing", "results_log", "results_history", "results_answer", "named_history", "named_pkey", "totals_rank", "rank_chunks_pkey", "receipts_made", "slots_player"} {
		if !strings.Contains(all, " "+index+" ") {
			t.Errorf("no statement uses the index %s", index)
		}
	}
}

// noAutovacuum keeps the server from collecting statistics of a database's tables, with which plans change,
// and from removing dead rows, until the end of the test.
func noAutovacuum(t *testing.T, url string) {
	t.Helper()
	c := mustConnect(t, url)
	tables := tablesOf(t, c)
	each := func(what string) {
		for _, table := range tables {
			if _, err := c.Exec(context.Background(), "ALTER TABLE "+pgx.Identifier{table}.Sanitize()+what); err != nil {
				t.Error(err)
			}
		}
	}
	each(" SET (autovacuum_enabled = off)")
	t.Cleanup(func() { each(" RESET (autovacuum_enabled)") })
}

// TestPoolers: the store works without prepared statements, which poolers that give each transaction
// another connection may not support.
func TestPoolers(t *testing.T) {
	for _, mode := range []string{"exec", "simple_protocol"} {
		t.Run(mode, func(t *testing.T) {
			s := mustOpen(t, postgrestest.Database(t)+"&default_query_exec_mode="+mode)
			doEverything(t, s)
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// doEverything calls every method of a store.
func doEverything(t *testing.T, s *postgres.Store) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	g := storagetest.Wordle
	location := game.Location{Guild: "g", Channel: "c"}
	play := func(m game.Match, players ...game.PlayerID) game.Match {
		c := storagetest.Change(m)
		c.Recent = game.RecentList{Name: "list" + string(m.Mode), Keep: 1}
		must(s.Commit(ctx, c))
		for i, p := range players {
			answer := g.Answers[i]
			if i == len(players)-1 {
				answer = m.State.Answer()
			}
			m = g.Guess(t, m, p, answer)
			storagetest.MustCommit(t, s, m)
		}
		return m
	}
	var solo game.Match
	for i := range 8 {
		play(g.Match(fmt.Sprint("m", i), location, "ana", g.Answers[5+i%2]), "ana", "ben")
		solo = play(storagetest.Personal(g.Match(fmt.Sprint("s", i), location, "ana", g.Answers[5+i%2]), i/4*i), "ana")
	}
	must(s.Commit(ctx, storagetest.Change(g.Match("open", location, "ana", g.Answers[0]))))
	must(s.Share(ctx, solo.ID, "c2"))
	must(s.SaveReview(ctx, solo, g.Review(50)))
	for _, f := range []game.Filter{
		{Community: "guild/g", Viewer: "ana"}, {Community: "guild/g", Viewer: "ben", From: 1}, {Community: "guild/g", Viewer: "ana", Player: "ana", Before: 9},
		{Viewer: "ana", Player: "ana"}, {Viewer: "ana", Player: "ana", From: 2},
		{Community: "guild/g", Viewer: "ana", Kind: game.Wordle, Status: game.Won, PlayedOut: true, Answer: "CRANE", Without: []game.ChannelID{"c9"}},
	} {
		f.Limit = 5
		_, err := s.History(ctx, f)
		must(err)
	}
	_, err := s.Load(ctx, solo.Slot())
	must(err)
	_, err = s.LoadSlots(ctx, []game.Slot{solo.Slot(), game.ChannelSlot(game.Wordle, "c")})
	must(err)
	_, _, err = s.Repeated(ctx, solo.Slot(), "r")
	must(err)
	_, err = s.Unfinished(ctx, game.Unfinished{}, 10)
	must(err)
	_, err = s.RecentAnswers(ctx, "list")
	must(err)
	_, _, err = s.Puzzle(ctx, game.Wordle, game.DailyPuzzle(1))
	must(err)
	_, err = s.Secret(ctx)
	must(err)
	_, err = s.Finished(ctx, solo.ID)
	must(err)
	_, _, err = s.Review(ctx, solo)
	must(err)
	_, err = s.Forgotten(ctx, "guild/g")
	must(err)
	_, err = s.Totals(ctx, game.Scope{Kind: game.Wordle, Guild: "g"}, "ana")
	must(err)
	_, err = s.Leaderboard(ctx, game.Scope{Kind: game.Wordle, Guild: "g"}, "ana", 10)
	must(err)
	_, err = s.Results(ctx, 0, 10)
	must(err)
	_, err = s.Session(ctx, "ana")
	must(err)
	must(s.CommitSession(ctx, storagetest.Session("ana", 1)))
	must(s.CommitSession(ctx, storagetest.Session("ana", 2)))
	must(s.SaveBoardMessage(ctx, solo.Slot(), game.BoardMessage{Match: solo.ID, Message: "1"}))
	_, _, err = s.BoardMessage(ctx, solo.Slot())
	must(err)
	must(s.Probe(ctx))
	must(s.SetCommandGuilds(ctx, []game.GuildID{"g"}))
	_, err = s.CommandGuilds(ctx)
	must(err)
	w, ok, err := s.TakeWork(ctx, "work", time.Minute)
	if must(err); !ok {
		t.Error("nobody has the work, and it cannot be taken")
	}
	must(s.EndWork(ctx, w, time.Minute))
	_, err = s.Forget(ctx, storagetest.Epoch)
	must(err)
	must(s.Clear(ctx, game.ClearRequest{Player: "ana", Request: "clear", At: storagetest.Epoch}))
	_, err = s.Forget(ctx, storagetest.Epoch.Add(time.Hour))
	must(err)
	must(s.Remove(ctx, time.Hour))
}
