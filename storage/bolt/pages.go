package bolt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

// bbolt trusts its pages. Where one leads back to itself, a search recurses until the stack
// overflows, which ends the process; where the list of free pages names one in use, the next
// commit overwrites it; where a page says that it has fewer keys than it has, the others
// seem never to have been there. No checksum of a value shows any of that, and bbolt's own check
// reads every page and may itself end the process. So the branches and the list of free pages,
// one page in a hundred, are looked at before bbolt may use a file, and all pages by a check.

// A page begins with its number, its kind, the number of its keys, and how many pages follow
// it as a part of it. An element for each key comes next, then the keys themselves. The
// elements of a branch have the place of the key and its length, and the number of the page
// below; those of a leaf have flags before these, and the length of the value after them.
const (
	headerSize  = 16
	elementSize = 16

	branchPage = 0x01
	leafPage   = 0x02
	freePage   = 0x10

	metaFreelist = headerSize + 32 // where a meta page has the number of the first free page list
	metaTx       = headerSize + 48 // and where it has the number of its transaction
)

type page []byte

func (p page) u16(at int) int         { return int(binary.NativeEndian.Uint16(p[at:])) }
func (p page) u32(at int) int         { return int(binary.NativeEndian.Uint32(p[at:])) }
func (p page) u64(at int) uint64      { return binary.NativeEndian.Uint64(p[at:]) }
func (p page) kind() int              { return p.u16(8) }
func (p page) count() int             { return p.u16(10) }
func (p page) more() int              { return p.u32(12) }
func (p page) element(i int) (at int) { return headerSize + i*elementSize }
func (p page) child(i int) uint64     { return p.u64(p.element(i) + 8) }

// pair returns a key and, in a leaf, its value. It is not ok if they are not in the page, or not where they belong:
// the first key comes right after the elements.
func (p page) pair(i int) (key, value []byte, ok bool) {
	at, valueSize := p.element(i), 0
	field := at
	if p.kind() == leafPage {
		field, valueSize = at+4, p.u32(at+12)
	}
	at += p.u32(field)
	end := at + p.u32(field+4)
	if end+valueSize > len(p) || i == 0 && at != p.element(p.count()) {
		return nil, nil, false
	}
	return p[at:end], p[end : end+valueSize], true
}

// pages is a walk over the pages of one transaction.
type pages struct {
	leaves bool // whether to read leaves, too

	ctx     context.Context
	file    io.ReaderAt
	size    int                            // of a page
	used    []bool                         // by page
	height  int                            // how many branches are above each leaf of the present bucket; -1 until one is found
	found   func(key, sealed []byte) error // called for every record, unless it is nil
	problem error                          // the first one
	gap     bool                           // set where records may be missing
	failed  error                          // what ended the walk
}

// look walks over the pages of a transaction, and calls found, unless it is nil, with what is in the leaves of the
// records. Its error means that bbolt cannot read the records at all, or must not: for instance one of checkFormat.
// What else is wrong is the walk's problem.
func (t *pages) look(ctx context.Context, tx *bbolt.Tx, file *os.File, found func(key, sealed []byte) error) error {
	t.ctx, t.file, t.size = ctx, file, tx.DB().Info().PageSize
	t.used = make([]bool, tx.Size()/int64(t.size))
	if t.bucket(tx.Cursor().Bucket()); t.problem != nil {
		return t.problem
	}
	if err := checkFormat(tx); err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return plain(err)
	}
	if missing := tx.Size() - info.Size(); missing > 0 {
		t.damaged("%d bytes are missing", missing)
	}
	t.bucket(tx.Bucket(bucketMeta))
	t.found, t.gap = found, false
	t.bucket(tx.Bucket(bucketRecords))
	gap := t.gap
	t.free(uint64(tx.ID()))
	t.gap = gap
	return t.failed
}

// checkPages returns an error that wraps game.ErrDamaged if bbolt cannot use the file of a
// transaction safely, and an error of checkFormat if the file is not one of ours.
func checkPages(ctx context.Context, tx *bbolt.Tx, file *os.File, leaves bool) error {
	t := pages{leaves: leaves}
	return cmp.Or(t.look(ctx, tx, file, nil), t.problem)
}

