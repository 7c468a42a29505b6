package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// writeTo writes a content to what the user typed, as a command does.
func writeTo(t *testing.T, typed, content string) error {
	t.Helper()
	o, err := (&Program{Out: io.Discard}).Output("--csv", typed)
	if err != nil {
		return err
	}
	return o.WriteBytes(t.Context(), []byte(content))
}

func mustWrite(t *testing.T, path, content string, perm fs.FileMode) {
	t.Helper()
	if err := errors.Join(os.WriteFile(path, []byte(content), perm), os.Chmod(path, perm)); err != nil {
		t.Fatal(err)
	}
}

// hasContent checks a regular file, and that nothing else was left next to it.
func hasContent(t *testing.T, path, want string, perm fs.FileMode, neighbours int) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s has %q, %v; want %q", path, got, err, want)
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != perm {
		t.Errorf("%s has the mode %v, %v; want %v", path, info.Mode(), err, perm)
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != neighbours+1 {
		t.Errorf("the folder has %v, %v; want %d other files", files, err, neighbours)
	}
}

func TestOutputFile(t *testing.T) {
	t.Run("new, under the umask", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.csv")
		umask := syscall.Umask(0o027)
		defer syscall.Umask(umask)
		if err := writeTo(t, path, "new"); err != nil {
			t.Fatal(err)
		}
		hasContent(t, path, "new", 0o640, 0)
	})
	t.Run("the mode is kept", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.csv")
		mustWrite(t, path, "old and longer", 0o606)
		if err := writeTo(t, path, "new"); err != nil {
			t.Fatal(err)
		}
		hasContent(t, path, "new", 0o606, 0)
	})
	t.Run("a name as long as can be", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), strings.Repeat("x", 255))
		if err := writeTo(t, path, "new"); err != nil {
			t.Error(err)
		}
	})
	t.Run("in the working folder", func(t *testing.T) {
		t.Chdir(t.TempDir())
		if err := writeTo(t, "games.csv", "new"); err != nil {
			t.Fatal(err)
		}
		hasContent(t, "games.csv", "new", 0o644, 0)
	})
	t.Run("what fails leaves the old file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.csv")
		mustWrite(t, path, "old", 0o600)
		o, err := (&Program{}).Output("", path)
		if err != nil {
			t.Fatal(err)
		}
		full := errors.New("full")
		_, err = o.Write(t.Context(), FileOptions{}, func(w io.Writer) error {
			_, err := io.WriteString(w, "half")
			return errors.Join(err, full)
		})
		if !errors.Is(err, full) {
			t.Errorf("got %v", err)
		}
		hasContent(t, path, "old", 0o600, 0)
	})
}

func TestOutputLinks(t *testing.T) {
	for _, c := range []struct {
		name, link, to string
		exists         bool
	}{
		{"to a file", "link", "games.csv", true},
		{"to nothing", "link", "games.csv", false},
		{"absolute", "link", "/games.csv", false},
		{"through a linked folder", "deep/link", "../games.csv", false}, // deep leads to real/deep
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			real := filepath.Join(folder, "real")
			for _, err := range []error{os.MkdirAll(filepath.Join(real, "deep"), 0o755), os.Symlink("real/deep", filepath.Join(folder, "deep"))} {
				if err != nil {
					t.Fatal(err)
				}
			}
			target := filepath.Join(folder, "games.csv")
			to := c.to
			if filepath.IsAbs(to) {
				to = target
			}
			if strings.HasPrefix(to, "../") {
				target = filepath.Join(real, "games.csv")
			}
			link := filepath.Join(folder, c.link)
			if err := os.Symlink(to, link); err != nil {
				t.Fatal(err)
			}
			if c.exists {
				mustWrite(t, target, "old", 0o600)
			}
			if err := writeTo(t, link, "new"); err != nil {
				t.Fatal(err)
			}
			if got, err := os.Readlink(link); err != nil || got != to {
				t.Errorf("the link leads to %q, %v", got, err)
			}
			if got, err := os.ReadFile(target); err != nil || string(got) != "new" {
				t.Errorf("the file has %q, %v", got, err)
			}
		})
	}
	t.Run("in a circle", func(t *testing.T) {
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink("link", link); err != nil {
			t.Fatal(err)
		}
		if err := writeTo(t, link, "new"); !errors.Is(err, syscall.ELOOP) {
			t.Errorf("got %v", err)
		}
	})
}

