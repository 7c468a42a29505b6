// Package powerloss makes the files that a loss of power may leave behind.
//
// What was synced is on the disk. Each write and each change of size since then may be
// there or not, whatever came before it or after it; and a write may be torn: a disk
// writes sectors of 512 bytes, in any order.
package powerloss

import (
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"sync"

	"fivefold/storage/storagetest/traced"
)

// sector is the number of bytes that a disk writes whole.
const sector = 512

// Log is what happened to a file, and what others noted meanwhile. It is safe for
// concurrent use.
type Log struct {
	mu     sync.Mutex // protects the fields below
	before []byte     // the file before the first call; it was on the disk
	began  bool
	events []event
	bytes  int64 // written
	err    error
}

// event is the beginning or the end of a call, or a note.
type event struct {
	call  *traced.Call
	ended bool
	note  func()
}

// Watch has the log follow a traced program. If the file exists by then, it must be on the
// disk.
func (l *Log) Watch(o *traced.Options) {
	o.Began = func(c traced.Call) {
		l.begin(o.File)
		l.add(event{call: &c})
		l.mu.Lock()
		defer l.mu.Unlock()
		l.bytes += int64(len(c.Data))
	}
	o.Ended = func(c traced.Call) { l.add(event{call: &c, ended: true}) }
}

// Note adds a function that [Log.Images] calls before every image of a later moment.
func (l *Log) Note(f func()) { l.add(event{note: f}) }

// Written returns how many bytes were written; the log keeps all of them in memory.
func (l *Log) Written() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes
}

// begin keeps what the file has before the first call.
func (l *Log) begin(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.began {
		return
	}
	l.began = true
	if l.before, l.err = os.ReadFile(path); errors.Is(l.err, os.ErrNotExist) {
		l.err = nil
	}
}

func (l *Log) add(e event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
}

// Images calls check with n files, each from a loss of power at a random moment. Moments
// come in their order, so what was noted before the present one is known to the caller.
// It stops when check returns false. The image is check's to keep. An error means that
// the file could not be read before the first call.
func (l *Log) Images(n int, r *rand.Rand, check func(image []byte) bool) error {
	l.mu.Lock()
	events, before, err := slices.Clone(l.events), l.before, l.err
	l.mu.Unlock()
	if err != nil {
		return err
	}
	moments := make([]int, n)
	for i := range moments {
		moments[i] = r.IntN(len(events) + 1)
	}
	slices.Sort(moments)
	d := disk{synced: slices.Clone(before)}
	at := 0
	for _, moment := range moments {
		for ; at < moment; at++ {
			if e := events[at]; e.note != nil {
				e.note()
			} else {
				d.do(e)
			}
		}
		if !check(d.afterLoss(r)) {
			return nil
		}
	}
	return nil
}

// Loss returns a file from a loss of power after all that was logged. The error is that of Images.
func (l *Log) Loss(r *rand.Rand) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := disk{synced: slices.Clone(l.before)}
	for _, e := range l.events {
		if e.call != nil {
			d.do(e)
		}
	}
	return d.afterLoss(r), l.err
}

// disk is a file on a disk with a cache.
type disk struct {
	synced []byte
	cached []traced.Call // since the last sync
	// syncing is how many of them a sync that has begun will make durable.
	syncing int
}

func (d *disk) do(e event) {
	switch {
	case e.call.Kind != traced.Sync && !e.ended:
		d.cached = append(d.cached, *e.call)
	case e.call.Kind == traced.Sync && !e.ended:
		d.syncing = len(d.cached)
	case e.call.Kind == traced.Sync:
		for _, c := range d.cached[:d.syncing] {
			d.synced = apply(d.synced, c)
		}
		d.cached, d.syncing = d.cached[d.syncing:], 0
	}
}

// afterLoss returns what may be on the disk when the power is lost now.
func (d *disk) afterLoss(r *rand.Rand) []byte {
	image := slices.Clone(d.synced)
	const none, all, some = 0, 1, 2 // or some and torn
	how := r.IntN(4)
	for _, c := range d.cached {
		switch {
		case how == all, how != none && r.IntN(2) == 0:
			image = apply(image, c)
		case how > some && c.Kind == traced.Write:
			image = tear(image, c, r)
		}
	}
	return image
}

func apply(file []byte, c traced.Call) []byte {
	if c.Kind == traced.Resize {
		return resize(file, int(c.Size))
	}
	if end := int(c.Offset) + len(c.Data); end > len(file) {
		file = resize(file, end)
	}
	copy(file[c.Offset:], c.Data)
	return file
}

func resize(file []byte, size int) []byte {
	if size <= len(file) {
		return file[:size]
	}
	return append(file, make([]byte, size-len(file))...)
}

// tear writes some sectors of a write.
func tear(file []byte, c traced.Call, r *rand.Rand) []byte {
	for from := 0; from < len(c.Data); {
		to := min(len(c.Data), from+sector-(int(c.Offset)+from)%sector)
		if r.IntN(2) == 0 {
			file = apply(file, traced.Call{Kind: traced.Write, Offset: c.Offset + int64(from), Data: c.Data[from:to]})
		}
		from = to
	}
	return file
}
