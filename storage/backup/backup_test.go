package backup

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// recorder notes what an Observer learns.
type recorder struct {
	made   []time.Time
	failed int
}

func (r *recorder) BackedUp(at time.Time, _ int64, _ time.Duration) { r.made = append(r.made, at) }
func (r *recorder) BackupFailed()                                   { r.failed++ }

// schedule returns a Schedule that writes a file with its number in it every hour.
func schedule(t *testing.T, folder string) (*Schedule, *recorder) {
	r := &recorder{}
	n := 0
	return &Schedule{
		Folder: folder, Every: time.Hour, Keep: 3,
		Copy: func(_ context.Context, path string) error {
			n++
			return os.WriteFile(path, []byte(fmt.Sprint(n)), 0o600)
		},
		Check:    func(context.Context, string) error { return nil },
		Size:     func() (int64, error) { return 1000, nil },
		Log:      slog.New(slog.NewTextHandler(t.Output(), nil)),
		Observer: r,
		Free:     func(string) (int64, error) { return 3000, nil },
	}, r
}

// runFor runs a schedule for a time.
func runFor(t *testing.T, s *Schedule, d time.Duration) {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	s.Run(ctx)
}

// names returns the files in a folder.
func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func put(t *testing.T, folder string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// synctest's clock starts at midnight UTC, 2000-01-01.

func TestSchedule(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "folder")
	synctest.Test(t, func(t *testing.T) {
		s, r := schedule(t, folder)
		runFor(t, s, 4*time.Hour+time.Minute)
		want := []string{"fivefold-20000101T020000Z.db", "fivefold-20000101T030000Z.db", "fivefold-20000101T040000Z.db"}
		if got := names(t, folder); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if len(r.made) != 5 || r.failed != 0 || !r.made[4].Equal(time.Date(2000, 1, 1, 4, 0, 0, 0, time.UTC)) {
			t.Errorf("%+v", r)
		}
	})
	info, err := os.Stat(folder)
	if err != nil || info.Mode().Perm() != 0o700 && runtime.GOOS != "windows" { // there, permissions are the parent's
		t.Errorf("the folder: %v, %v", info.Mode(), err)
	}
}

// TestRestart: the next copy is due when the newest one is old enough.
func TestRestart(t *testing.T) {
	for _, c := range []struct {
		name, newest string
		want         []string // the times of copies within the next 80 minutes
	}{
		{"none", "", []string{"00:00", "01:00"}},
		{"one of half an hour ago", "fivefold-19991231T233000Z.db", []string{"00:30"}},
		{"one of last year", "fivefold-19990101T000000Z.db", []string{"00:00", "01:00"}},
		{"one of the future", "fivefold-20300101T000000Z.db", []string{"00:00", "01:00"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			if c.newest != "" {
				put(t, folder, c.newest)
			}
			synctest.Test(t, func(t *testing.T) {
				s, r := schedule(t, folder)
				runFor(t, s, 80*time.Minute)
				var got []string
				for _, at := range r.made {
					if at.Year() == 2000 && !at.Before(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)) {
						got = append(got, at.UTC().Format("15:04"))
					}
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("got %v, want %v", got, c.want)
				}
				if c.newest != "" && len(r.made) != len(c.want)+1 {
					t.Errorf("the one that was there was not reported: %v", r.made)
				}
			})
		})
	}
}

// TestFailures: nothing old is removed for a copy that is not whole, and the next try
// comes a minute later, or an hour where the disk has no room.
func TestFailures(t *testing.T) {
	old := []string{"fivefold-19990101T000000Z.db", "fivefold-19990102T000000Z.db", "fivefold-19990103T000000Z.db"}
	for _, c := range []struct {
		name   string
		change func(*Schedule)
		want   string // in the log
		tries  int    // in five minutes
	}{
		{"the copy fails", func(s *Schedule) {
			s.Copy = func(_ context.Context, path string) error { return errors.New("no space left on device") }
		}, "no space left", 6},
		{"the copy is damaged", func(s *Schedule) {
			s.Check = func(context.Context, string) error { return errors.New("damaged") }
		}, "cannot be used: damaged", 6},
		{"the disk is nearly full", func(s *Schedule) {
			s.Free = func(string) (int64, error) { return 2999, nil }
		}, "bytes are free", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			put(t, folder, old...)
			synctest.Test(t, func(t *testing.T) {
				s, r := schedule(t, folder)
				var log strings.Builder
				s.Log = slog.New(slog.NewTextHandler(&log, nil))
				whole := *s
				c.change(s)
				runFor(t, s, 5*time.Minute+time.Second)
				if got := names(t, folder); !slices.Equal(got, old) || r.failed != c.tries || len(r.made) != 1 {
					t.Errorf("%v, %+v", got, r)
				}
				if n := strings.Count(log.String(), c.want); n != c.tries {
					t.Errorf("logged %d times in five minutes:\n%s", n, log.String())
				}
				runFor(t, &whole, time.Second)
				if got := names(t, folder); len(got) != 3 || got[2] != "fivefold-20000101T000501Z.db" {
					t.Errorf("after it was repaired: %v", got)
				}
			})
		})
	}
}

// TestOthersFiles: a file that is not a copy stays, and what an interrupted copy has left is
// removed.
func TestOthersFiles(t *testing.T) {
	folder := t.TempDir()
	others := []string{"fivefold.db", "fivefold-.db", "fivefold-20000101T000000Z.db.gz", "notes-fivefold-20000101T000000Z.db"}
	put(t, folder, others...)
	put(t, folder, "fivefold-19990101T000000Z.db.unfinished")
	synctest.Test(t, func(t *testing.T) {
		s, _ := schedule(t, folder)
		s.Keep = 1
		runFor(t, s, 3*time.Hour+time.Minute)
	})
	want := append([]string{"fivefold-20000101T030000Z.db"}, others...)
	slices.Sort(want)
	got := names(t, folder)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestEnd: a copy in progress ends with the context, and is not a failure.
func TestEnd(t *testing.T) {
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s, r := schedule(t, folder)
		s.Copy = func(ctx context.Context, path string) error {
			<-ctx.Done()
			return ctx.Err()
		}
		runFor(t, s, time.Minute)
		if r.failed != 0 || len(r.made) != 0 {
			t.Errorf("%+v", r)
		}
	})
}

func TestFree(t *testing.T) {
	free, err := Free(t.TempDir())
	if err != nil || free <= 0 {
		t.Errorf("%d, %v", free, err)
	}
	if _, err := Free(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("a missing folder has room")
	}
}
