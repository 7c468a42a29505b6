package licences

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// TestModules: every module in this system's program is listed, with the version in go.mod and
// with its licence.
func TestModules(t *testing.T) {
	content, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse("go.mod", content, nil)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, r := range mod.Require {
		listed[r.Mod.Path] = strings.Contains(text, "\n  "+r.Mod.Path+" "+r.Mod.Version+"\n")
	}
	for _, m := range regexp.MustCompile(`(?m)^  (\S+/\S+) v`).FindAllStringSubmatch(text, -1) {
		if !listed[m[1]] {
			t.Errorf("go.mod has another version of %s, or none; run go generate ./cmd/fivefold/licences", m[1])
		}
		if !regexp.MustCompile(`(?m)^=+\n(.*, )?` + regexp.QuoteMeta(m[1]) + `(,|$)`).MatchString(text) {
			t.Errorf("there is no licence of %s", m[1])
		}
	}
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "fivefold/cmd/fivefold").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.FieldsSeq(string(out)) {
		if path != "fivefold" && !listed[path] {
			t.Errorf("%s is in the program and not in the list; run go generate ./cmd/fivefold/licences", path)
		}
	}
}
