package metrics

import "github.com/prometheus/client_golang/prometheus"

// StoreStats are figures of the store.
type StoreStats struct {
	FileBytes int64
	FreePages int
}

// WatchStore shows figures of the store, which are asked for when the metrics are read.
// It must be called at most once.
func (m *Metrics) WatchStore(stats func() (StoreStats, error)) {
	size := prometheus.NewDesc(namespace+"_store_file_bytes", "The size of the store's file.", nil, nil)
	free := prometheus.NewDesc(namespace+"_store_free_pages", "Pages of the store's file that are free to be used again.", nil, nil)
	m.registry.MustRegister(collect{[]*prometheus.Desc{size, free}, func(show show) {
		s, err := stats()
		if err != nil {
			return // the file is gone; that it is not saved to is counted elsewhere
		}
		show(prometheus.GaugeValue, size, float64(s.FileBytes))
		show(prometheus.GaugeValue, free, float64(s.FreePages))
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
