package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"syscall"
	"time"

	"fivefold/storage/storagetest/traced"
)

// diskFault is how a disk fails.
type diskFault struct {
	name  string
	fails func(c traced.Call, metaPage bool) syscall.Errno // 0 for a call that succeeds
}

// always fails every call of the kinds.
func always(errno syscall.Errno, kinds ...traced.Kind) func(traced.Call, bool) syscall.Errno {
	return func(c traced.Call, _ bool) syscall.Errno {
		for _, k := range kinds {
			if c.Kind == k {
				return errno
			}
		}
		return 0
	}
}

var diskPlan = []diskFault{
	{"full", always(syscall.ENOSPC, traced.Write, traced.Resize)},
	{"read-only", always(syscall.EROFS, traced.Write, traced.Resize)},
	{"failing writes", always(syscall.EIO, traced.Write)},
	{"failing syncs", always(syscall.EIO, traced.Sync)},
	{"failing syncs of the meta page", func(c traced.Call, metaPage bool) syscall.Errno {
		if c.Kind == traced.Sync && metaPage {
			return syscall.EIO
		}
		return 0
	}},
}

// metaPages is where bbolt's two meta pages end. Each commit writes one of them last.
const metaPages = 2 * 4096

// failing is the disk of a traced program.
type failing struct {
	now      atomic.Pointer[diskFault]
	done     atomic.Bool
	failures atomic.Int64
	metaPage bool // the last write was of a meta page; only the tracer uses it
}

func (f *failing) before(c traced.Call) traced.Failure {
	if c.Kind == traced.Write {
		f.metaPage = c.Offset < metaPages
	}
	fault := f.now.Load()
	if fault == nil {
		return traced.Failure{}
	}
	errno := fault.fails(c, f.metaPage)
	if errno != 0 {
		f.failures.Add(1)
	}
	return traced.Failure{Errno: errno, Done: f.done.Load()}
}

// disk has the disk fail for a while in every way, and then work again. Nothing that was
// acknowledged may be lost, and nothing that was refused may count. When the disk works again
// the program must save again, restarted by its supervisor if it ends.
func disk(ctx context.Context, s *soak) error {
	var f failing
	w, err := s.newWorld(ctx, "disk", setup{trace: &traced.Options{Before: f.before}})
	if err != nil {
		return err
	}
	w.expectCrashes, w.expectApologies = true, true
	defer w.end(ctx)
	random := s.random("disk")
	playing, stop := context.WithCancel(ctx)
	wait := w.play(playing, players, 50*time.Millisecond, nil)
	defer wait()
	defer stop()
	type form struct {
		*diskFault
		done bool
	}
	var forms []form
	for i := range diskPlan {
		forms = append(forms, form{&diskPlan[i], false}, form{&diskPlan[i], true})
	}
	count := 0
	for deadline := time.Now().Add(s.lasting); time.Now().Before(deadline); count++ {
		if count%len(forms) == 0 {
			random.Shuffle(len(forms), func(i, j int) { forms[i], forms[j] = forms[j], forms[i] })
		}
		this := forms[count%len(forms)]
		s.progress.now("%s, done: %t", this.name, this.done)
		f.done.Store(this.done)
		f.now.Store(this.diskFault)
		time.Sleep(time.Duration(100+random.IntN(400)) * time.Millisecond)
		f.now.Store(nil)
		if err := w.savesAgain(ctx); err != nil {
			return fmt.Errorf("after a disk that was %s, done: %t: %w", this.name, this.done, err)
		}
	}
	s.verdict.figure("%d kinds of faults, each %.1f times in both forms, %d failed calls; the program was started %d times", len(diskPlan), float64(count)/float64(len(forms)), f.failures.Load(), w.bot.starts)
	return nil
}

// savesAgain waits until another guess is acknowledged.
func (w *world) savesAgain(ctx context.Context) error {
	before := w.saved.Load()
	for began := time.Now(); time.Since(began) < patience; time.Sleep(10 * time.Millisecond) {
		if w.saved.Load() > before || ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return fmt.Errorf("nothing is saved any more\n%s", tail(w.bot.log, 5))
}
