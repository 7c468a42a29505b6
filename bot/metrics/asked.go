package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"fivefold/bot/admission"
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

// WatchStore shows figures of the store, which are asked for when the metrics are read.
// It must be called at most once.
func (m *Metrics) WatchStore(stats func() (StoreStats, error)) {
	size := prometheus.NewDesc(namespace+"_store_file_bytes", "The size of the store's file.", nil, nil)
	free := prometheus.NewDesc(namespace+"_store_free_pages", "Pages of the store's file that are free to be used again.", nil, nil)
	checked := prometheus.NewDesc(namespace+"_store_checked", "1 if the check of every record that goes on in the background has ended, otherwise 0.", nil, nil)
	problems := prometheus.NewDesc(namespace+"_store_problems", "Problems that the check of every record has found so far.", nil, nil)
	m.registry.MustRegister(collect{[]*prometheus.Desc{size, free, checked, problems}, func(show show) {
		s, err := stats()
		if err != nil {
			return // the file is gone; changes that are not saved are counted elsewhere
		}
		show(prometheus.GaugeValue, size, float64(s.FileBytes))
		show(prometheus.GaugeValue, free, float64(s.FreePages))
		ended := 0.0
		if s.Checked {
			ended = 1
		}
		show(prometheus.GaugeValue, checked, ended)
		show(prometheus.GaugeValue, problems, float64(s.Problems))
	}})
}

// WatchQueue implements [discord.Observer]. It must be called at most once.
func (m *Metrics) WatchQueue(stats func() admission.Stats) {
	inFlight := prometheus.NewDesc(namespace+"_queue_in_flight", "Interactions that are being worked on.", nil, nil)
	waiting := prometheus.NewDesc(namespace+"_queue_waiting", "Interactions that wait for others to end.", nil, nil)
	m.registry.MustRegister(collect{[]*prometheus.Desc{inFlight, waiting}, func(show show) {
		s := stats()
		show(prometheus.GaugeValue, inFlight, float64(s.InFlight))
		show(prometheus.GaugeValue, waiting, float64(s.Waiting))
	}})
}

// PermitStats are figures of the pool of permits for one cost of work.
type PermitStats struct {
	Cost    string // of a fixed set
	InUse   int
	Waiting int
	Refused uint64 // since the start
}

// WatchPermits shows the permits for work that costs CPU, which are asked for when the
// metrics are read. It must be called at most once.
func (m *Metrics) WatchPermits(stats func() []PermitStats) {
	inUse := prometheus.NewDesc(namespace+"_permits_in_use", "Permits that work of this cost holds.", []string{"cost"}, nil)
	waiting := prometheus.NewDesc(namespace+"_permits_waiting", "Pieces of work of this cost that wait for a permit.", []string{"cost"}, nil)
	refused := prometheus.NewDesc(namespace+"_permits_refused_total", "Pieces of work of this cost that got no permit, since too many waited for one or it took too long.", []string{"cost"}, nil)
	m.registry.MustRegister(collect{[]*prometheus.Desc{inUse, waiting, refused}, func(show show) {
		for _, s := range stats() {
			show(prometheus.GaugeValue, inUse, float64(s.InUse), s.Cost)
			show(prometheus.GaugeValue, waiting, float64(s.Waiting), s.Cost)
			show(prometheus.CounterValue, refused, float64(s.Refused), s.Cost)
		}
	}})
}

// show adds a figure to what is read.
type show func(kind prometheus.ValueType, d *prometheus.Desc, value float64, labels ...string)

// collect is a [prometheus.Collector] of figures that are read together.
type collect struct {
	descs []*prometheus.Desc
	read  func(show)
}

func (c collect) Describe(out chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		out <- d
	}
}

func (c collect) Collect(out chan<- prometheus.Metric) {
	c.read(func(kind prometheus.ValueType, d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, kind, value, labels...)
	})
}