// TestOutputDevice writes to devices and FIFOs, which stay what they are.
func TestOutputDevice(t *testing.T) {
	folder := t.TempDir()
	stays := func(t *testing.T, path string, kind fs.FileMode) {
		t.Helper()
		if info, err := os.Lstat(path); err != nil || info.Mode().Type() != kind {
			t.Errorf("%s is now %v, %v", path, info.Mode(), err)
		}
	}
	t.Run("a device", func(t *testing.T) {
		// As root, a device of our own: a fault in the program must not remove the real one.
		path := filepath.Join(folder, "null")
		const null = 1<<8 | 3
		if err := syscall.Mknod(path, syscall.S_IFCHR|0o666, null); err != nil {
			t.Logf("no device can be made (%v); taking /dev/null", err)
			path = os.DevNull
		}
		if err := writeTo(t, path, "new"); err != nil {
			t.Error(err)
		}
		stays(t, path, fs.ModeDevice|fs.ModeCharDevice)
	})
	fifo := filepath.Join(folder, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("a FIFO", func(t *testing.T) {
		read := make(chan string, 1)
		go func() {
			content, err := os.ReadFile(fifo)
			if err != nil {
				t.Error(err)
			}
			read <- string(content)
		}()
		if err := writeTo(t, fifo, "new"); err != nil {
			t.Error(err)
		}
		if got := <-read; got != "new" {
			t.Errorf("its reader got %q", got)
		}
		stays(t, fifo, fs.ModeNamedPipe)
	})
	t.Run("a FIFO that nobody reads", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		o, err := (&Program{Out: io.Discard}).Output("--csv", fifo)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.WriteBytes(ctx, []byte("new")); err == nil || err.Error() != "--csv "+fifo+": stopped before it was read" {
			t.Errorf("got %v", err)
		}
	})
}

// TestOutputRefused: what cannot be written is found before the work, by the name that was
// typed.
func TestOutputRefused(t *testing.T) {
	folder := t.TempDir()
	sealed := filepath.Join(folder, "sealed")
	if err := os.Mkdir(sealed, 0o500); err != nil {
		t.Fatal(err)
	}
	sealedFile, dangling := filepath.Join(folder, "sealed.csv"), filepath.Join(folder, "link")
	mustWrite(t, sealedFile, "old", 0o400)
	if err := os.Symlink("none/games.csv", dangling); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, typed, want string
		notRoot           bool
	}{
		{"a folder", folder, "it is a folder, not a file", false},
		{"a folder by its name", folder + "/new/", "that is the name of a folder, not of a file", false},
		{"in no folder", folder + "/none/games.csv", "there is no folder " + folder + "/none", false},
		{"a link into no folder", dangling, "there is no folder " + folder + "/none", false},
		{"in a file", sealedFile + "/games.csv", "not a directory", false},
		{"in a sealed folder", sealed + "/games.csv", "no file can be made in that folder: permission denied", true},
		{"a sealed file", sealedFile, "permission denied", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.notRoot && os.Geteuid() == 0 {
				t.Skip("root may write everywhere")
			}
			_, err := (&Program{Out: io.Discard}).Output("--csv", c.typed)
			if want := "--csv " + c.typed + ": " + c.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

// TestOutputOfRedirect: the file that standard output goes to is standard output, under any name.
func TestOutputOfRedirect(t *testing.T) {
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	o, err := (&Program{Out: out}).Output("--csv", out.Name())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(out, "before")
	if err := o.WriteBytes(t.Context(), []byte("new")); err != nil || !o.isStandard() {
		t.Errorf("standard output: %v, %v", o.isStandard(), err)
	}
	if got, err := os.ReadFile(out.Name()); err != nil || string(got) != "before\nnew" {
		t.Errorf("the file has %q, %v", got, err)
	}
}
