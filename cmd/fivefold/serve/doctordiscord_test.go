package serve

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"fivefold/cmd/fivefold/settings"
)

// TestDoctorInstalls: who may install the bot, and what to do about it.
func TestDoctorInstalls(t *testing.T) {
	for _, c := range []struct{ name, app, want string }{
		{"both", `{"integration_types_config":{"0":{"oauth2_install_params":{"scopes":["bot"],"permissions":"0"}},"1":{}}}`, "servers can install the bot, and users for themselves"},
		{"servers", `{"integration_types_config":{"0":{}}}`, "check User Install on the developer portal's page Installation, and restart"},
		{"never set up", `{"id":"1"}`, "check User Install"},
		{"users", `{"integration_types_config":{"1":{}}}`, "no server can install the bot: check Guild Install"},
		{"no JSON", `<html>`, "Discord does not say who may install the bot: "},
		{"an error", "", "Discord does not say who may install the bot: it answers with status 500"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/api/v10/applications/@me" || r.Header.Get("Authorization") != "Bot token" || c.app == "" {
					w.WriteHeader(http.StatusInternalServerError)
				}
				w.Write([]byte(c.app))
			}))
			defer server.Close()
			base, err := url.Parse(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			var app application
			_, _, err = discordAPI{base: base, client: server.Client()}.get(t.Context(), "applications/@me", "token", &app)
			f := installs(app, err)
			if !strings.Contains(f.text, c.want) || (f.state == needsFix) != (c.name == "users" || c.name == "no JSON" || c.name == "an error") {
				t.Errorf("got %v, want %s", f, c.want)
			}
		})
	}
}

// TestDoctorOfFolder: a folder called .env, as Python has, is no file with settings.
func TestDoctorOfFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir(settings.DotEnv, 0o755); err != nil {
		t.Fatal(err)
	}
	if f := dotEnvFinding(); f.state != skipped {
		t.Errorf("it is %v", f)
	}
}

func TestClockFinding(t *testing.T) {
	date := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) // from 12:00:00.000 to 12:00:00.999
	for _, c := range []struct {
		sent, took time.Duration // after that date, by our clock
		want       string
	}{
		{0, 50 * time.Millisecond, "ok"},
		{900 * time.Millisecond, 50 * time.Millisecond, "ok"},
		{-800 * time.Millisecond, 50 * time.Millisecond, "ok"},
		{1900 * time.Millisecond, 50 * time.Millisecond, "ok"},
		{2100 * time.Millisecond, 50 * time.Millisecond, "at least 1s ahead"},
		{10 * time.Minute, time.Second, "at least 9m59s ahead"},
		{-1200 * time.Millisecond, 100 * time.Millisecond, "at least 1s behind"},
		{-1200 * time.Millisecond, 300 * time.Millisecond, "ok"},
		{-time.Hour, 0, "at least 1h0m0s behind"},
		{-5 * time.Second, 10 * time.Second, "ok"}, // nothing can be said
	} {
		sent := date.Add(c.sent)
		f := clockFinding(sent, sent.Add(c.took), date)
		if c.want == "ok" && f.state != isOK || c.want != "ok" && (f.state != needsFix || !strings.Contains(f.text, c.want)) {
			t.Errorf("sent %v, took %v: %v, want %s", c.sent, c.took, f, c.want)
		}
	}
	if f := clockFinding(date, date, time.Time{}); f.state != skipped {
		t.Errorf("without a date: %v", f)
	}
}
