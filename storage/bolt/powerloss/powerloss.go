// Package powerloss traces what a program does to a file, and makes the files that a loss of power may leave behind.
//
// Synced data is on the disk. Each write and each change of size after the last sync may be there or not, whatever the order. A
// write may also be torn: a disk writes sectors of 512 bytes, in any order.
package powerloss

import (
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
)

// ErrUnsupported means that programs cannot be traced here.
var ErrUnsupported = errors.New("programs cannot be traced here")

// sector is the number of bytes that a disk writes whole.
const sector = 512

// Log is what a traced program does to a file: see [Log.Start]. It is safe for concurrent use.
type Log struct {
	// File is the path of the file, absolute and without symbolic links. Its content before the first call counts as synced.
	File string

	mu      sync.Mutex // protects the fields below
	before  []byte     // the file before the first call
	calls   []call
	written int64
	disk    disk // after done calls
	done    int
}

// call is a system call for the file, or the end of a sync.
type call struct {
	kind   kind
	offset int64
	data   []byte // the bytes of a write
	size   int64  // the new size of a resize
}

type kind uint8

const (
	write kind = iota
	resize
	syncBegins
	syncEnds // without an error
)

// add adds a call that begins, or a sync that has ended.
func (l *Log) add(c call) (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.calls) == 0 {
		l.before, err = os.ReadFile(l.File)
	}
	l.calls = append(l.calls, c)
	l.written += int64(len(c.data))
	return err
}

// Written returns how many bytes were written; the log keeps all of them in memory.
func (l *Log) Written() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.written
}

// Moment returns the present moment, for [Log.Loss]. The first one is 0, and each call makes the next.
func (l *Log) Moment() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.calls)
}

// Loss returns a file that a loss of power at a moment may leave. Successive losses are quick if their moments ascend.
func (l *Log) Loss(moment int, r *rand.Rand) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done == 0 || moment < l.done {
		l.disk, l.done = disk{synced: slices.Clone(l.before)}, 0
	}
	for ; l.done < moment; l.done++ {
		l.disk.do(l.calls[l.done])
	}
	return l.disk.afterLoss(r)
}

// disk is a file on a disk with a cache.
type disk struct {
	synced []byte
	cached []call // since the last sync
	// syncing is how many of the cached calls the sync in progress makes durable.
	syncing int
}

func (d *disk) do(c call) {
	switch c.kind {
	case syncBegins:
		d.syncing = len(d.cached)
	case syncEnds:
		for _, c := range d.cached[:d.syncing] {
			d.synced = apply(d.synced, c)
		}
		d.cached, d.syncing = d.cached[d.syncing:], 0
	default:
		d.cached = append(d.cached, c)
	}
}

// afterLoss returns what may be on the disk when the power is lost now.
func (d *disk) afterLoss(r *rand.Rand) []byte {
	image := slices.Clone(d.synced)
	const none, all, some = 0, 1, 2 // or 3: some, and some torn
	how := r.IntN(4)
	for _, c := range d.cached {
		switch {
		case how == all, how != none && r.IntN(2) == 0:
			image = apply(image, c)
		case how > some && c.kind == write:
			image = tear(image, c, r)
		}
	}
	return image
}

func apply(file []byte, c call) []byte {
	if c.kind == resize {
		return resized(file, int(c.size))
	}
	if end := int(c.offset) + len(c.data); end > len(file) {
		file = resized(file, end)
	}
	copy(file[c.offset:], c.data)
	return file
}

func resized(file []byte, size int) []byte {
	if size <= len(file) {
		return file[:size]
	}
	return append(file, make([]byte, size-len(file))...)
}

// tear writes some sectors of a write.
func tear(file []byte, c call, r *rand.Rand) []byte {
	for from := 0; from < len(c.data); {
		to := min(len(c.data), from+sector-(int(c.offset)+from)%sector)
		if r.IntN(2) == 0 {
			file = apply(file, call{kind: write, offset: c.offset + int64(from), data: c.data[from:to]})
		}
		from = to
	}
	return file
}
