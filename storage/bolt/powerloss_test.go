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
	"strings"
	"sync"
	"testing"
	"time"

	"fivefold/storage/ordered"
	"fivefold/storage/storagetest/powerloss"
	"fivefold/storage/storagetest/traced"
)

const (
	lossWorkers = 4
	lossChanges = 60 // of each worker
	lossImages  = 300
)

// envPowerLoss makes TestPowerLossChild the program whose file is traced.
const envPowerLoss = "FIVEFOLD_TEST_POWERLOSS"

// lossState is what a worker has stored after n changes: a counter and its last entries.
func lossState(worker, n int) map[string]string {
	state := map[string]string{}
	if n > 0 {
		state[fmt.Sprintf("counter/%d", worker)] = fmt.Sprint(n)
	}
	for i := max(1, n-10); i <= n; i++ {
		state[fmt.Sprintf("entry/%d/%03d", worker, i)] = strings.Repeat(fmt.Sprint(i%10), i*i%3000)
	}
	return state
}

// lossChange is the change from one state to the next.
func lossChange(worker, n int) (c ordered.Change) {
	before, after := lossState(worker, n-1), lossState(worker, n)
	for key, value := range before {
		c.If = append(c.If, ordered.Pair{Key: key, Value: []byte(value)})
		if _, ok := after[key]; !ok {
			c.Set = append(c.Set, ordered.Pair{Key: key})
		}
	}
	for key, value := range after {
		if before[key] != value {
			c.Set = append(c.Set, ordered.Pair{Key: key, Value: []byte(value)})
		}
	}
	return c
}

// TestPowerLossChild is the program that [TestPowerLoss] runs. Each line that its workers
// print is a commit that was acknowledged.
func TestPowerLossChild(t *testing.T) {
	path := os.Getenv(envPowerLoss)
	if path == "" {
		t.Skip("it is the program that TestPowerLoss traces")
	}
	m := mustOpen(t, path)
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
	var acknowledged [lossWorkers]int // at the moment of the image
	all := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var worker, n int
		if _, err := fmt.Sscanf(lines.Text(), "commit %d %d", &worker, &n); err != nil {
			continue // what the test binary says of itself
		}
		all++
		log.Note(func() { acknowledged[worker] = n })
	}
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	if all != lossWorkers*lossChanges {
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
			t.Logf("image %d of seed %d, after %v", images, seed, acknowledged)
		}
		return !t.Failed()
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d commits, %d images", all, images)
}

func checkAfterLoss(t *testing.T, path string, acknowledged [lossWorkers]int) {
	t.Helper()
	m, err := Open(path, Options{})
	if err != nil {
		t.Error(err)
		return
	}
	got := all(t, m)
	want := map[string]string{}
	for worker, least := range acknowledged {
		n := 0
		if _, err := fmt.Sscan(got[fmt.Sprintf("counter/%d", worker)], &n); err != nil && least > 0 {
			t.Error(err)
		}
		if n < least {
			t.Errorf("worker %d has made %d changes, but %d were acknowledged", worker, n, least)
		}
		for k, v := range lossState(worker, n) {
			want[k] = v
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("there are %d keys, want %d, or others", len(got), len(want))
	}
	if err := m.CheckPages(t.Context()); err != nil {
		t.Error(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}
