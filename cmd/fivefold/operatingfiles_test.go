package main

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"fivefold/bot/admission"
	"fivefold/bot/discord"
	"fivefold/bot/metrics"
	"fivefold/cmd/fivefold/cli"
)

// metricLabels returns the names of all metrics with their labels.
func metricLabels(t *testing.T) map[string]map[string]bool {
	t.Helper()
	m := metrics.New(version, []string{"guess"})
	m.WatchStore(func() (metrics.StoreStats, error) { return metrics.StoreStats{}, nil })
	m.WatchPermits(func() []metrics.PermitStats { return []metrics.PermitStats{{Cost: "search"}} })
	m.Ended("guess", discord.Answered, time.Second) // a metric with labels is shown once it has a value
	m.GatewayChanged(0, true)
	m.Identified(0, 1000)
	m.WatchQueue(func() admission.Stats { return admission.Stats{} })
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	all := map[string]map[string]bool{}
	for line := range strings.Lines(w.Body.String()) {
		match := regexp.MustCompile(`^([a-z_]+)(?:\{(.*)\})? `).FindStringSubmatch(line)
		if match == nil || strings.HasPrefix(line, "#") {
			continue
		}
		labels := map[string]bool{"job": true, "instance": true} // Prometheus adds them
		for _, label := range regexp.MustCompile(`([a-z]+)="`).FindAllStringSubmatch(match[2], -1) {
			labels[label[1]] = true
		}
		all[match[1]] = labels
	}
	if len(all) < 40 {
		t.Fatalf("only %d metrics", len(all))
	}
	return all
}

// metricNames finds metrics of ours and of Go's in an expression or a text, with what follows in braces.
var metricNames = regexp.MustCompile(`\b((?:fivefold|go|process)_[a-z_]+)(\{[^}]*\})?`)

// histogramName returns a metric's name without what a histogram adds to it.
func histogramName(name string) string {
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// TestMetricsInDocuments: the alerts, the dashboard and docs/operating.md name no metric or label that
// does not exist; the dashboard and the document have every metric of ours.
func TestMetricsInDocuments(t *testing.T) {
	all := metricLabels(t)
	known := map[string]bool{}
	for name := range all {
		known[name], known[histogramName(name)] = true, true
	}
	for file, complete := range map[string]bool{"docs/operating.md": true, "docs/operating/dashboard.json": true, "docs/operating/alerts.yml": false} {
		text := strings.ReplaceAll(mustRead(t, "../../"+file), `\"`, `"`)
		named := map[string]bool{}
		for _, match := range metricNames.FindAllStringSubmatch(text, -1) {
			name := match[1]
			if named[histogramName(name)] = true; !known[name] {
				t.Errorf("%s: there is no metric %s", file, name)
			}
			for _, label := range regexp.MustCompile(`([a-z]+)(?:=|!|=~)"`).FindAllStringSubmatch(match[2], -1) {
				if !all[name][label[1]] {
					t.Errorf("%s: %s has no label %s", file, name, label[1])
				}
			}
		}
		if len(named) < 8 {
			t.Errorf("%s names %d metrics", file, len(named))
		}
		for name := range all {
			if complete && strings.HasPrefix(name, "fivefold_") && !named[histogramName(name)] {
				t.Errorf("%s does not have %s", file, name)
			}
		}
	}
	if !json.Valid([]byte(mustRead(t, "../../docs/operating/dashboard.json"))) {
		t.Error("the dashboard is not JSON")
	}
	if err := yaml.Unmarshal([]byte(mustRead(t, "../../docs/operating/alerts.yml")), new(any)); err != nil {
		t.Error(err)
	}
}

// TestUnit: what the service file says of exit codes is what they mean.
func TestUnit(t *testing.T) {
	unit := mustRead(t, "../../docs/operating/fivefold.service")
	for _, want := range []string{
		"Type=notify", "Restart=on-failure", fmt.Sprint("RestartPreventExitStatus=", cli.ExitWrongUse), fmt.Sprint("RestartForceExitStatus=", cli.ExitRestart),
	} {
		if !strings.Contains(unit, "\n"+want+"\n") {
			t.Errorf("it does not say %s", want)
		}
	}
}
