package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/game/racetest"
	"fivefold/storage/storagetest"
)

const (
	testGuild   = game.GuildID("g")
	testMatches = 150
)

// makeFile makes a database with content that fills several pages.
func makeFile(tb testing.TB, path string) {
	tb.Helper()
	s := mustOpenDamaged(tb, path) // as it may be after the test
	s.db.NoSync = true
	for i := range testMatches {
		p := game.Location{Guild: testGuild, Channel: channel(i)}
		m := storagetest.Wordle.Match(fmt.Sprint("match-", i), p, "ana", "crane")
		for _, w := range []string{"", "slate", "brick", "crane"} {
			if w != "" {
				m = storagetest.Wordle.Guess(tb, m, game.PlayerID(fmt.Sprint("player-", i)), w)
			}
			c := game.Change{Match: m, Request: requestOf(m), At: storagetest.Epoch}
			if err := s.Commit(context.Background(), c); err != nil {
				tb.Fatal(err)
			}
		}
	}
	// Where the newest meta page is damaged, bbolt goes back by one commit. This
	// one changes nothing that the tests check.
	storagetest.MustCommit(tb, s, storagetest.Wordle.Match("last", game.Location{Channel: "last"}, "ana", "crane"))
	if err := s.Close(); err != nil {
		tb.Fatal(err)
	}
	mustCheck(tb, path)
}

func channel(i int) game.ChannelID { return game.ChannelID(fmt.Sprint("channel-", i)) }

func requestOf(m game.Match) game.RequestID {
	return game.RequestID(fmt.Sprintf("%s/%d", m.ID, m.Version))
}

func mustRead(tb testing.TB, path string) []byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// longAgo is a time that no test's write can leave on a file.
var longAgo = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

func mustWrite(tb testing.TB, path string, data []byte) {
	tb.Helper()
	if err := errors.Join(os.WriteFile(path, data, 0o600), os.Chtimes(path, longAgo, longAgo)); err != nil {
		tb.Fatal(err)
	}
}

// checkRefused opens a file and expects an error, soon, and the file as it was.
func checkRefused(t *testing.T, name string, data []byte, want error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db") // its own: see Open
	mustWrite(t, path, data)
	began := time.Now()
	s, err := Open(path, testCodecs, Options{})
	if err == nil {
		s.Close()
	}
	if !errors.Is(err, want) || !strings.Contains(fmt.Sprint(err), path) {
		t.Errorf("%s: %v, want %v and the path", name, err, want)
	}
	if took := time.Since(began); took > 5*time.Minute { // on a busy machine
		t.Errorf("%s: opening took %v", name, took)
	}
	checkUntouched(t, name, path, data)
}

func checkUntouched(t *testing.T, name, path string, data []byte) {
	t.Helper()
	info, err := os.Stat(path)
	// Opening for writing sets the file's length on Windows, to what it has.
	if err != nil || !info.ModTime().Equal(longAgo) && runtime.GOOS != "windows" {
		t.Errorf("%s: the file was written to: %v, %v", name, info.ModTime(), err)
	}
	if !bytes.Equal(mustRead(t, path), data) {
		t.Errorf("%s: the file has changed", name)
	}
}

func TestOpenRefusesOtherFiles(t *testing.T) {
	text := []byte(strings.Repeat("This is a text, not a database.\n", 2000))
	foreign := func(options *bbolt.Options, bucket string) []byte {
		path := filepath.Join(t.TempDir(), "foreign.db")
		db, err := bbolt.Open(path, 0o600, options)
		if err != nil {
			t.Fatal(err)
		}
		err = db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucket([]byte(bucket))
			if err != nil {
				return err
			}
			return b.Put([]byte("key"), []byte("value"))
		})
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		return mustRead(t, path)
	}
	newer := func() []byte {
		path := filepath.Join(t.TempDir(), "newer.db")
		s := mustOpenDamaged(t, path)
		err := update(s.db, func(tx *bbolt.Tx) error {
			later := number(newestFormat + 1)
			return errors.Join(tx.Bucket(bucketMeta).Put(keyFormat, later), buckets{Tx: tx}.put(row{bucketMeta, keyFormatSealed, later}))
		})
		if err := errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
		return mustRead(t, path)
	}
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"a byte", []byte("x"), game.ErrDamaged},
		{"a short text", text[:100], game.ErrDamaged},
		{"a page of text", text[:os.Getpagesize()], game.ErrDamaged},
		{"a long text", text, game.ErrDamaged},
		{"zeros", make([]byte, 1<<16), game.ErrDamaged},
		{"another program's database", foreign(nil, "things"), ErrForeign},
		{"one with a bucket of the same name", foreign(nil, "meta"), ErrForeign},
		{"one without a list of free pages", foreign(&bbolt.Options{NoFreelistSync: true}, "things"), ErrForeign},
		{"a newer release's database", newer(), game.ErrNewer},
	} {
		checkRefused(t, c.name, c.data, c.want)
	}
}

