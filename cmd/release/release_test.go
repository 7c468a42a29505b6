package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

var testTime = time.Date(2026, 3, 4, 5, 6, 8, 0, time.UTC)

// testFiles writes the files of an archive, with this time and these permissions, which must
// not matter.
func testFiles(t *testing.T, at time.Time, mode os.FileMode) []packed {
	t.Helper()
	folder := t.TempDir()
	var files []packed
	for name, content := range map[string]string{"fivefold": strings.Repeat("program", 5000), "LICENSE": "MIT\n"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"fivefold", "LICENSE"} {
		mode := os.FileMode(0o644)
		if name == "fivefold" {
			mode = 0o755
		}
		files = append(files, packed{filepath.Join(folder, name), "fivefold_1.0.0/" + name, mode})
	}
	return files
}

// TestSameBytes: archives depend on nothing but the files' content and the given time, in
// whatever zone that is.
func TestSameBytes(t *testing.T) {
	for name, pack := range map[string]func(io.Writer, []packed, time.Time) error{"tar.gz": packTarGz, "zip": packZip} {
		var first, second bytes.Buffer
		if err := pack(&first, testFiles(t, time.Unix(1e9, 0), 0o600), testTime); err != nil {
			t.Fatal(err)
		}
		if err := pack(&second, testFiles(t, time.Now(), 0o755), testTime.In(time.FixedZone("elsewhere", 7200))); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: the two archives differ", name)
		}
	}
}

// checkEntry compares a file in an archive with what was packed.
func checkEntry(t *testing.T, name string, mode os.FileMode, at time.Time, content io.Reader) {
	t.Helper()
	got, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	want, wantMode := "MIT\n", os.FileMode(0o644)
	if strings.HasSuffix(name, "/fivefold") {
		want, wantMode = strings.Repeat("program", 5000), 0o755
	}
	if string(got) != want || mode.Perm() != wantMode || !at.Equal(testTime) {
		t.Errorf("%s: %d bytes, %v, %v", name, len(got), mode, at)
	}
}

func TestTarGz(t *testing.T) {
	var b bytes.Buffer
	if err := packTarGz(&b, testFiles(t, time.Now(), 0o600), testTime); err != nil {
		t.Fatal(err)
	}
	zipped, err := gzip.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	entries := 0
	for archive := tar.NewReader(zipped); ; entries++ {
		h, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || h.Gid != 0 || h.Uname != "root" {
			t.Errorf("%s belongs to %d:%d, %s", h.Name, h.Uid, h.Gid, h.Uname)
		}
		checkEntry(t, h.Name, h.FileInfo().Mode(), h.ModTime, archive)
	}
	if entries != 2 {
		t.Errorf("%d files", entries)
	}
}

func TestZip(t *testing.T) {
	var b bytes.Buffer
	if err := packZip(&b, testFiles(t, time.Now(), 0o600), testTime); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.File) != 2 {
		t.Errorf("%d files", len(archive.File))
	}
	for _, f := range archive.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		checkEntry(t, f.Name, f.Mode(), f.Modified, content)
	}
}

func TestChecksums(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"b.zip", "a.tar.gz"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeChecksums(folder, []string{"b.zip", "a.tar.gz"}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(folder, "SHA256SUMS"))
	want := fmt.Sprintf("%x  a.tar.gz\n%x  b.zip\n", sha256.Sum256([]byte("a.tar.gz")), sha256.Sum256([]byte("b.zip")))
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestBill: the bill names every module with its licence, and Go itself; a module without
// a licence is an error.
func TestBill(t *testing.T) {
	notices, err := os.ReadFile("../../THIRD_PARTY.md")
	if err != nil {
		t.Fatal(err)
	}
	known := licences(string(notices))
	r := release{version: "1.0.0", commit: "0123456789abcdef", at: testTime}
	info := &debug.BuildInfo{GoVersion: "go1.26.1", Deps: []*debug.Module{
		{Path: "go.yaml.in/yaml/v3", Version: "v3.0.1", Sum: "h1:yaml"},
		{Path: "go.etcd.io/bbolt", Version: "v1.2.3", Sum: "h1:abc="},
	}}
	b, err := r.bill(info, system{"linux", "arm64"}, known)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"bomFormat":"CycloneDX","specVersion":"1.5"`,
		`"timestamp":"2026-03-04T05:06:08Z"`,
		`"name":"go.etcd.io/bbolt","version":"v1.2.3","licenses":[{"expression":"MIT"}],"purl":"pkg:golang/go.etcd.io/bbolt@v1.2.3","properties":[{"name":"go:sum","value":"h1:abc="}]`,
		`"licenses":[{"expression":"MIT AND Apache-2.0"}],"purl":"pkg:golang/go.yaml.in/yaml/v3@v3.0.1"`,
		`"purl":"pkg:golang/std@1.26.1"`,
		`"dependsOn":["pkg:golang/go.etcd.io/bbolt@v1.2.3","pkg:golang/go.yaml.in/yaml/v3@v3.0.1","pkg:golang/std@1.26.1"]`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the bill lacks %s:\n%s", want, text)
		}
	}
	info.Deps = append(info.Deps, &debug.Module{Path: "example.com/unknown", Version: "v1.0.0"})
	if _, err := r.bill(info, systems[0], known); err == nil || !strings.Contains(err.Error(), "example.com/unknown") {
		t.Errorf("a module without a licence: %v", err)
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
