// Package metrics counts what the bot does, in the form that Prometheus reads.
//
// Every label has a small set of values, known in advance: commands of the table, outcomes,
// shards, classes of status. Nothing that a player typed, and nobody's identifier, can
// become one.
package metrics

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"fivefold/bot/discord"
)

// Metrics is what is counted. It observes the Discord front and the store. Its methods
// are safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	commands map[string]bool

	interactions *prometheus.CounterVec
	startAge     prometheus.Histogram
	answerAge    *prometheus.HistogramVec

	connected      *prometheus.GaugeVec
	connections    *prometheus.CounterVec
	identifies     *prometheus.CounterVec
	identifiesLeft prometheus.Gauge
	responses      *prometheus.CounterVec
	refused        *prometheus.CounterVec

	commitSeconds prometheus.Histogram
	commitChanges prometheus.Histogram
	notSaved      prometheus.Counter

	backupTime     prometheus.Gauge
	backupBytes    prometheus.Gauge
	backupSeconds  prometheus.Gauge
	backupFailures prometheus.Counter
	backupEvery    prometheus.Gauge

	mu     sync.Mutex   // protects shards
	shards map[int]bool // whether each is connected
}

var _ discord.Observer = (*Metrics)(nil)

// namespace begins the name of every metric of ours.
const namespace = "fivefold"

// unknown is the label of a command that is not in the table, and of a status that is none.
const unknown = "unknown"

// ageBuckets, in seconds, are finer where something happens: a response is deferred
// after 1.5 s, a request is dropped after 2.5 s, and Discord's own limit is 3 s.
var ageBuckets = []float64{.025, .05, .1, .25, .5, .75, 1, 1.5, 2, 2.5, 3, 5, 10, 30, 60}

// New returns metrics of a bot with these commands. Interactions of any other command
// are counted together.
func New(version string, commands []string) *Metrics {
	r := prometheus.NewRegistry()
	f := promauto.With(r)
	counter := func(name, help string) prometheus.CounterOpts {
		return prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}
	}
	gauge := func(name, help string) prometheus.GaugeOpts {
		return prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}
	}
	histogram := func(name, help string, buckets []float64) prometheus.HistogramOpts {
		return prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}
	}
	m := &Metrics{
		registry: r,
		commands: map[string]bool{},
		shards:   map[int]bool{},

		interactions: f.NewCounterVec(counter("interactions_total",
			"Interactions that have ended, by command and outcome."), []string{"command", "outcome"}),
		startAge: f.NewHistogram(histogram("interaction_start_age_seconds",
			"Time from when a player sent an interaction until work on it began.", ageBuckets)),
		answerAge: f.NewHistogramVec(histogram("interaction_answer_age_seconds",
			"Time from when a player sent an interaction until Discord had the answer.", ageBuckets), []string{"command"}),

		connected: f.NewGaugeVec(gauge("gateway_connected",
			"1 if the shard is connected to Discord, otherwise 0."), []string{"shard"}),
		connections: f.NewCounterVec(counter("gateway_connections_total",
			"How often the shard has connected to Discord."), []string{"shard"}),
		identifies: f.NewCounterVec(counter("gateway_identifies_total",
			"How often the shard has begun a new session."), []string{"shard"}),
		identifiesLeft: f.NewGauge(gauge("gateway_identifies_remaining",
			"How many more sessions Discord allows today, said when the last one was begun; NaN if it has not said so.")),
		responses: f.NewCounterVec(counter("discord_responses_total",
			"Responses to REST calls by status: 401, 403, 404, 429, or the class of any other."), []string{"status"}),
		refused: f.NewCounterVec(counter("http_refused_total",
			"Requests by HTTP that were refused before they were interactions, by reason: a wrong signature, a wrong time, or a body that is none."), []string{"reason"}),

		commitSeconds: f.NewHistogram(histogram("store_commit_seconds",
			"How long a transaction took until it was on the disk.", prometheus.ExponentialBuckets(.00025, 2, 16))),
		commitChanges: f.NewHistogram(histogram("store_commit_changes",
			"How many changes a transaction had.", prometheus.ExponentialBuckets(1, 2, 10))),
		notSaved: f.NewCounter(counter("store_not_saved_total",
			"Changes that could not be saved.")),

		backupTime: f.NewGauge(gauge("backup_last_success_timestamp_seconds",
			"When the newest scheduled copy of the store was made, in Unix time; 0 if there is none.")),
		backupBytes: f.NewGauge(gauge("backup_last_bytes",
			"The size of the newest scheduled copy.")),
		backupSeconds: f.NewGauge(gauge("backup_last_duration_seconds",
			"How long the newest scheduled copy took; 0 if an earlier process made it.")),
		backupFailures: f.NewCounter(counter("backup_failures_total",
			"Scheduled copies that could not be made.")),
		backupEvery: f.NewGauge(gauge("backup_interval_seconds",
			"How often a scheduled copy is to be made; 0 if none is.")),
	}
	m.identifiesLeft.Set(math.NaN()) // not known yet
	build := gauge("build_info", "Always 1; the version is a label.")
	build.ConstLabels = prometheus.Labels{"version": version}
	f.NewGauge(build).Set(1)
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))

	// A series that is there from the start lets a rule see its first increase.
	for _, c := range append(commands, unknown) {
		m.commands[c] = true
		for _, o := range outcomes {
			m.interactions.WithLabelValues(c, string(o))
		}
	}
	for _, why := range discord.Refusals {
		m.refused.WithLabelValues(why)
	}
	for _, s := range statuses {
		m.responses.WithLabelValues(s)
	}
	return m
}