func TestOpenRefusesOtherPlaces(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	mustWrite(t, file, []byte("text"))
	if s, err := Open(folder, testCodecs, Options{}); err == nil {
		s.Close()
		t.Error("a folder was opened")
	}
	for _, c := range []struct {
		name, path string
		want       error
	}{
		{"under a file", filepath.Join(file, "test.db"), syscall.ENOTDIR},
		{"deep under a file", filepath.Join(file, "a", "b", "test.db"), syscall.ENOTDIR},
	} {
		if s, err := Open(c.path, testCodecs, Options{}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, s, err, c.want)
		}
	}
	checkUntouched(t, "the file above", file, []byte("text"))
}

// ownersOnly is the mode of a file that only its owner can use. On Windows the folder says
// who can, and a mode only whether a file can be written.
var ownersOnly os.FileMode = 0o600

func init() {
	if runtime.GOOS == "windows" {
		ownersOnly = 0o666
	}
}

func TestOpenRefusesWithoutPermission(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("root may do everything, and Windows has other permissions")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "test.db")
	makeFile(t, path)
	data := mustRead(t, path)
	mustWrite(t, path, data)
	for _, mode := range []os.FileMode{0o400, 0} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if s, err := Open(path, testCodecs, Options{}); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("a file with mode %v: %v, %v", mode, s, err)
		}
	}
	if err := errors.Join(os.Chmod(path, 0o600), os.Chmod(folder, 0o500)); err != nil {
		t.Fatal(err)
	}
	checkUntouched(t, "the file", path, data)
	if s, err := Open(filepath.Join(folder, "new.db"), testCodecs, Options{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a new file in a folder not writable: %v, %v", s, err)
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
}

// TestOpenMakesNew: a file that is missing, folders and all, or empty.
func TestOpenMakesNew(t *testing.T) {
	folder := t.TempDir()
	empty := filepath.Join(folder, "empty.db")
	mustWrite(t, empty, nil)
	for _, path := range []string{empty, filepath.Join(folder, "a", "b", "new.db")} {
		makeFile(t, path)
		s := mustOpen(t, path)
		checkContent(t, s, "", false)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != ownersOnly {
			t.Errorf("%s has mode %v, %v; want only its owner's", path, info.Mode(), err)
		}
	}
}

// envLocked makes the test binary try to open the file that it names.
const envLocked = "FIVEFOLD_TEST_LOCKED"

func TestMain(m *testing.M) {
	if path := os.Getenv(envLocked); path != "" {
		if _, err := Open(path, testCodecs, Options{}); errors.Is(err, ErrLocked) {
			os.Exit(7)
		}
		os.Exit(8)
	}
	os.Exit(m.Run())
}

// TestOpenRefusesLocked opens a file that is in use, from this process and from
// another.
func TestOpenRefusesLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	makeFile(t, path)
	s := mustOpen(t, path)
	defer s.Close()
	data := mustRead(t, path)
	if err := os.Chtimes(path, longAgo, longAgo); err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other := exec.Command(program)
	other.Env = append(os.Environ(), envLocked+"="+path)
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if second, err := Open(path, testCodecs, Options{}); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), path) {
		t.Errorf("in use: %v, %v; want ErrLocked and the path", second, err)
	}
	var exit *exec.ExitError
	if err := other.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Errorf("in use by another process: %v, want ErrLocked there", err)
	}
	checkUntouched(t, "in use", path, data)
}

