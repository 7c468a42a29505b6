package daypost

import (
	"archive/zip"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestZones: the zones are those of Go's time/tzdata that begin with a part of the world, and UTC.
func TestZones(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("there is no Go to ask for its zones: ", err)
	}
	all, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Skip("this Go has no zones: ", err)
	}
	defer all.Close()
	for _, f := range all.File {
		part, city, _ := strings.Cut(f.Name, "/")
		world := slices.Contains([]string{"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}, part)
		if listed := slices.Contains(zones, f.Name); world && city != "" && !listed {
			t.Errorf("%s is missing in zones.txt", f.Name)
		}
	}
	for _, name := range zones {
		if _, err := time.LoadLocation(name); err != nil {
			t.Error(err)
		}
		if got, err := readZone(strings.ToUpper(name)); got != name || err != nil {
			t.Errorf("%s is read as %s, %v", name, got, err)
		}
	}
	for typed, want := range map[string]string{"berlin": "Europe/Berlin", "new y": "America/New_York", "auck": "Pacific/Auckland", "europe/l": "Europe/Lisbon"} {
		if got := zonesLike(typed); len(got) == 0 || got[0] != want {
			t.Errorf("%s proposes %v, want %s first", typed, got, want)
		}
	}
}
