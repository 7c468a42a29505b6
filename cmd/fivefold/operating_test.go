package main

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"fivefold/bot/admission"
	"fivefold/bot/discord"
	"fivefold/bot/metrics"
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

// aggregation finds what adds up series, with the labels that stay.
var aggregation = regexp.MustCompile(`\b(?:sum|min|max|avg|count)\b(?: by \(([^)]*)\))?`)

// checkExpression checks that every metric in an expression exists and has the labels
// that are asked for, and that its result says which of several bots it is about.
func checkExpression(t *testing.T, all map[string]map[string]bool, where, expr string, named map[string]bool) {
	t.Helper()
	for _, match := range aggregation.FindAllStringSubmatch(expr, -1) {
		if !slices.Contains(strings.Split(match[1], ", "), "instance") {
			t.Errorf("%s: %q loses the instance", where, match[0])
		}
	}
	for _, match := range metricNames.FindAllStringSubmatch(expr, -1) {
		name := match[1]
		labels, ok := all[name]
		if !ok {
			t.Errorf("%s: there is no metric %s", where, name)
			continue
		}
		named[name] = true
		for _, label := range regexp.MustCompile(`([a-z]+)(?:=|!|=~)"`).FindAllStringSubmatch(match[2], -1) {
			if !labels[label[1]] {
				t.Errorf("%s: %s has no label %s", where, name, label[1])
			}
		}
	}
}

// TestAlerts: the rules have the fields that Prometheus wants, and name metrics that exist.
func TestAlerts(t *testing.T) {
	text, err := os.ReadFile("../../docs/operating/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert       string
				Expr        string
				For         string
				Labels      map[string]string
				Annotations map[string]string
			}
		}
	}
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		t.Fatal(err)
	}
	all, named := metricLabels(t), map[string]bool{}
	seen, exprs := map[string]bool{}, map[string]string{}
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			if seen[r.Alert] || !regexp.MustCompile(`^Fivefold[A-Z]\w+$`).MatchString(r.Alert) {
				t.Errorf("the name %q", r.Alert)
			}
			seen[r.Alert], exprs[r.Alert] = true, r.Expr
			checkExpression(t, all, r.Alert, r.Expr, named)
			if _, err := time.ParseDuration(r.For); r.For != "" && err != nil {
				t.Errorf("%s: %v", r.Alert, err)
			}
			if s := r.Labels["severity"]; s != "page" && s != "ticket" {
				t.Errorf("%s has the severity %q", r.Alert, s)
			}
			if r.Annotations["summary"] == "" || r.Annotations["action"] == "" {
				t.Errorf("%s does not say what is wrong and what to do", r.Alert)
			}
		}
	}
	if expr := exprs["FivefoldBackupOld"]; !strings.Contains(expr, "> 2 * fivefold_backup_interval_seconds") {
		t.Errorf("FivefoldBackupOld does not follow the setting: %s", expr)
	}
	if len(seen) < 10 || len(named) < 8 {
		t.Errorf("%d alerts with %d metrics", len(seen), len(named))
	}
}

// TestDashboard: it can be read, and shows every metric of ours, and none that does not
// exist.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("../../docs/operating/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			ID      int
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	all, named := metricLabels(t), map[string]bool{}
	ids, taken := map[int]bool{}, map[[2]int]string{}
	for _, p := range dashboard.Panels {
		if p.Title == "" || len(p.Targets) == 0 || ids[p.ID] {
			t.Errorf("panel %d %q has %d targets", p.ID, p.Title, len(p.Targets))
		}
		ids[p.ID] = true
		for _, target := range p.Targets {
			checkExpression(t, all, p.Title, target.Expr, named)
			if strings.Count(target.Expr, "{") != strings.Count(target.Expr, `{job="$job",instance=~"$instance"`) {
				t.Errorf("%s shows every job, or every bot", p.Title)
			}
			if !strings.Contains(target.LegendFormat, "{{instance}}") {
				t.Errorf("%s does not name the bot: %q", p.Title, target.LegendFormat)
			}
		}
		for x := range p.GridPos.W {
			for y := range p.GridPos.H {
				at := [2]int{p.GridPos.X + x, p.GridPos.Y + y}
				if other := taken[at]; other != "" || at[0] >= 24 {
					t.Fatalf("%s and %s overlap, or leave the page", p.Title, other)
				}
				taken[at] = p.Title
			}
		}
	}
	missing := map[string]bool{}
	for name := range all {
		if base := histogramName(name); strings.HasPrefix(name, "fivefold_") && !named[base+"_bucket"] && !named[base+"_sum"] && !named[name] {
			missing[base] = true
		}
	}
	for name := range missing {
		t.Errorf("it does not show %s", name)
	}
}

// histogramName returns a metric's name without what a histogram adds to it.
func histogramName(name string) string {
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// TestMetricsAreDocumented: docs/operating.md has a row for each metric of ours, and names
// none that does not exist.
func TestMetricsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	all := metricLabels(t)
	known := map[string]bool{}
	for name := range all {
		base := histogramName(name)
		if known[base] = true; strings.HasPrefix(name, "fivefold_") && !strings.Contains(string(text), "| `"+base+"` |") {
			t.Errorf("there is no row for %s", base)
		}
	}
	for _, match := range regexp.MustCompile("`(fivefold_[a-z_]+)`").FindAllStringSubmatch(string(text), -1) {
		if !known[match[1]] {
			t.Errorf("there is no metric %s", match[1])
		}
	}
}

// TestUnit: what the service file says of exit codes is what they mean.
func TestUnit(t *testing.T) {
	unit, err := os.ReadFile("../../docs/operating/fivefold.service")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Type=notify", "Restart=on-failure", fmt.Sprint("RestartPreventExitStatus=", exitWrongUse), fmt.Sprint("RestartForceExitStatus=", exitRestart),
	} {
		if !strings.Contains(string(unit), "\n"+want+"\n") {
			t.Errorf("it does not say %s", want)
		}
	}
}
