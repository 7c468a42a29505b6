// Command release builds Fivefold for six systems, and packs each program into an archive
// with its notices. For every archive it writes a bill of materials, and for all of them
// their checksums. The same commit and the same Go make the same bytes, on any machine.
//
//	go run ./cmd/release --version 0.1.0 --out dist
//
// Goreleaser, as a tool in go.mod, would bring hundreds of modules to save the few hundred lines
// here.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// systems are what a release is built for.
var systems = []system{
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"linux", "amd64"}, {"linux", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

// system is an operating system and a processor, by Go's names.
type system struct{ os, arch string }

func (s system) String() string { return s.os + "_" + s.arch }

// program returns the name of the program's file there.
func (s system) program() string {
	if s.os == "windows" {
		return "fivefold.exe"
	}
	return "fivefold"
}

// documents go into every archive, without their folders.
var documents = []string{"CHANGELOG.md", "LICENSE", "README.md", "THIRD_PARTY.md", "game/wordle/dictionary/SCOWL-COPYRIGHT", "game/wordle/dictionary/WORDNET-LICENSE"}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is one release, in the repository's folder.
type release struct {
	version string
	commit  string
	at      time.Time // of the commit; archives and bills of materials have it
	out     string    // a folder
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	version := flags.String("version", "", "the version, such as 0.1.0")
	out := flags.String("out", "dist", "the folder to write to; it must be empty or missing")
	only := flags.String("only", "", "one system only, such as linux_arm64")
	changed := flags.Bool("changed", false, "allow changes that are not committed, to try a release")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if !regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(-[0-9a-z.]+)?$`).MatchString(*version) {
		return fmt.Errorf("--version %q is not a version such as 0.1.0", *version)
	}
	r := release{version: *version, out: *out}
	if err := r.readCommit(ctx, *changed); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	there, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	if len(there) > 0 {
		return fmt.Errorf("%s is not empty", r.out)
	}
	var names []string
	for _, s := range systems {
		if *only != "" && s.String() != *only {
			continue
		}
		made, err := r.make(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		names = append(names, made...)
	}
	if len(names) == 0 {
		return fmt.Errorf("--only %s is none of %v", *only, systems)
	}
	return writeChecksums(r.out, names)
}

// readCommit finds out which commit is released, and when it was made.
func (r *release) readCommit(ctx context.Context, changed bool) error {
	status, err := output(exec.CommandContext(ctx, "git", "status", "--porcelain"))
	if err != nil {
		return err
	}
	if status != "" && !changed {
		return fmt.Errorf("there are changes that are not committed:\n%s", status)
	}
	commit, err := output(exec.CommandContext(ctx, "git", "log", "-1", "--format=%H %ct"))
	if err != nil {
		return err
	}
	hash, seconds, _ := strings.Cut(commit, " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("git says %q: %w", commit, err)
	}
	r.commit, r.at = hash, time.Unix(unix, 0).UTC()
	return nil
}

// make builds and packs the program for a system, and returns the names of the files.
func (r *release) make(ctx context.Context, s system) ([]string, error) {
	folder, err := os.MkdirTemp("", "fivefold-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, s.program())
	if err := r.build(ctx, s, program); err != nil {
		return nil, err
	}
	base := fmt.Sprintf("fivefold_%s_%s", r.version, s)
	files := []packed{{path: program, name: base + "/" + s.program(), mode: 0o755}}
	for _, name := range documents {
		files = append(files, packed{path: filepath.FromSlash(name), name: base + "/" + filepath.Base(name), mode: 0o644})
	}
	pack, archive := packTarGz, base+".tar.gz"
	if s.os == "windows" {
		pack, archive = packZip, base+".zip"
	}
	var b bytes.Buffer
	if err := pack(&b, files, r.at); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(r.out, archive), b.Bytes(), 0o644); err != nil {
		return nil, err
	}
	materials, err := r.materials(program, s)
	if err != nil {
		return nil, err
	}
	list := base + ".cdx.json"
	return []string{archive, list}, os.WriteFile(filepath.Join(r.out, list), materials, 0o644)
}

// build builds the program. Nothing of this machine gets into it.
func (r *release) build(ctx context.Context, s system, program string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags", fmt.Sprintf("-s -w -X main.version=%s -X main.commit=%s", r.version, r.commit), "-o", program, "./cmd/fivefold")
	cmd.Env = append(os.Environ(), "GOOS="+s.os, "GOARCH="+s.arch, "GOAMD64=v1", "GOARM64=v8.0", "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=")
	_, err := output(cmd)
	return err
}

// output runs a command and returns what it writes. Its error includes what the command
// complains about.
func output(cmd *exec.Cmd) (string, error) {
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args[:2], " "), err, complaint.String())
	}
	return strings.TrimSpace(string(out)), nil
}
