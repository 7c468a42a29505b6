package storage

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/storage/bolt"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/record"
	"fivefold/storage/storagetest"
)

// BenchmarkCopy copies a file of finished matches of two guesses each to PostgreSQL and back.
func BenchmarkCopy(b *testing.B) {
	for _, results := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint("results=", results), func(b *testing.B) {
			if testing.Short() && results > 10_000 {
				b.Skip("it takes minutes")
			}
			folder := b.TempDir()
			path := filepath.Join(folder, "0.db")
			mustWriteMatches(b, path, results)
			from := "bolt:" + path
			for b.Loop() {
				for i, to := range []string{postgrestest.Database(b), "bolt:" + filepath.Join(folder, fmt.Sprint(b.Elapsed().Nanoseconds(), ".db"))} {
					began := time.Now()
					done, err := Copy(b.Context(), from, to, CopyOptions{})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(done.Records)/time.Since(began).Seconds(), []string{"records/s-to-database", "records/s-to-file"}[i])
					from = to
				}
			}
		})
	}
}

// mustWriteMatches makes a file of finished matches as a copy makes one.
func mustWriteMatches(b *testing.B, path string, results int) {
	b.Helper()
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	codecs := record.All()
	target, err := bolt.OpenCopyTarget(path, codecs)
	must(err)
	number := func(n int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }
	g := storagetest.Wordle
	const guilds = 100
	base := g.Match("m", game.Location{Guild: "g", Channel: "c"}, "p", "crane")
	base = g.Guess(b, g.Guess(b, base, "p", "slate"), "p", "crane")
	base.Moves = []game.Move{base.Moves[0], base.Moves[1]}
	totals := map[string]game.Totals{}
	var rows []record.Row
	flush := func() {
		must(target.Write(b.Context(), rows, record.Mark{}))
		rows = rows[:0]
	}
	add := func(table record.Table, key, value []byte) {
		if rows = append(rows, record.Row{Table: table, Key: key, Value: value}); len(rows) >= batchRows {
			flush()
		}
	}
	add(record.TableMeta, []byte(record.MetaSecret), make([]byte, 32))
	add(record.TableMeta, []byte(record.MetaGiven), number(results))
	latest := map[string]string{}
	for i := range results {
		player := game.PlayerID(fmt.Sprint("player-", i%(results/10)))
		m := base
		m.ID = game.MatchID(fmt.Sprint(1_200_000_000_000_000_000 + i))
		m.Location = game.Location{Guild: game.GuildID(fmt.Sprint("g", i%guilds)), Channel: game.ChannelID(fmt.Sprint("c", i%1000))}
		m.Starter = player
		for n, move := range base.Moves {
			if n == 0 {
				m.Moves = nil
			}
			move.Player = player
			m.Moves = append(m.Moves, move)
		}
		data, err := codecs.EncodeMatch(m)
		must(err)
		add(record.TableMatches, []byte(m.ID), record.EncodeEntry([]game.RequestID{game.RequestID(m.ID), game.RequestID(m.ID + "1"), game.RequestID(m.ID + "2")}, data))
		latest[m.Slot().Key()] = string(m.ID)
		r := m.Result()
		data, err = record.EncodeResult(r)
		must(err)
		add(record.TableResults, number(i+1), append(number(i/guilds+1), data...))
		r.Number = uint64(i + 1)
		for _, scope := range r.Scopes() {
			key := string(record.TotalsKey(player, scope))
			totals[key] = totals[key].Add(r, r.Participants[0])
		}
	}
	for key, id := range latest {
		add(record.TableSlots, []byte(key), []byte(id))
	}
	for i := range min(guilds, results) {
		l := game.Location{Guild: game.GuildID(fmt.Sprint("g", i)), Channel: "c"}
		add(record.TableCommunities, []byte(l.Community()), number((results-i+guilds-1)/guilds))
	}
	for key, t := range totals {
		data, err := record.EncodeTotals(t)
		must(err)
		add(record.TableTotals, []byte(key), data)
	}
	flush()
	must(target.Finish(b.Context(), nil))
	must(target.Close())
}