// CheckPages looks at every page of the file, and returns an error that wraps
// game.ErrDamaged if one is wrong. It looks at no value: reading them does that. The file
// may grow meanwhile, since no page is used again until the end.
func (m *Map) CheckPages(ctx context.Context) error {
	return m.read(ctx, func(tx *bbolt.Tx) error { return checkPages(ctx, tx, m.group.disk.file, true) })
}

func (t *pages) damaged(format string, args ...any) {
	t.gap = true
	if t.problem == nil {
		t.problem = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), game.ErrDamaged)
	}
}

// bucket walks over the pages of a bucket, unless it is so small that it lies in the page above.
func (t *pages) bucket(b *bbolt.Bucket) {
	if t.height = -1; b.Root() != 0 {
		t.walk(uint64(b.Root()), 0, nil, nil)
	}
}

// read returns a page with all that follows it, or nil.
func (t *pages) read(id uint64) page {
	if id >= uint64(len(t.used)) {
		t.damaged("there is no page %d", id)
		return nil
	}
	p := make(page, t.size)
	_, err := t.file.ReadAt(p, int64(id)*int64(t.size))
	if most := min(len(t.used)-int(id), 2*longest/t.size+len(t.used)/64); err == nil && p.u64(0) == id && p.more() > 0 && p.more() < most {
		p = make(page, t.size*(1+p.more()))
		_, err = t.file.ReadAt(p, int64(id)*int64(t.size))
	}
	if err != nil || p.u64(0) != id || len(p) != t.size*(1+p.more()) {
		t.damaged("page %d cannot be read", id)
		return nil
	}
	return p
}

// use notes that a page is in use, and reports whether it can be: it is there, and not used
// twice.
func (t *pages) use(id uint64) bool {
	switch {
	case id < 2 || id >= uint64(len(t.used)):
		t.damaged("there is no page %d", id)
	case t.used[id]:
		t.damaged("page %d is used twice", id)
	default:
		t.used[id] = true
		return true
	}
	return false
}

// walk goes over a page, with so many branches above it, and those below. Its first key is low, unless that is nil,
// and all are before high. Where something is wrong, it goes on with what can be read.
func (t *pages) walk(id uint64, depth int, low, high []byte) {
	if t.failed = cmp.Or(t.failed, t.ctx.Err()); t.failed != nil || !t.use(id) || depth == t.height && !t.leaves {
		return
	}
	p := t.read(id)
	if p == nil {
		return
	}
	for n := range p.more() {
		t.use(id + 1 + uint64(n))
	}
	isLeaf := p.kind() == leafPage
	if isLeaf && t.height < 0 {
		t.height = depth
	}
	if isLeaf != (depth == t.height) || !isLeaf && p.kind() != branchPage {
		t.damaged("page %d is of a wrong kind", id)
	}
	count := min(p.count(), (len(p)-headerSize)/elementSize)
	if count < p.count() || count == 0 && (depth > 0 || !isLeaf) {
		t.damaged("page %d has a wrong number of keys", id)
	}
	before := low
	for i := range count {
		key, value, ok := p.pair(i)
		order := bytes.Compare(before, key)
		if ok = ok && order <= 0 && (order == 0) == (i == 0 && low != nil) && (high == nil || bytes.Compare(key, high) < 0); ok {
			before = key
		} else {
			t.damaged("page %d has a wrong key", id)
		}
		switch {
		case !isLeaf:
			next := high
			if i+1 < count {
				next, _, _ = p.pair(i + 1)
			}
			t.walk(p.child(i), depth+1, key, next)
		case ok && t.found != nil && t.failed == nil:
			t.failed = t.found(key, value)
		}
	}
}

// free compares the list of free pages of a transaction with those in use.
func (t *pages) free(tx uint64) {
	for n := range int64(2) {
		meta := make(page, t.size)
		if _, err := t.file.ReadAt(meta, n*int64(t.size)); err != nil || meta.u64(metaTx) != tx {
			continue // not that transaction's, or overwritten since it began
		}
		id := meta.u64(metaFreelist)
		p := t.read(id)
		if p == nil {
			return
		}
		first, count := headerSize, p.count()
		if count == math.MaxUint16 {
			first, count = headerSize+8, int(p.u64(headerSize))
		}
		if p.kind() != freePage || count < 0 || count > (len(p)-first)/8 {
			t.damaged("page %d is not a list of free pages", id)
			return
		}
		for i := range uint64(1 + p.more()) {
			t.use(id + i)
		}
		for i := range count {
			t.use(p.u64(first + 8*i))
		}
		return
	}
}