var (
	outcomes = []discord.Outcome{discord.Answered, discord.Failed, discord.Busy, discord.Expired, discord.NotDelivered, discord.Superseded}
	statuses = []string{"2xx", "3xx", "401", "403", "404", "429", "4xx", "5xx", unknown}
)

// Handler serves the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

func (m *Metrics) command(name string) string {
	if m.commands[name] {
		return name
	}
	return unknown
}

// Begun implements [discord.Observer].
func (m *Metrics) Begun(_ string, age time.Duration) { m.startAge.Observe(seconds(age)) }

// Ended implements [discord.Observer].
func (m *Metrics) Ended(command string, outcome discord.Outcome, age time.Duration) {
	command = m.command(command)
	m.interactions.WithLabelValues(command, string(outcome)).Inc()
	switch outcome {
	case discord.Answered, discord.Failed, discord.Busy:
		m.answerAge.WithLabelValues(command).Observe(seconds(age))
	}
}

// seconds is never negative: by a clock that is behind Discord's, a request comes from
// the future.
func seconds(d time.Duration) float64 { return max(0, d.Seconds()) }

// GatewayChanged implements [discord.Observer].
func (m *Metrics) GatewayChanged(shard int, connected bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	label := strconv.Itoa(shard)
	connections, state := m.connections.WithLabelValues(label), m.connected.WithLabelValues(label)
	if connected && !m.shards[shard] {
		connections.Inc()
	}
	m.shards[shard] = connected
	if connected {
		state.Set(1)
	} else {
		state.Set(0)
	}
}

// Connected reports whether every known shard is connected; it is false if none is known.
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
	m.identifies.WithLabelValues(strconv.Itoa(shard)).Inc()
	if remaining >= 0 {
		m.identifiesLeft.Set(float64(remaining))
	}
}

// Refused implements [discord.Observer].
func (m *Metrics) Refused(why string) { m.refused.WithLabelValues(why).Inc() }

// Responded implements [discord.Observer].
func (m *Metrics) Responded(status int) { m.responses.WithLabelValues(statusLabel(status)).Inc() }

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
	m.commitSeconds.Observe(took.Seconds())
	m.commitChanges.Observe(float64(changes))
}

// NotSaved notes a change that could not be saved.
func (m *Metrics) NotSaved(error) { m.notSaved.Inc() }

// BackedUp notes a copy of the store that is whole. Took is 0 if the copy was found and not
// made.
func (m *Metrics) BackedUp(at time.Time, bytes int64, took time.Duration) {
	m.backupTime.Set(float64(at.Unix()))
	m.backupBytes.Set(float64(bytes))
	m.backupSeconds.Set(took.Seconds())
}

// BackUpEvery notes how often a copy of the store is to be made.
func (m *Metrics) BackUpEvery(d time.Duration) { m.backupEvery.Set(d.Seconds()) }

// BackupFailed notes a copy of the store that could not be made.
func (m *Metrics) BackupFailed() { m.backupFailures.Inc() }
