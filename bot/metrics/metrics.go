// Package metrics counts what the bot does, in the form that Prometheus reads. The table in
// docs/operating.md says what each metric is.
//
// Every label has a small set of values, known in advance: commands of the table, outcomes, shards, classes of status. Typed
// text and identifiers of players never become label values.
package metrics

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"fivefold/bot/discord"
	"fivefold/bot/discord/endpoint"
)

// Metrics counts events of the Discord front and the store. Its methods are safe for concurrent use.
type Metrics struct {
	set      *metrics.Set
	commands map[string]bool

	mu     sync.Mutex   // protects shards
	shards map[int]bool // whether each shard is connected
}

var _ discord.Observer = (*Metrics)(nil)

// unknown is the label of a command that is not in the table, and of a status that HTTP does not have.
const unknown = "unknown"

// ageBuckets, in seconds, are finer where something happens: a response is deferred
// after 1.5 s, a request is dropped after 2.5 s, and Discord's own limit is 3 s.
var ageBuckets = []float64{.025, .05, .1, .25, .5, .75, 1, 1.5, 2, 2.5, 3, 5, 10, 30, 60}

// New returns metrics of a bot with these commands. Interactions of any other command
// are counted together.
func New(version string, commands []string) *Metrics {
	metrics.ExposeMetadata(true) // adds the type of each metric
	m := &Metrics{set: metrics.NewSet(), commands: map[string]bool{unknown: true}, shards: map[int]bool{}}
	m.gauge("gateway_identifies_remaining").Set(math.NaN()) // not known yet
	m.gauge(fmt.Sprintf("build_info{version=%q}", version)).Set(1)

	// Every series exists from the start, so that an alert rule sees its first increase.
	m.counter("store_not_saved_total")
	m.counter("backup_failures_total")
	for _, name := range []string{"last_success_timestamp_seconds", "last_bytes", "last_duration_seconds", "interval_seconds"} {
		m.gauge("backup_" + name)
	}
	for _, c := range append(commands, unknown) {
		m.commands[c] = true
		for _, o := range outcomes {
			m.interactions(c, o)
		}
	}
	for _, why := range endpoint.Refusals {
		m.refused(why)
	}
	for _, s := range statuses {
		m.responses(s)
	}
	return m
}

var (
	commitBuckets  = metrics.ExponentialBuckets(.00025, 2, 16)
	changesBuckets = metrics.ExponentialBuckets(1, 2, 10)

	outcomes = []discord.Outcome{discord.Answered, discord.Failed, discord.Busy, discord.Expired, discord.NotDelivered, discord.Superseded}
	statuses = []string{"2xx", "3xx", "401", "403", "404", "429", "4xx", "5xx", unknown}
)

// gauge, counter and histogram return the metric of this name and labels, and make it on the first call.
func (m *Metrics) gauge(name string) *metrics.Gauge {
	return m.set.GetOrCreateGauge("fivefold_"+name, nil)
}

func (m *Metrics) counter(name string) *metrics.Counter {
	return m.set.GetOrCreateCounter("fivefold_" + name)
}

func (m *Metrics) histogram(name string, buckets []float64) *metrics.PrometheusHistogram {
	return m.set.GetOrCreatePrometheusHistogramExt("fivefold_"+name, buckets)
}

func (m *Metrics) interactions(command string, o discord.Outcome) *metrics.Counter {
	return m.counter(fmt.Sprintf("interactions_total{command=%q,outcome=%q}", command, o))
}

func (m *Metrics) refused(why string) *metrics.Counter {
	return m.counter(fmt.Sprintf("http_refused_total{reason=%q}", why))
}

func (m *Metrics) responses(status string) *metrics.Counter {
	return m.counter(fmt.Sprintf("discord_responses_total{status=%q}", status))
}

// ofShard returns the name of a shard's metric.
func ofShard(name string, shard int) string {
	return fmt.Sprintf(`gateway_%s{shard="%d"}`, name, shard)
}

// Handler serves our metrics, and those of the Go runtime and the process.
func (m *Metrics) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		m.set.WritePrometheus(w)
		metrics.WriteProcessMetrics(w)
	})
}

// Begun implements [discord.Observer].
func (m *Metrics) Begun(_ string, age time.Duration) {
	m.histogram("interaction_start_age_seconds", ageBuckets).Update(seconds(age))
}

// Ended implements [discord.Observer].
func (m *Metrics) Ended(command string, outcome discord.Outcome, age time.Duration) {
	if !m.commands[command] {
		command = unknown
	}
	m.interactions(command, outcome).Inc()
	switch outcome {
	case discord.Answered, discord.Failed, discord.Busy:
		m.histogram(fmt.Sprintf("interaction_answer_age_seconds{command=%q}", command), ageBuckets).Update(seconds(age))
	}
}

// seconds is never negative. If our clock is behind Discord's, a request seems to come from the future.
func seconds(d time.Duration) float64 { return max(0, d.Seconds()) }

// GatewayChanged implements [discord.Observer].
func (m *Metrics) GatewayChanged(shard int, connected bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	connections := m.counter(ofShard("connections_total", shard))
	if connected && !m.shards[shard] {
		connections.Inc()
	}
	m.shards[shard] = connected
	m.gauge(ofShard("connected", shard)).Set(number(connected))
}

// number is 1 for true and 0 for false.
func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Connected reports whether every known shard is connected. It returns false if no shard is known.
func (m *Metrics) Connected() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, connected := range m.shards {
		if !connected {
			return false
		}
	}
	return len(m.shards) > 0
}

// Identified implements [discord.Observer].
func (m *Metrics) Identified(shard, remaining int) {
	m.counter(ofShard("identifies_total", shard)).Inc()
	if remaining >= 0 {
		m.gauge("gateway_identifies_remaining").Set(float64(remaining))
	}
}

// Refused implements [discord.Observer].
func (m *Metrics) Refused(why string) { m.refused(why).Inc() }

// Responded implements [discord.Observer].
func (m *Metrics) Responded(status int) { m.responses(statusLabel(status)).Inc() }

func statusLabel(status int) string {
	switch {
	case status == 401, status == 403, status == 404, status == 429:
		return strconv.Itoa(status)
	case status >= 200 && status < 600:
		return strconv.Itoa(status/100) + "xx"
	}
	return unknown
}

// Committed notes a transaction that is on the disk.
func (m *Metrics) Committed(changes int, took time.Duration) {
	m.histogram("store_commit_seconds", commitBuckets).Update(took.Seconds())
	m.histogram("store_commit_changes", changesBuckets).Update(float64(changes))
}

// NotSaved notes a change that could not be saved.
func (m *Metrics) NotSaved(error) { m.counter("store_not_saved_total").Inc() }

// BackedUp notes a complete copy of the store. took is 0 for a copy that was there already.
func (m *Metrics) BackedUp(at time.Time, bytes int64, took time.Duration) {
	m.gauge("backup_last_success_timestamp_seconds").Set(float64(at.Unix()))
	m.gauge("backup_last_bytes").Set(float64(bytes))
	m.gauge("backup_last_duration_seconds").Set(took.Seconds())
}

// BackUpEvery notes how often a copy of the store is to be made.
func (m *Metrics) BackUpEvery(d time.Duration) { m.gauge("backup_interval_seconds").Set(d.Seconds()) }

// BackupFailed notes a copy of the store that could not be made.
func (m *Metrics) BackupFailed() { m.counter("backup_failures_total").Inc() }
