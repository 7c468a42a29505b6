// Command release builds Fivefold for six systems, packs each program into an archive with what is needed to install
// it, and writes the checksums of the archives. The same commit and the same Go make the same bytes on any machine.
//
//	go run ./cmd/release --version 0.1.0 --out dist
//
// Goreleaser would save these lines and bring hundreds of modules.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// systems are the operating systems and processors of a release, by Go's names.
var systems = []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"}

// documents go into every archive, by their names there. docs/operating.md installs the bot from these files.
var documents = map[string]string{
	"CHANGELOG.md": "CHANGELOG.md", "LICENSE": "LICENSE", "README.md": "README.md", "licences.txt": "cmd/fivefold/licences/licences.txt",
	".env.example": ".env.example", "docs/operating/fivefold.service": "docs/operating/fivefold.service",
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	version := flags.String("version", "", "the version, such as 0.1.0")
	out := flags.String("out", "dist", "the folder to write to; it must not exist")
	only := flags.String("only", "", "one system only, such as linux_arm64")
	changed := flags.Bool("changed", false, "allow changes that are not committed, to try a release")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if !regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(-[0-9a-z.]+)?$`).MatchString(*version) {
		return fmt.Errorf("--version %q is not a version such as 0.1.0", *version)
	}
	status, err := output(exec.CommandContext(ctx, "git", "status", "--porcelain"))
	if err != nil {
		return err
	}
	if status != "" && !*changed {
		return fmt.Errorf("there are changes that are not committed:\n%s", status)
	}
	commit, err := output(exec.CommandContext(ctx, "git", "log", "-1", "--format=%H %ct"))
	hash, seconds, _ := strings.Cut(commit, " ")
	at, wrong := strconv.ParseInt(seconds, 10, 64)
	if err := errors.Join(err, wrong, os.MkdirAll(filepath.Dir(*out), 0o755), os.Mkdir(*out, 0o755)); err != nil {
		return err
	}
	sums := ""
	for _, system := range systems {
		if *only != "" && system != *only {
			continue
		}
		files, err := build(ctx, system, *version, hash)
		if err != nil {
			return fmt.Errorf("%s: %w", system, err)
		}
		folder := fmt.Sprintf("fivefold_%s_%s", *version, system)
		pack, name := packTarGz, folder+".tar.gz"
		if strings.HasPrefix(system, "windows") {
			pack, name = packZip, folder+".zip"
		}
		var archive bytes.Buffer
		err = pack(&archive, folder, files, time.Unix(at, 0).UTC())
		if err = errors.Join(err, os.WriteFile(filepath.Join(*out, name), archive.Bytes(), 0o644)); err != nil {
			return err
		}
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256(archive.Bytes()), name)
	}
	if sums == "" {
		return fmt.Errorf("--only %s: choose one of %v", *only, systems)
	}
	return os.WriteFile(filepath.Join(*out, "SHA256SUMS"), []byte(sums), 0o644)
}

// file is a file in an archive.
type file struct {
	name    string
	mode    fs.FileMode
	content []byte
}

// build builds the program for a system, free of traces of this machine, and returns it with the documents.
func build(ctx context.Context, system, version, commit string) ([]file, error) {
	folder, err := os.MkdirTemp("", "fivefold-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	name := "fivefold"
	goos, goarch, _ := strings.Cut(system, "_")
	if goos == "windows" {
		name += ".exe"
	}
	program := filepath.Join(folder, name)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags", fmt.Sprintf("-s -w -X main.version=%s -X main.commit=%s", version, commit), "-o", program, "./cmd/fivefold")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "GOAMD64=v1", "GOARM64=v8.0", "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=")
	if _, err := output(cmd); err != nil {
		return nil, err
	}
	content, err := os.ReadFile(program)
	files := []file{{name, 0o755, content}}
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		content, failed := os.ReadFile(documents[name])
		err = errors.Join(err, failed)
		files = append(files, file{name, 0o644, content})
	}
	return files, err
}

// packTarGz writes an archive with one folder. All files have the time given and belong to root.
func packTarGz(w io.Writer, folder string, files []file, at time.Time) error {
	zipped, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	archive := tar.NewWriter(zipped)
	for _, f := range files {
		failed := archive.WriteHeader(&tar.Header{
			Name: folder + "/" + f.name, Mode: int64(f.mode), Size: int64(len(f.content)), ModTime: at, Uname: "root", Gname: "root", Format: tar.FormatUSTAR,
		})
		_, cut := archive.Write(f.content)
		err = errors.Join(err, failed, cut)
	}
	return errors.Join(err, archive.Close(), zipped.Close())
}

// packZip is packTarGz for Windows.
func packZip(w io.Writer, folder string, files []file, at time.Time) error {
	archive := zip.NewWriter(w)
	for _, f := range files {
		header := zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: at.UTC()}
		header.SetMode(f.mode)
		to, err := archive.CreateHeader(&header)
		if err == nil {
			_, err = to.Write(f.content)
		}
		if err != nil {
			return err
		}
	}
	return archive.Close()
}

// output runs a command and returns its output. An error includes what the command wrote to standard
// error.
func output(cmd *exec.Cmd) (string, error) {
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args[:2], " "), err, complaint.String())
	}
	return strings.TrimSpace(string(out)), nil
}
