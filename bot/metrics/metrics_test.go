package metrics

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"fivefold/bot/admission"
	"fivefold/bot/discord"
	"fivefold/solver/parallel"
)

// read returns the metrics as Prometheus gets them.
func read(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), "GET", "/metrics", nil))
	b, err := io.ReadAll(w.Result().Body)
	if err != nil || w.Code != 200 {
		t.Fatalf("status %d, %v", w.Code, err)
	}
	return string(b)
}

// wantLines checks that the metrics have these lines.
func wantLines(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if !strings.Contains("\n"+text, "\n"+l+"\n") {
			t.Errorf("no line %s in\n%s", l, text)
		}
	}
}

func TestMetrics(t *testing.T) {
	m := New("1.2.3", []string{"guess", "wordle start"})
	m.WatchStore(func() (StoreStats, error) {
		return StoreStats{FileBytes: 4096, FreePages: 3, Checked: true, Problems: 2}, nil
	})
	m.WatchQueue(func() admission.Stats { return admission.Stats{InFlight: 4, Waiting: 9} })
	permits := parallel.NewPermits(4)
	m.WatchPermits(permits)
	if _, err := permits.Acquire(t.Context(), parallel.Search); err != nil {
		t.Fatal(err)
	}
	wantLines(t, read(t, m), `fivefold_interactions_total{command="guess",outcome="busy"} 0`, `fivefold_discord_responses_total{status="429"} 0`,
		`fivefold_gateway_identifies_remaining NaN`) // which is below no limit

	m.Begun("guess", 300*time.Millisecond)
	m.Begun("guess", -time.Second)
	m.Ended("guess", discord.Answered, 700*time.Millisecond)
	m.Ended("guess", discord.Expired, 3*time.Second)
	m.Ended("wordle start", discord.NotDelivered, time.Second)
	m.Ended("dance", discord.Busy, time.Second)
	m.GatewayChanged(0, true)
	m.GatewayChanged(1, false)
	m.Identified(0, 998)
	m.Identified(0, -1)
	for _, status := range []int{200, 204, 401, 404, 400, 429, 502, 0, 777} {
		m.Responded(status)
	}
	m.Committed(3, 2*time.Millisecond)
	m.NotSaved(errors.New("no space"))
	m.BackedUp(time.Unix(1_800_000_000, 0), 1234, 2*time.Second)
	m.BackupFailed()
	m.BackUpEvery(90 * time.Minute)
	wantLines(t, read(t, m),
		`fivefold_build_info{version="1.2.3"} 1`,
		`fivefold_interactions_total{command="guess",outcome="answered"} 1`,
		`fivefold_interactions_total{command="guess",outcome="expired"} 1`,
		`fivefold_interactions_total{command="wordle start",outcome="not_delivered"} 1`,
		`fivefold_interactions_total{command="unknown",outcome="busy"} 1`,
		`fivefold_interaction_start_age_seconds_bucket{le="0.025"} 1`,
		`fivefold_interaction_start_age_seconds_bucket{le="0.5"} 2`,
		`fivefold_interaction_answer_age_seconds_count{command="guess"} 1`,
		`fivefold_interaction_answer_age_seconds_sum{command="unknown"} 1`,
		`fivefold_gateway_connected{shard="0"} 1`,
		`fivefold_gateway_connected{shard="1"} 0`,
		`fivefold_gateway_connections_total{shard="0"} 1`,
		`fivefold_gateway_connections_total{shard="1"} 0`,
		`fivefold_gateway_identifies_total{shard="0"} 2`,
		`fivefold_gateway_identifies_remaining 998`,
		`fivefold_discord_responses_total{status="2xx"} 2`,
		`fivefold_discord_responses_total{status="401"} 1`,
		`fivefold_discord_responses_total{status="404"} 1`,
		`fivefold_discord_responses_total{status="4xx"} 1`,
		`fivefold_discord_responses_total{status="429"} 1`,
		`fivefold_discord_responses_total{status="5xx"} 1`,
		`fivefold_discord_responses_total{status="unknown"} 2`,
		`fivefold_store_commit_seconds_count 1`,
		`fivefold_store_commit_changes_sum 3`,
		`fivefold_store_not_saved_total 1`,
		`fivefold_store_file_bytes 4096`,
		`fivefold_store_free_pages 3`,
		`fivefold_store_checked 1`,
		`fivefold_store_problems 2`,
		`fivefold_queue_in_flight 4`,
		`fivefold_queue_waiting 9`,
		`fivefold_permits_in_use{cost="search"} 1`,
		`fivefold_permits_waiting{cost="search"} 0`,
		`fivefold_permits_refused_total{cost="search"} 0`,
		`fivefold_backup_last_success_timestamp_seconds 1800000000`,
		`fivefold_backup_last_bytes 1234`,
		`fivefold_backup_last_duration_seconds 2`,
		`fivefold_backup_failures_total 1`,
		`fivefold_backup_interval_seconds 5400`,
	)
	if text := read(t, m); strings.Contains(text, "dance") {
		t.Error("a command that is not in the table is a label")
	}
}

// TestLabelsAreBounded: whatever the methods are called with, there are no more series.
func TestLabelsAreBounded(t *testing.T) {
	m := New("1.2.3", []string{"guess"})
	series := func() int { return strings.Count(read(t, m), "\nfivefold_") }
	m.Begun("first", 0)
	m.Ended("first", discord.Answered, 0)
	m.Responded(200)
	before := series()
	for i := range 1000 {
		name := strings.Repeat("x", i)
		m.Begun(name, 0)
		m.Ended(name, discord.Answered, 0)
		m.Responded(i)
	}
	if after := series(); after != before {
		t.Errorf("%d series before, %d after", before, after)
	}
}

// TestConnected: the bot is connected if all of its shards are.
func TestConnected(t *testing.T) {
	m := New("1.2.3", nil)
	for i, step := range []struct {
		shard     int
		up, after bool
	}{{0, false, false}, {0, true, true}, {1, false, false}, {1, true, true}, {0, false, false}, {0, true, true}} {
		m.GatewayChanged(step.shard, step.up)
		if got := m.Connected(); got != step.after {
			t.Errorf("after step %d: %v, want %v", i, got, step.after)
		}
	}
	wantLines(t, read(t, m), `fivefold_gateway_connections_total{shard="0"} 2`)
	if New("1.2.3", nil).Connected() {
		t.Error("connected before anything was heard of a shard")
	}
}
