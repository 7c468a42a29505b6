package main

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"fivefold/bot/admin"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/serve"
	"fivefold/cmd/fivefold/settings"
)

// examples stand for what an operator enters.
var examples = map[string]string{
	"DISCORD_TOKEN": "token", "DISCORD_PUBLIC_KEY": strings.Repeat("0a", 32), "YOUR_PUBLIC_KEY": strings.Repeat("0a", 32), "PGPASSWORD": "password",
	"SITE_ADDRESS": "bot.example.org",
}

func mustRead(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// dig returns what is in a tree of YAML below these names; a number is that of an item in a list.
func dig(t *testing.T, tree any, names ...any) any {
	t.Helper()
	for _, name := range names {
		switch name := name.(type) {
		case string:
			tree = tree.(map[string]any)[name]
		case int:
			tree = tree.([]any)[name]
		}
		if tree == nil {
			t.Fatalf("there is no %v in %v", name, names)
		}
	}
	return tree
}

// texts returns a list as strings.
func texts(list any) []string {
	var all []string
	items, _ := list.([]any)
	for _, item := range items {
		all = append(all, item.(string))
	}
	return all
}

// checkContainer checks that a container of our image is of this release, and runs a command that
// exists with settings that it takes. It returns the settings.
func checkContainer(t *testing.T, where string, image any, args []string, given map[string]string) (s settings.Settings) {
	t.Helper()
	if name := path.Base(image.(string)); name != "fivefold:"+version {
		t.Errorf("%s: the image is %s, but this is release %s", where, name, version)
	}
	of := settings.OfBotToken
	if len(args) > 0 {
		if err := inlineFault(strings.Join(args, " ")); err != nil {
			t.Errorf("%s: fivefold %s: %v", where, strings.Join(args, " "), err)
		}
		if args[0] != "bot" {
			of = settings.OfGames
		}
	}
	t.Run(where, func(t *testing.T) {
		t.Chdir(t.TempDir()) // where there is no .env
		const authority = "/etc/fivefold/database/ca.crt"
		environment := map[string]string{}
		for name, value := range given {
			if !strings.Contains(settings.Help(), "  "+name+" ") {
				t.Errorf("there is no setting %s", name)
			}
			environment[name] = strings.Replace(value, "sslrootcert="+authority, "sslrootcert="+writeCertificate(t), 1)
		}
		var err error
		if s, err = settings.Read(&cli.Program{Env: environment}, of); err != nil {
			t.Error(err)
		}
		s.Store = given[settings.EnvStore] // with the files of the container
	})
	return s
}

// writeCertificate writes a certificate, and returns its file.
func writeCertificate(t *testing.T) string {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	file := filepath.Join(t.TempDir(), "ca.crt")
	mustWriteFile(t, file, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})), 0o600)
	return file
}

// checkPath checks that a running bot answers at a probe's path.
func checkPath(t *testing.T, where, path string) {
	t.Helper()
	fine := func(context.Context) error { return nil }
	wrong := func(context.Context) error { return errors.New("wrong") }
	for want, f := range map[int]func(context.Context) error{200: fine, 503: wrong} {
		w := httptest.NewRecorder()
		(&admin.Server{Alive: f, Ready: f}).Probes().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != want {
			t.Errorf("%s: %s is %d, want %d", where, path, w.Code, want)
		}
	}
}

