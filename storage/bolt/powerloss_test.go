package bolt

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.etcd.io/bbolt"

	"fivefold/storage/bolt/powerloss"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
)

const (
	lossWorkers = 4
	lossChanges = 60 // of each worker
	lossImages  = 300
)

// envTraced makes a test the program that [trace] runs. It has the path of the file.
const envTraced = "FIVEFOLD_TEST_TRACED"

// traced returns the path of the file of a program that [trace] runs, and skips the test in any other process.
func traced(t *testing.T) string {
	path := os.Getenv(envTraced)
	if path == "" {
		t.Skip("it is a program that another test traces")
	}
	return path
}

// trace runs a test of this binary as a program, traces what it does to a new map's file, and calls line with each line that it
// prints.
func trace(t *testing.T, program string, line func(log *powerloss.Log, text string)) *powerloss.Log {
	t.Helper()
	t.Parallel()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	log := &powerloss.Log{File: filepath.Join(folder, "traced.db")}
	if err := mustOpenDamaged(t, log.File).Close(); err != nil { // power that is lost before a file is whole loses nothing
		t.Fatal(err)
	}
	child := exec.Command(os.Args[0], "-test.run=^"+program+"$")
	child.Env = append(os.Environ(), envTraced+"="+log.File)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	child.Stdout, child.Stderr = in, in
	_, wait, err := log.Start(child)
	if errors.Is(err, powerloss.ErrUnsupported) {
		t.Skip(err)
	}
	if err := errors.Join(err, in.Close()); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line(log, lines.Text())
	}
	if err := wait(); err != nil {
		t.Fatal(err)
	}
	return log
}

// lossChange is the n-th change of a worker: it counts, adds an entry of some length and removes an old one.
func lossChange(worker, n int) ordered.Change {
	counter, entry := fmt.Sprint("counter/", worker), fmt.Sprintf("entry/%d/", worker)
	c := set(counter, fmt.Sprint(n), entry+fmt.Sprint(n), strings.Repeat(fmt.Sprint(n%10), n*n%3000))
	if n > 1 {
		c.If = []ordered.Pair{{Key: counter, Value: []byte(fmt.Sprint(n - 1))}}
	}
	if n > 10 {
		c.Set = append(c.Set, ordered.Pair{Key: entry + fmt.Sprint(n-10)})
	}
	return c
}

// TestPowerLossChild is the program that [TestPowerLoss] runs. Each line that its workers
// print is a commit that was acknowledged.
func TestPowerLossChild(t *testing.T) {
	m := mustOpen(t, traced(t))
	var working sync.WaitGroup
	for worker := range lossWorkers {
		working.Go(func() {
			for n := 1; n <= lossChanges; n++ {
				if err := m.Commit(t.Context(), lossChange(worker, n)); err != nil {
					t.Error(err)
					return
				}
				fmt.Println("commit", worker, n)
			}
		})
	}
	working.Wait()
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

// TestPowerLoss traces the writes and syncs of a map at work and makes the files that a loss
// of power may leave behind. Every one of them opens, with all that was acknowledged by then:
// the first changes of every worker, whole, and nothing else.
func TestPowerLoss(t *testing.T) {
	type acknowledgement struct{ moment, worker, n int }
	var all []acknowledgement
	log := trace(t, "TestPowerLossChild", func(log *powerloss.Log, text string) {
		var worker, n int
		if _, err := fmt.Sscanf(text, "commit %d %d", &worker, &n); err == nil { // otherwise the test binary says something of itself
			all = append(all, acknowledgement{log.Moment(), worker, n})
		}
	})
	if len(all) != lossWorkers*lossChanges {
		t.Fatalf("only %d commits were acknowledged", len(all))
	}
	random := rand.New(rand.NewPCG(5, 6))
	moments := make([]int, lossImages)
	for i := range moments {
		moments[i] = random.IntN(log.Moment() + 1)
	}
	slices.Sort(moments)
	var acknowledged [lossWorkers]int // at the moment of the loss
	for _, moment := range moments {
		for len(all) > 0 && all[0].moment <= moment {
			acknowledged[all[0].worker], all = all[0].n, all[1:]
		}
		path := log.File + ".lost"
		mustWrite(t, path, log.Loss(moment, random))
		checkAfterLoss(t, path, acknowledged)
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Fatalf("after call %d, and after %v", moment, acknowledged)
		}
	}
}

func checkAfterLoss(t *testing.T, path string, acknowledged [lossWorkers]int) {
	t.Helper()
	m, err := Open(path, Options{})
	if err != nil {
		t.Error(err)
		return
	}
	got := all(t, m)
	want := &orderedtest.Memory{}
	for worker, least := range acknowledged {
		n := 0
		if _, err := fmt.Sscan(got[fmt.Sprint("counter/", worker)], &n); n < least {
			t.Errorf("worker %d has made %d changes, %v, but %d were acknowledged", worker, n, err, least)
		}
		for i := range n {
			if err := want.Commit(t.Context(), lossChange(worker, i+1)); err != nil {
				t.Fatal(err)
			}
		}
	}
	answers, err := want.Read(t.Context(), everything)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range answers[0] {
		if value, ok := got[p.Key]; !ok || value != string(p.Value) {
			t.Errorf("%s is %.20q, want %.20q", p.Key, value, p.Value)
		}
	}
	if len(got) != len(answers[0]) {
		t.Errorf("there are %d keys, want %d", len(got), len(answers[0]))
	}
	if err := m.CheckPages(t.Context()); err != nil {
		t.Error(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

// TestKilledChild leaves a commit that is not synced, as a process does that is killed in the middle of it, and opens the
// file again. What it prints is what it has read then.
func TestKilledChild(t *testing.T) {
	path := traced(t)
	db, _, err := openFile(path, bbolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	key := []byte("a")
	put := func(tx *bbolt.Tx) error { return tx.Bucket(bucketRecords).Put(key, seal(key, []byte("1"))) }
	if err := errors.Join(update(db, put), db.Close()); err != nil {
		t.Fatal(err)
	}
	m := mustOpen(t, path)
	defer m.Close()
	fmt.Println("read", all(t, m)["a"])
}

// TestStartSyncs: what a killed process has left in memory is on the disk before the next one shows it.
func TestStartSyncs(t *testing.T) {
	read, moment := "", 0
	log := trace(t, "TestKilledChild", func(log *powerloss.Log, text string) {
		if n, _ := fmt.Sscanf(text, "read %s", &read); n == 1 {
			moment = log.Moment()
		}
	})
	if read != "1" {
		t.Fatalf("the program has read %q", read)
	}
	random := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		path := log.File + ".lost"
		mustWrite(t, path, log.Loss(moment, random))
		m, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := all(t, m)["a"]; got != "1" {
			t.Errorf("after a loss of power it is %q", got)
		}
		if err := errors.Join(m.Close(), os.Remove(path)); err != nil {
			t.Fatal(err)
		}
	}
}
