package metrics

import (
	"fmt"
	"io"

	"github.com/VictoriaMetrics/metrics"

	"fivefold/bot/admission"
	"fivefold/solver/parallel"
)

// StoreStats are figures of the store.
type StoreStats struct {
	FileBytes int64
	FreePages int
	// Checked reports whether the background check of all records has ended. Problems is how many faults it has found so far.
	Checked  bool
	Problems int
}

// WatchStore shows figures of the store. It calls stats when the metrics are read.
func (m *Metrics) WatchStore(stats func() (StoreStats, error)) {
	m.set.RegisterMetricsWriter(func(w io.Writer) {
		s, err := stats()
		if err != nil {
			return // the file is gone; changes that are not saved are counted elsewhere
		}
		metrics.WriteGaugeUint64(w, "fivefold_store_file_bytes", uint64(s.FileBytes))
		metrics.WriteGaugeUint64(w, "fivefold_store_free_pages", uint64(s.FreePages))
		metrics.WriteGaugeFloat64(w, "fivefold_store_checked", number(s.Checked))
		metrics.WriteGaugeUint64(w, "fivefold_store_problems", uint64(s.Problems))
	})
}

// WatchQueue implements [discord.Observer].
func (m *Metrics) WatchQueue(stats func() admission.Stats) {
	m.set.RegisterMetricsWriter(func(w io.Writer) {
		s := stats()
		metrics.WriteGaugeUint64(w, "fivefold_queue_in_flight", uint64(s.InFlight))
		metrics.WriteGaugeUint64(w, "fivefold_queue_waiting", uint64(s.Waiting))
	})
}

// WatchPermits shows the permits for work that costs CPU.
func (m *Metrics) WatchPermits(p *parallel.Permits) {
	m.set.RegisterMetricsWriter(func(w io.Writer) {
		stats := p.Stats()
		write := func(name, kind string, of func(parallel.Stats) uint64) {
			metrics.WriteMetadataIfNeeded(w, name, kind)
			for cost, s := range stats {
				fmt.Fprintf(w, "%s{cost=%q} %d\n", name, cost, of(s))
			}
		}
		write("fivefold_permits_in_use", "gauge", func(s parallel.Stats) uint64 { return uint64(s.InUse) })
		write("fivefold_permits_waiting", "gauge", func(s parallel.Stats) uint64 { return uint64(s.Waiting) })
		write("fivefold_permits_refused_total", "counter", func(s parallel.Stats) uint64 { return s.Refused })
	})
}
