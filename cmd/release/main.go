// Command release builds Fivefold for six systems, packs each program into an archive with its
// documents, and writes the checksums of the archives. The same commit and the same Go make the
// same bytes on any machine.
//
//	go run ./cmd/release --version 0.1.0 --out dist
//
// Goreleaser would save these two hundred lines and bring hundreds of modules.
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
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// systems are the operating systems and processors of a release, by Go's names.
var systems = []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"}

// documents go into every archive without their folders.
var documents = []string{"CHANGELOG.md", "LICENSE", "README.md", "cmd/fivefold/licences/licences.txt"}

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
	if err != nil {
		return err
	}
	hash, seconds, _ := strings.Cut(commit, " ")
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("git says %q: %w", commit, err)
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(*out), 0o755), os.Mkdir(*out, 0o755)); err != nil {
		return err
	}
	var sums strings.Builder
	for _, system := range systems {
		if *only != "" && system != *only {
			continue
		}
		base := fmt.Sprintf("fivefold_%s_%s", *version, system)
		files, err := build(ctx, system, *version, hash)
		if err != nil {
			return fmt.Errorf("%s: %w", system, err)
		}
		pack, name := packTarGz, base+".tar.gz"
		if strings.HasPrefix(system, "windows") {
			pack, name = packZip, base+".zip"
		}
		var archive bytes.Buffer
		if err := pack(&archive, base, files, time.Unix(at, 0).UTC()); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(*out, name), archive.Bytes(), 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(archive.Bytes()), name)
	}
	if sums.Len() == 0 {
		return fmt.Errorf("--only %s: choose one of %v", *only, systems)
	}
	return os.WriteFile(filepath.Join(*out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// file is a file in an archive.
type file struct {
	name    string
	mode    fs.FileMode
	content []byte
}

// build builds the program for a system, free of traces of this machine, and returns it with the
// documents.
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
	var files []file
	for _, path := range append([]string{program}, documents...) {
		content, err := os.ReadFile(filepath.FromSlash(path))
		if err != nil {
			return nil, err
		}
		files = append(files, file{filepath.Base(path), 0o644, content})
	}
	files[0].mode = 0o755
	return files, nil
}

// packTarGz writes an archive with one folder. All files have the time given and belong to root.
func packTarGz(w io.Writer, folder string, files []file, at time.Time) error {
	zipped, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(zipped)
	for _, f := range files {
		header := &tar.Header{
			Name: folder + "/" + f.name, Mode: int64(f.mode), Size: int64(len(f.content)), ModTime: at, Uname: "root", Gname: "root", Format: tar.FormatUSTAR,
		}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(f.content); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), zipped.Close())
}

// packZip is packTarGz for Windows.
func packZip(w io.Writer, folder string, files []file, at time.Time) error {
	archive := zip.NewWriter(w)
	for _, f := range files {
		header := zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: at.UTC()}
		header.SetMode(f.mode)
		to, err := archive.CreateHeader(&header)
		if err != nil {
			return err
		}
		if _, err := to.Write(f.content); err != nil {
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
