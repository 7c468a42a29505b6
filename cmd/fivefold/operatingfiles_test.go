package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"fivefold/bot/admin"
	"fivefold/bot/admission"
	"fivefold/bot/discord"
	"fivefold/bot/metrics"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/solver/parallel"
)

func mustRead(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestMetricsInDocuments: the alerts, the dashboard and docs/operating.md name no metric that does not
// exist; the dashboard and the document have every metric of ours.
func TestMetricsInDocuments(t *testing.T) {
	m := metrics.New(version, []string{"guess"})
	m.WatchStore(func() (metrics.StoreStats, error) { return metrics.StoreStats{}, nil })
	m.WatchPermits(parallel.NewPermits(0))
	m.Begun("guess", time.Second)
	m.Committed(1, time.Second)
	m.Ended("guess", discord.Answered, time.Second) // a metric with labels is shown once it has a value
	m.GatewayChanged(0, true)
	m.Identified(0, 1000)
	m.WatchQueue(func() admission.Stats { return admission.Stats{} })
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	// A histogram has three names, which its own begins.
	names := regexp.MustCompile(`\b(?:fivefold|go|process)_[a-z_]+?(?:(?:_bucket|_sum|_count)?\b)`)
	own := func(name string) string { return regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "") }
	known := map[string]bool{}
	for line := range strings.Lines(w.Body.String()) {
		if name := names.FindString(line); strings.HasPrefix(line, name) {
			known[own(name)] = true
		}
	}
	if len(known) < 30 {
		t.Fatalf("only %d metrics", len(known))
	}
	for file, complete := range map[string]bool{"docs/operating.md": true, "docs/operating/dashboard.json": true, "docs/operating/alerts.yml": false} {
		named := map[string]bool{}
		for _, name := range names.FindAllString(mustRead(t, "../../"+file), -1) {
			if named[own(name)] = true; !known[own(name)] {
				t.Errorf("%s: there is no metric %s", file, name)
			}
		}
		for name := range known {
			if complete && strings.HasPrefix(name, "fivefold_") && !named[name] {
				t.Errorf("%s does not have %s", file, name)
			}
		}
	}
	if !json.Valid([]byte(mustRead(t, "../../docs/operating/dashboard.json"))) {
		t.Error("the dashboard is not JSON")
	}
}

// TestUnit: what the service file says of exit codes is what they mean.
func TestUnit(t *testing.T) {
	unit := mustRead(t, "../../docs/operating/fivefold.service")
	for _, want := range []string{fmt.Sprint("RestartPreventExitStatus=", cli.ExitWrongUse), fmt.Sprint("RestartForceExitStatus=", cli.ExitRestart)} {
		if !strings.Contains(unit, "\n"+want+"\n") {
			t.Errorf("it does not say %s", want)
		}
	}
}

