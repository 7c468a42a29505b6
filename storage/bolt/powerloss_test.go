package bolt

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/storagetest"
	"fivefold/storage/storagetest/powerloss"
	"fivefold/storage/storagetest/traced"
)

const (
	lossWorkers = 4
	lossMatches = 12 // of each worker
	lossImages  = 300
)

// envPowerLoss makes TestPowerLossChild the program whose file is traced.
const envPowerLoss = "FIVEFOLD_TEST_POWERLOSS"

// lossMatch is a match of a worker as it is at its end; its earlier versions are that,
// rewound. It is won, lost or stopped.
func lossMatch(tb testing.TB, worker, n int) game.Match {
	tb.Helper()
	g := storagetest.Games()[n%3]
	location := game.Location{Guild: testGuild, Channel: channel(worker)}
	player := game.PlayerID(fmt.Sprint("player-", worker))
	m := g.Match(fmt.Sprintf("match-%d-%02d", worker, n), location, player, g.Answers[6])
	for _, answer := range [][]string{g.Answers[:6], {g.Answers[worker], g.Answers[6]}, g.Answers[:2]}[n/3%3] {
		m = g.Guess(tb, m, player, answer)
	}
	if m.Status() == game.Playing {
		m.Version++
		m.Stop = &game.Stop{Player: player, At: storagetest.Epoch.Add(time.Second), Version: m.Version}
	}
	return m
}

// TestPowerLossChild is no test: see [TestPowerLoss]. Its workers commit matches, and
// each line that it prints is a commit that was acknowledged.
func TestPowerLossChild(t *testing.T) {
	path := os.Getenv(envPowerLoss)
	if path == "" {
		t.Skip("it is the program that TestPowerLoss traces")
	}
	s := mustOpen(t, path)
	var working sync.WaitGroup
	for worker := range lossWorkers {
		working.Go(func() {
			for n := range lossMatches {
				m := lossMatch(t, worker, n)
				for version := uint64(1); version <= m.Version; version++ {
					if err := s.Commit(t.Context(), storagetest.Change(m.Rewind(version))); err != nil {
						t.Error(err)
						return
					}
					fmt.Println("commit", worker, n, version)
				}
			}
		})
	}
	working.Wait()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestPowerLoss traces the writes and syncs of a store at work and makes the files that
// a loss of power may leave behind. The store opens every one of them, has all that was
// acknowledged by then and nothing that was never committed, and counts nothing twice.
func TestPowerLoss(t *testing.T) {
	t.Parallel()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "traced.db")
	child := exec.Command(os.Args[0], "-test.run=^TestPowerLossChild$")
	child.Env = append(os.Environ(), envPowerLoss+"="+file)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	child.Stdout, child.Stderr = in, in
	var log powerloss.Log
	o := traced.Options{File: file}
	log.Watch(&o)
	p, err := traced.Start(child, o)
	if errors.Is(err, traced.ErrUnsupported) {
		t.Skip(err)
	}
	if err := errors.Join(err, in.Close()); err != nil {
		t.Fatal(err)
	}
	// acknowledged is the last version of each match, at the moment of the image.
	acknowledged := map[[2]int]uint64{}
	all := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var worker, n int
		var version uint64
		if _, err := fmt.Sscanf(lines.Text(), "commit %d %d %d", &worker, &n, &version); err != nil {
			continue // what the test binary says of itself
		}
		all++
		log.Note(func() { acknowledged[[2]int{worker, n}] = version })
	}
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	if all < lossWorkers*lossMatches*3 {
		t.Fatalf("only %d commits were acknowledged", all)
	}
	seed := uint64(time.Now().UnixNano())
	images := 0
	err = log.Images(lossImages, rand.New(rand.NewPCG(seed, 0)), func(image []byte) bool {
		images++
		path := filepath.Join(folder, fmt.Sprintf("image-%d.db", images))
		mustWrite(t, path, image)
		checkAfterLoss(t, path, acknowledged)
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("image %d of seed %d, after %d matches", images, seed, len(acknowledged))
		}
		return !t.Failed()
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d commits, %d images", all, images)
}

func checkAfterLoss(t *testing.T, path string, acknowledged map[[2]int]uint64) {
	t.Helper()
	s, err := Open(path, testCodecs, Options{})
	if err != nil {
		t.Error(err)
		return
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := view(s.db, func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("a page: %v", err)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	inLog := map[game.MatchID]bool{}
	results, err := s.Results(t.Context(), 0, lossWorkers*lossMatches+1)
	if err != nil {
		t.Error(err)
	}
	for i, r := range results {
		if r.Number != uint64(i+1) || inLog[r.Match] {
			t.Errorf("result %d has number %d and match %s, which was there before: %t", i, r.Number, r.Match, inLog[r.Match])
		}
		inLog[r.Match] = true
	}
	for worker := range lossWorkers {
		for n := range lossMatches {
			want := lossMatch(t, worker, n)
			var got game.Match
			if inLog[want.ID] {
				finished, err := s.Finished(t.Context(), want.ID)
				if err != nil {
					t.Errorf("%s: %v", want.ID, err)
				}
				got = finished.Match
			} else if latest, err := s.Load(t.Context(), want.Slot()); err == nil && latest.ID == want.ID {
				got = latest
			} else if err != nil && !errors.Is(err, game.ErrNoMatch) {
				t.Errorf("%s: %v", want.ID, err)
			}
			if least := acknowledged[[2]int{worker, n}]; got.Version < least {
				t.Errorf("%s is at version %d, but %d was acknowledged", want.ID, got.Version, least)
			}
			if got.Version > 0 && !reflect.DeepEqual(got, want.Rewind(got.Version)) {
				t.Errorf("%s is\n%+v\nwant\n%+v", want.ID, got, want.Rewind(got.Version))
			}
		}
	}
	if len(results) > 0 {
		checkTally(t, s)
	}
}
