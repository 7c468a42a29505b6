package settings

import (
	"path/filepath"
	"strings"
	"testing"

	"fivefold/cmd/fivefold/cli"
)

// TestDefaultData: each system has its own place for a user's data.
func TestDefaultData(t *testing.T) {
	join := filepath.Join
	for _, c := range []struct {
		system, environ string // the variables, with | between them
		want            string
	}{
		{"windows", `LOCALAPPDATA=L|USERPROFILE=U|HOME=H`, join("L", "Fivefold")},
		{"windows", `LocalAppData=L|HOME=H`, join("L", "Fivefold")},
		{"windows", `localappdata=L`, join("L", "Fivefold")},
		{"windows", `=C:=C:\\|PATH=P`, ""},
		{"linux", `LOCALAPPDATA=L|HOME=H`, join("H", ".local", "share", "fivefold")},
		{"linux", `XDG_DATA_HOME=relative|HOME=H`, join("H", ".local", "share", "fivefold")},
		{"linux", `home=H`, ""},
		{"darwin", `HOME=H|LocalAppData=L`, join("H", "Library", "Application Support", "Fivefold")},
		{"darwin", ``, ""},
		{"freebsd", `HOME=H`, join("H", ".local", "share", "fivefold")},
	} {
		env := cli.Environment(c.system, strings.Split(c.environ, "|"))
		if got := defaultData(c.system, func(name string) string { return env[name] }); got != c.want {
			t.Errorf("%s, %s: got %q, want %q", c.system, c.environ, got, c.want)
		}
	}
	absolute := t.TempDir()
	env := cli.Environment("linux", []string{"XDG_DATA_HOME=" + absolute, "HOME=H"})
	if got := defaultData("linux", func(name string) string { return env[name] }); got != join(absolute, "fivefold") {
		t.Errorf("XDG_DATA_HOME: %q", got)
	}
}