// TestOperatingFiles: the files for many bots are YAML, of this release, and have settings, commands
// and probes that there are.
func TestOperatingFiles(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"docs/operating/compose.yaml", "docs/operating/kubernetes.yaml", "docs/operating/alerts.yml", "docs/operating/Caddyfile", ".env.example"} {
		files[name] = mustRead(t, "../../"+name)
		for decoder := yaml.NewDecoder(strings.NewReader(files[name])); strings.Contains(name, ".y"); {
			if err := decoder.Decode(new(any)); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	t.Chdir(t.TempDir()) // where there is no .env
	fine := func(context.Context) error { return nil }
	probes := (&admin.Server{Alive: fine, Ready: fine}).Probes()
	for _, name := range []string{"docs/operating/compose.yaml", "docs/operating/kubernetes.yaml"} {
		given := map[string]string{}
		for _, match := range regexp.MustCompile(`(?m)^ +((?:FIVEFOLD|DISCORD|PG)[A-Z_]*): (?:&\w+ )?"?([^"\n*]+)"?$`).FindAllStringSubmatch(files[name], -1) {
			given[match[1]] = match[2]
			if strings.HasPrefix(match[2], "$") && !strings.Contains(files[".env.example"], match[1]+"=") {
				t.Errorf("%s takes %s from .env, and .env.example does not have it", name, match[1])
			}
			if !strings.Contains(settings.Help(), "  "+match[1]+" ") {
				t.Errorf("%s: there is no setting %s", name, match[1])
			}
		}
		given["DISCORD_TOKEN"], given["DISCORD_PUBLIC_KEY"] = "token", strings.Repeat("0a", 32)
		given["FIVEFOLD_STORE"] = regexp.MustCompile(`&sslrootcert=[^&]*`).ReplaceAllString(given["FIVEFOLD_STORE"], "") // a file of the container
		s, err := settings.Read(&cli.Program{Env: given}, settings.OfBot)
		if err != nil || s.HTTP.Path != "/interactions" || s.HTTP.Address != ":8080" || !strings.HasPrefix(s.Store, "postgres:") {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		found := regexp.MustCompile(`image: \S*fivefold:(\S+)|(?:args|command): \[(\S+)\]|CMD, /fivefold, ([a-z]+)|httpGet: {path: (\S+),`).FindAllStringSubmatch(files[name], -1)
		if len(found) < 3 {
			t.Errorf("%s has only %q", name, found)
		}
		for _, f := range found {
			command := f[2] + f[3]
			switch {
			case f[1] != "" && f[1] != version:
				t.Errorf("%s has the image of %s, but this is release %s", name, f[1], version)
			case command != "" && inlineFault(command) != nil:
				t.Errorf("%s: there is no command %s", name, command)
			case f[4] != "":
				w := httptest.NewRecorder()
				if probes.ServeHTTP(w, httptest.NewRequest("GET", f[4], nil)); w.Code != 200 {
					t.Errorf("%s asks at %s, which answers %d", name, f[4], w.Code)
				}
			}
		}
	}
	for _, want := range []string{"health_uri /readyz", "reverse_proxy bot-1:8080 bot-2:8080", "handle /interactions "} {
		if !strings.Contains(files["docs/operating/Caddyfile"], want) {
			t.Errorf("the Caddyfile does not say %s", want)
		}
	}
}

// TestContainerFiles: compose.yaml is one bot with one volume, no port and all settings; the image has labels of this
// release, and its modules come before its source. What was never run says so.
func TestContainerFiles(t *testing.T) {
	var compose struct {
		Services map[string]struct {
			Image, Build, Restart string
			EnvFile               string `yaml:"env_file"`
			Environment           map[string]string
			Volumes, Ports        []string
		}
		Volumes map[string]any
	}
	if err := yaml.Unmarshal([]byte(mustRead(t, "../../compose.yaml")), &compose); err != nil {
		t.Fatal(err)
	}
	bot := compose.Services["bot"]
	if len(compose.Services) != 1 || len(compose.Volumes) != 1 || len(bot.Ports) != 0 || bot.Build != "." || bot.EnvFile != ".env" ||
		bot.Image != "fivefold:"+version || bot.Restart != "on-failure:5" || !slices.Equal(bot.Volumes, []string{"data:/data"}) {
		t.Errorf("compose.yaml is %+v", compose)
	}
	image := mustRead(t, "../../Dockerfile")
	for name, value := range bot.Environment { // which go before those in .env
		if !strings.Contains(image, name+"="+value) {
			t.Errorf("compose.yaml sets %s to another value than the image", name)
		}
	}
	modules, source := strings.Index(image, "\nCOPY go.mod go.sum "), strings.Index(image, "\nCOPY . .")
	if modules < 0 || modules > source {
		t.Error("the Dockerfile copies the source before it downloads modules")
	}
	if !regexp.MustCompile(`\nFROM [^\n]*golang:\d+\.\d+\.\d+-\w+ AS build\n`).MatchString(image) {
		t.Error("the Dockerfile does not pin the base of the build")
	}
	if !strings.Contains(image, `org.opencontainers.image.version="`+version+`"`) {
		t.Error("the image is not labelled with this release")
	}
	for _, name := range []string{"compose.yaml", "Dockerfile", "docs/operating/compose.yaml", "docs/operating/kubernetes.yaml", "docs/operating/fivefold.service", "docs/operating/alerts.yml", "docs/operating.md", "docs/scaling.md", "README.md"} {
		if !regexp.MustCompile(`\bnever\s+(#\s+)?(run|built|loaded)\b|\bNeither was ever run\b`).MatchString(mustRead(t, "../../"+name)) {
			t.Errorf("%s does not say what was never run", name)
		}
	}
}
