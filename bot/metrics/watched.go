package metrics

import (
	"fmt"

	"fivefold/bot/admission"
	"fivefold/solver/parallel"
)

// StoreStats are figures of the store.
type StoreStats struct {
	FileBytes int64
	FreePages int
	// Checked reports whether the check of every record in the background has ended, and
	// Problems is how many it has found so far.
	Checked  bool
	Problems int
}

// WatchStore shows figures of the store. It calls stats when the metrics are read.
func (m *Metrics) WatchStore(stats func() (StoreStats, error)) {
	m.watch(func() {
		s, err := stats()
		if err != nil {
			return // the file is gone; changes that are not saved are counted elsewhere
		}
		m.gauge("store_file_bytes").Set(float64(s.FileBytes))
		m.gauge("store_free_pages").Set(float64(s.FreePages))
		m.gauge("store_checked").Set(number(s.Checked))
		m.gauge("store_problems").Set(float64(s.Problems))
	})
}

// WatchQueue implements [discord.Observer].
func (m *Metrics) WatchQueue(stats func() admission.Stats) {
	m.watch(func() {
		s := stats()
		m.gauge("queue_in_flight").Set(float64(s.InFlight))
		m.gauge("queue_waiting").Set(float64(s.Waiting))
	})
}

// WatchPermits shows the permits for work that costs CPU.
func (m *Metrics) WatchPermits(p *parallel.Permits) {
	m.watch(func() {
		for cost, s := range p.Stats() {
			label := fmt.Sprintf("{cost=%q}", cost)
			m.gauge("permits_in_use" + label).Set(float64(s.InUse))
			m.gauge("permits_waiting" + label).Set(float64(s.Waiting))
			m.counter("permits_refused_total" + label).Set(s.Refused)
		}
	})
}

// watch calls set before metrics are read.
func (m *Metrics) watch(set func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.watched = append(m.watched, set)
}