// TestCompose: what compose.yaml runs is there, and takes its settings; its bots and its database agree,
// and its balancer leads to the bots.
func TestCompose(t *testing.T) {
	text := regexp.MustCompile(`\$\{(\w+):\?[^}]+\}`).ReplaceAllStringFunc(mustRead(t, "../../compose.yaml"), func(variable string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(variable, "${"), ":")
		if !strings.Contains(mustRead(t, "../../.env.example"), name+"=") {
			t.Errorf(".env.example does not have %s, which compose.yaml takes from .env", name)
		}
		return examples[name]
	})
	type service struct {
		Image            string
		Command, Volumes []string
		Environment      map[string]string
		Healthcheck      struct{ Test []string }
	}
	var file struct{ Services map[string]service }
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	caddy := regexp.MustCompile(`(?m)#.*$`).ReplaceAllString(mustRead(t, "../../docs/operating/Caddyfile"), "")
	directive := func(name string) []string {
		t.Helper()
		found := regexp.MustCompile(`(?m)^\s*` + name + `[ \t]+([^{\n]+?)[ \t]*\{?$`).FindStringSubmatch(caddy)
		if found == nil {
			t.Fatalf("the Caddyfile has no %s", name)
		}
		return strings.Fields(found[1])
	}
	checkPath(t, "the Caddyfile", directive("health_uri")[0])
	db := file.Services["db"].Environment
	var bots []string
	for name, s := range file.Services {
		for _, v := range s.Volumes {
			if from, _, _ := strings.Cut(v, ":"); strings.HasPrefix(from, "./") {
				mustRead(t, "../../"+from)
			}
		}
		if !strings.HasPrefix(s.Image, "fivefold:") {
			continue
		}
		set := checkContainer(t, name, s.Image, s.Command, s.Environment)
		store, err := url.Parse(set.Store)
		if err != nil || store.Host != "db:5432" || store.User.Username() != db["POSTGRES_USER"] || store.Path != "/"+db["POSTGRES_DB"] ||
			db["POSTGRES_PASSWORD"] != s.Environment["PGPASSWORD"] {
			t.Errorf("%s uses %s, and the database is %v", name, store, db)
		}
		if s.Command != nil {
			continue
		}
		if test := s.Healthcheck.Test; len(test) < 3 || test[1] != "/fivefold" || inlineFault(strings.Join(test[2:], " ")) != nil {
			t.Errorf("%s is asked whether it works by %q", name, test)
		}
		_, port, _ := net.SplitHostPort(set.HTTP.Address)
		bots = append(bots, net.JoinHostPort(name, port))
		if got := directive("handle")[0]; got != set.HTTP.Path {
			t.Errorf("the Caddyfile leads %s to %s, which takes interactions at %s", got, name, set.HTTP.Path)
		}
	}
	if slices.Sort(bots); len(bots) != 2 || !slices.Equal(directive("reverse_proxy"), bots) {
		t.Errorf("the Caddyfile leads to %q, and the bots are %q", directive("reverse_proxy"), bots)
	}
}

// TestKubernetes: what kubernetes.yaml runs is there, takes its settings, and is given as long as it needs.
func TestKubernetes(t *testing.T) {
	parts := map[string]any{}
	for part := range strings.SplitSeq(mustRead(t, "../../docs/operating/kubernetes.yaml"), "\n---\n") {
		var tree map[string]any
		if err := yaml.Unmarshal([]byte(part), &tree); err != nil {
			t.Fatal(err)
		}
		parts[tree["kind"].(string)] = tree
	}
	stores := map[string]string{}
	var bot settings.Settings
	for _, kind := range []string{"Job", "Deployment"} {
		container := dig(t, parts, kind, "spec", "template", "spec", "containers", 0)
		environment := map[string]string{}
		for name, value := range dig(t, parts, "ConfigMap", "data").(map[string]any) {
			environment[name] = value.(string)
			if example, ok := examples[value.(string)]; ok {
				environment[name] = example
			}
		}
		for _, e := range dig(t, container, "env").([]any) {
			name := dig(t, e, "name").(string)
			environment[name] = examples[name]
		}
		bot = checkContainer(t, kind, dig(t, container, "image"), texts(dig(t, container, "args")), environment)
		stores[bot.Store] = kind
	}
	if len(stores) != 1 {
		t.Errorf("the stores are %q", stores)
	}
	container := dig(t, parts, "Deployment", "spec", "template", "spec", "containers", 0)
	times := map[string]time.Duration{}
	for name, path := range map[string]string{"startupProbe": "/healthz", "livenessProbe": "/healthz", "readinessProbe": "/readyz"} {
		if got := dig(t, container, name, "httpGet", "path"); got != path {
			t.Errorf("the %s asks at %s", name, got)
		}
		checkPath(t, name, path)
		times[name] = time.Duration(dig(t, container, name, "periodSeconds").(int)*dig(t, container, name, "failureThreshold").(int)) * time.Second
	}
	if times["startupProbe"] < app.AwayTime+time.Minute/2 {
		t.Errorf("a start may take %v, and a bot waits %v for its database", times["startupProbe"], app.AwayTime)
	}
	if left := serve.ProbeDatabaseEvery + serve.Silence + times["readinessProbe"]; left > 12*time.Second {
		t.Errorf("a bot without a database is asked for %v", left)
	}
	_, port, _ := net.SplitHostPort(bot.HTTP.Address)
	if got := dig(t, container, "ports", 0, "containerPort"); port != fmt.Sprint(got) {
		t.Errorf("the port is %v, and the bot listens on %s", got, bot.HTTP.Address)
	}
	if got := dig(t, parts, "Ingress", "spec", "rules", 0, "http", "paths", 0, "path"); got != bot.HTTP.Path {
		t.Errorf("the ingress leads %s to the bot, which takes interactions at %s", got, bot.HTTP.Path)
	}
}
