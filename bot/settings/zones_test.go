package settings

import (
	"archive/zip"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
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
		world := slices.Contains([]string{"US", "Canada", "Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}, part)
		if listed := slices.ContainsFunc(zones(), func(z zone) bool { return z.name == f.Name }); world && city != "" && !listed {
			t.Errorf("%s is missing in zones.txt", f.Name)
		}
	}
	for _, z := range zones() {
		name := z.name
		if _, err := time.LoadLocation(name); err != nil {
			t.Error(err)
		}
		if got, err := readZone(strings.ToUpper(name)); got != name || err != nil {
			t.Errorf("%s is read as %s, %v", name, got, err)
		}
	}
	for typed, want := range map[string]string{"berlin": "Europe/Berlin", "new y": "America/New_York", "auck": "Pacific/Auckland", "europe/l": "Europe/London", "america/": "America/New_York", "germ": "Europe/Berlin"} {
		if got := append(zonesLike(typed), ""); got[0] != want {
			t.Errorf("%s proposes %v, want %s first", typed, got, want)
		}
	}
	for typed, want := range map[string]string{
		"EST": "America/New_York", "edt": "America/New_York", "CST": "America/Chicago", "PDT": "America/Los_Angeles", "GMT": "Europe/London", "BST": "Europe/London",
		"CET": "Europe/Berlin", "IST": "Asia/Kolkata", "JST": "Asia/Tokyo", "AEST": "Australia/Sydney", "UTC": "UTC",
		"UTC+2": "Etc/GMT-2", "gmt - 5": "Etc/GMT+5", "UTC+05:30": "Asia/Kolkata", "utc-3:30": "America/St_Johns", "UTC+0": "UTC", "utc 7": "Etc/GMT-7", "UTC-0330": "America/St_Johns", "UTC+14": "Etc/GMT-14",
		"US/Eastern": "US/Eastern", "eastern": "America/New_York", "são paulo": "America/Sao_Paulo", "Sao Paulo": "America/Sao_Paulo", "Berlin": "Europe/Berlin", "Kyiv": "Europe/Kyiv",
		"Germany": "Europe/Berlin", "new york": "America/New_York", "St. John's": "America/St_Johns", "Zürich": "Europe/Zurich", "Ho Chi Minh": "Asia/Ho_Chi_Minh", "Mumbai": "Asia/Kolkata",
	} {
		if got, err := readZone(typed); got != want || err != nil {
			t.Errorf("%s is read as %s, %v, want %s", typed, got, err, want)
		}
	}
	for typed, want := range map[string]string{
		"Berln": "Europe/Berlin", "Londn": "Europe/London", "Europe": "Europe/London", "america": "America/New_York", "germny": "Europe/Berlin", "new yrok": "America/New_York",
		"UTC+15": "large cities", "UTC+7:13": "large cities", "xxxxxxxx": "large cities", "Local": "large cities", "../etc": "large cities",
	} {
		got, err := readZone(typed)
		if refusal, ok := errors.AsType[bot.Refusal](err); got != "" || !ok || !strings.Contains(refusal.String(), want) {
			t.Errorf("%s is read as %s, %v, want a refusal with %s", typed, got, err, want)
		}
	}
	if got := spoken("Etc/GMT-2") + " " + spoken("Etc/GMT+11") + " " + spoken("Europe/Berlin"); got != "UTC+2 UTC-11 Europe/Berlin" {
		t.Error("zones are spoken as", got)
	}
}