// TestOpenWaitsForTheLock: a restart may overlap with the end of the process
// before.
func TestOpenWaitsForTheLock(t *testing.T) {
	waitLong(t)
	path := filepath.Join(t.TempDir(), "test.db")
	first := mustOpen(t, path)
	time.AfterFunc(200*time.Millisecond, func() { first.Close() })
	within(t, "Open", func() {
		if err := mustOpen(t, path).Close(); err != nil {
			t.Error(err)
		}
	})
}

// waitLong has Open wait an hour for the lock, where its options do not say otherwise, until the
// end of the test.
func waitLong(t *testing.T) {
	was := lockWait
	lockWait = time.Hour
	t.Cleanup(func() { lockWait = was })
}

// checkContent reads all that makeFile wrote. With damaged set, each answer may
// be game.ErrDamaged or game.ErrRebuilding instead; it returns how many were.
func checkContent(t *testing.T, s *Store, name string, damaged bool) (refused int) {
	t.Helper()
	ctx := context.Background()
	check := func(what string, err error, got, want any) {
		t.Helper()
		switch {
		case err == nil && reflect.DeepEqual(got, want):
		case damaged && (errors.Is(err, game.ErrDamaged) || errors.Is(err, game.ErrRebuilding)):
			refused++
		default:
			t.Errorf("%s: %s is %v, %v; want %v", name, what, got, err, want)
		}
	}
	results, resultsErr := s.Results(ctx, 0, testMatches+10)
	var want []game.Result
	for i := range testMatches {
		m := storagetest.Wordle.Match(fmt.Sprint("match-", i), game.Location{Guild: testGuild, Channel: channel(i)}, "ana", "crane")
		player := game.PlayerID(fmt.Sprint("player-", i))
		for _, w := range []string{"slate", "brick", "crane"} {
			m = storagetest.Wordle.Guess(t, m, player, w)
		}
		got, err := s.Load(ctx, game.ChannelSlot(game.Wordle, channel(i)))
		check("a match", err, got, m)
		got, version, err := s.Repeated(ctx, game.ChannelSlot(game.Wordle, channel(i)), requestOf(m))
		check("a request", err, []any{got, version}, []any{m, uint64(4)})
		totals := game.Totals{Player: player, Played: 1, Won: 1, Credit: 1000, WonCredit: 1000, Attempts: 3000, Streak: 1, BestStreak: 1, Distribution: [6]int{2: 1}}
		gotTotals, err := s.Totals(ctx, game.Scope{Kind: game.Wordle, Guild: testGuild}, player)
		check("the totals", err, gotTotals, totals)
		if i%50 == 0 {
			board, err := s.Leaderboard(ctx, game.Scope{Kind: game.Wordle, Guild: testGuild}, player, 0)
			check("the leaderboard", err, board, game.Leaderboard{Players: testMatches, Own: game.Row{Place: 1, Totals: totals}})
		}
		r := m.Result()
		r.Number = uint64(i + 1)
		want = append(want, r)
		if i%50 == 0 {
			entries, err := s.History(ctx, game.Filter{Viewer: player, Player: player, Community: m.Location.Community(), Limit: 2})
			check("a history", err, entries, []game.Entry{{Number: uint64(i + 1), Result: r}})
			finished, err := s.Finished(ctx, m.ID)
			check("a finished match", err, finished, game.Finished{Number: uint64(i + 1), Match: m})
		}
	}
	check("the log", resultsErr, results, want)
	return refused
}

