package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// packed is a file in an archive.
type packed struct {
	path string // where it is now
	name string // in the archive, with slashes
	mode fs.FileMode
}

// packTarGz writes an archive in which all files have the same time and belong to root,
// whoever makes it.
func packTarGz(w io.Writer, files []packed, at time.Time) error {
	zipped, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(zipped)
	for _, f := range files {
		content, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		if err := archive.WriteHeader(&tar.Header{
			Name: f.name, Mode: int64(f.mode), Size: int64(len(content)), ModTime: at, Uname: "root", Gname: "root", Format: tar.FormatUSTAR,
		}); err != nil {
			return err
		}
		if _, err := archive.Write(content); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), zipped.Close())
}

// packZip is packTarGz for Windows.
func packZip(w io.Writer, files []packed, at time.Time) error {
	archive := zip.NewWriter(w)
	for _, f := range files {
		content, err := os.ReadFile(f.path)
		if err != nil {
			return err
		}
		header := zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at.UTC()}
		header.SetMode(f.mode)
		file, err := archive.CreateHeader(&header)
		if err != nil {
			return err
		}
		if _, err := file.Write(content); err != nil {
			return err
		}
	}
	return archive.Close()
}

// writeChecksums writes the checksums of files as sha256sum does.
func writeChecksums(folder string, names []string) error {
	var lines strings.Builder
	for _, name := range slices.Sorted(slices.Values(names)) {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(content), name)
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(lines.String()), 0o644)
}
