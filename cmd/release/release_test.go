package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestPack: archives have the files with the given time, in whatever zone that is, and nothing of
// this machine.
func TestPack(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 8, 0, time.UTC)
	files := []file{{"fivefold", 0o755, []byte(strings.Repeat("program", 5000))}, {"LICENSE", 0o644, []byte("MIT\n")}}
	check := func(i int, name string, mode int64, modified time.Time, content io.Reader) {
		t.Helper()
		got, err := io.ReadAll(content)
		if err != nil || name != "folder/"+files[i].name || mode != int64(files[i].mode) || !modified.Equal(at) || !bytes.Equal(got, files[i].content) {
			t.Errorf("%s, %o, %v, %d bytes, %v", name, mode, modified, len(got), err)
		}
	}
	packed := func(pack func(io.Writer, string, []file, time.Time) error) []byte {
		t.Helper()
		var first, second bytes.Buffer
		if err := pack(&first, "folder", files, at); err != nil {
			t.Fatal(err)
		}
		if err := pack(&second, "folder", files, at.In(time.FixedZone("elsewhere", 7200))); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("two archives differ, %v", err)
		}
		return first.Bytes()
	}
	zipped, err := gzip.NewReader(bytes.NewReader(packed(packTarGz)))
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewReader(zipped)
	for i := range files {
		h, err := archive.Next()
		if err != nil || h.Uid != 0 || h.Gid != 0 || h.Uname != "root" {
			t.Fatalf("%+v, %v", h, err)
		}
		check(i, h.Name, h.Mode, h.ModTime, archive)
	}
	forWindows := packed(packZip)
	unzipped, err := zip.NewReader(bytes.NewReader(forWindows), int64(len(forWindows)))
	if err != nil || len(unzipped.File) != len(files) {
		t.Fatal(len(unzipped.File), err)
	}
	for i, f := range unzipped.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		check(i, f.Name, int64(f.Mode().Perm()), f.Modified, content)
	}
}

// TestArguments: what a release cannot be called.
func TestArguments(t *testing.T) {
	for _, version := range []string{"", "1.0", "v1.0.0", "1.0.0 x", "1.0.0/../x"} {
		if err := run(t.Context(), []string{"--version", version}); err == nil || !strings.Contains(err.Error(), "--version") {
			t.Errorf("%q: %v", version, err)
		}
	}
}

// TestDocuments: an archive has the files that docs/operating.md installs the bot from.
func TestDocuments(t *testing.T) {
	text, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	installed := regexp.MustCompile(`\$ sudo install .* (\S+) /etc/`).FindAllSubmatch(text, -1)
	for _, match := range installed {
		if _, err := os.Stat("../../" + documents[string(match[1])]); err != nil || documents[string(match[1])] == "" {
			t.Errorf("%s is not in the archives: %v", match[1], err)
		}
	}
	if len(installed) < 2 {
		t.Errorf("the document installs only %q", installed)
	}
}