// openDamaged opens a file that has something wrong with it. Either that is
// seen, and the file left as it is, or what is read is right or an error.
// Nothing may panic, fault or hang.
func openDamaged(t *testing.T, name string, data []byte) (seen bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db")
	mustWrite(t, path, data)
	began := time.Now()
	s, err := Open(path, testCodecs, Options{})
	if err != nil {
		if !errors.Is(err, game.ErrDamaged) {
			t.Errorf("%s: %v, want ErrDamaged", name, err)
		}
		checkUntouched(t, name, path, data)
	} else {
		checkContent(t, s, name, true)
		m := storagetest.Wordle.Match("new", game.Location{Guild: testGuild, Channel: "new"}, "ana", "crane")
		if err := s.Commit(context.Background(), game.Change{Match: m, Request: "new", At: storagetest.Epoch}); err != nil && !errors.Is(err, game.ErrDamaged) {
			t.Errorf("%s: a commit returned %v, want ErrDamaged", name, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: closing: %v", name, err)
		}
	}
	if took := time.Since(began); took > 5*time.Minute { // on a busy machine
		t.Errorf("%s: it took %v", name, took)
	}
	return err != nil
}

func TestOpenTruncated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	makeFile(t, path)
	data := mustRead(t, path)
	used := usedBytes(t, path)
	page := os.Getpagesize()
	sizes := []int{1, 100, page - 1, page, page + 1, 2 * page, 3*page - 1, used / 2, used - 1}
	for n := 3 * page; n < used; n += page {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		checkRefused(t, fmt.Sprintf("%d of %d bytes", n, used), data[:n], game.ErrDamaged)
	}
	// bbolt makes the file longer than what it uses.
	mustWrite(t, path, data[:used])
	s := mustOpen(t, path)
	defer s.Close()
	checkContent(t, s, "what is used of the file", false)
}

// usedBytes returns where the last page in use ends.
func usedBytes(t *testing.T, path string) int {
	t.Helper()
	s := mustOpen(t, path)
	defer s.Close()
	var n int64
	if err := view(s.db, func(tx *bbolt.Tx) error { n = tx.Size(); return nil }); err != nil {
		t.Fatal(err)
	}
	return int(n)
}

// TestOpenKeysOutOfOrder: a page can look good and still be damaged.
func TestOpenKeysOutOfOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	makeFile(t, path)
	data := bytes.ReplaceAll(mustRead(t, path), []byte("channel-5"), []byte("zhannel-5"))
	checkRefused(t, "keys out of order", data, game.ErrDamaged)
}

// TestFileShrinksWhileOpen: reading what is gone is a fault, not a crash.
func TestFileShrinksWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	makeFile(t, path)
	s := mustOpenDamaged(t, path)
	defer s.Close()
	if err := os.Truncate(path, int64(3*os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	if refused := checkContent(t, s, "the first three pages", true); refused == 0 {
		t.Error("all is there, though the file is not")
	}
}

func TestOpenDamagedPages(t *testing.T) {
	racetest.Skip(t)
	if runtime.GOOS == "windows" {
		t.Skip("bbolt panics with the file open, and then the test cannot remove it there")
	}
	path := filepath.Join(t.TempDir(), "test.db")
	makeFile(t, path)
	data := mustRead(t, path)
	page := os.Getpagesize()
	pages := usedBytes(t, path) / page
	random := rand.New(rand.NewPCG(9, 10))
	garbage := func(b []byte) {
		for i := range b {
			b[i] = byte(random.Uint32())
		}
	}
	seen := 0
	for i := range pages {
		for _, c := range []struct {
			name   string
			damage func(b []byte)
		}{
			{"zeroed", func(b []byte) { clear(b) }},
			{"garbage", garbage},
			{"garbage after the header", func(b []byte) { garbage(b[16:]) }},
		} {
			broken := bytes.Clone(data)
			c.damage(broken[i*page:][:page])
			if openDamaged(t, fmt.Sprintf("page %d of %d %s", i, pages, c.name), broken) {
				seen++
			}
		}
	}
	if seen < pages {
		t.Errorf("only %d damages of %d pages were seen", seen, pages)
	}
	// Both meta pages at once leave nothing to go by.
	broken := bytes.Clone(data)
	clear(broken[:2*page])
	checkRefused(t, "both meta pages zeroed", broken, game.ErrDamaged)
}

// TestCreateLeavesNothingElse: a new file is made under another name, of which nothing
// stays.
func TestCreateLeavesNothingElse(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	s, err := Open(filepath.Join(folder, "test.db"), testCodecs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != "test.db" {
		t.Errorf("the folder has %v", entries)
	}
}

// TestCreateKeepsAnother: a file that another process has made meanwhile is not replaced.
func TestCreateKeepsAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	if err := createFile(path); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := createFile(path); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("the file was replaced (%v)", err)
	}
}
