package bolt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

// bbolt trusts its pages. Where one leads back to itself, a search recurses until the stack
// overflows, which ends the process; where the list of free pages names one in use, the next
// commit overwrites it; where a page says that it has fewer keys than it has, the others
// seem never to have been there. No checksum of a value shows any of that. So the pages
// between the root and the values are looked at before bbolt may use them: that is one page in a
// hundred. Values are always read by bbolt.

// A page begins with its number, its kind, the number of its keys, and how many pages follow
// it as a part of it. An element for each key comes next, then the keys themselves. The
// elements of a branch have the place of the key and its length, and the number of the page
// below; those of a leaf have flags before these.
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

func (p page) u16(at int) int    { return int(binary.NativeEndian.Uint16(p[at:])) }
func (p page) u32(at int) int    { return int(binary.NativeEndian.Uint32(p[at:])) }
func (p page) u64(at int) uint64 { return binary.NativeEndian.Uint64(p[at:]) }
func (p page) kind() int         { return p.u16(8) }
func (p page) count() int        { return p.u16(10) }
func (p page) more() int         { return p.u32(12) }
func (p page) child(i int) uint64 {
	return p.u64(headerSize + i*elementSize + 8)
}

// key returns a key, and where its place is counted from the first element.
func (p page) key(i int) (key []byte, at int, ok bool) {
	element := headerSize + i*elementSize
	field := element
	if p.kind() == leafPage {
		field += 4
	}
	begin := element + p.u32(field)
	end := begin + p.u32(field+4)
	if end > len(p) {
		return nil, 0, false
	}
	return p[begin:end], begin - headerSize, true
}

// tree is a walk over the pages of one transaction.
type tree struct {
	ctx    context.Context
	file   io.ReaderAt
	size   int    // of a page
	end    uint64 // the first page that is not in use
	leaves bool   // whether to look at leaves, too
	height int    // how many branches are above the leaves of the present bucket

	used    []bool   // by page
	path    []uint64 // from the root of the bucket to the present page
	low     []string // the lowest key of each leaf of the bucket
	problem error    // the first one
	cyclic  bool
}

// look walks over the pages of a transaction. The error means that bbolt cannot read the
// records at all, or must not: for instance one of checkFormat.
func look(ctx context.Context, tx *bbolt.Tx, file *os.File, leaves bool) (*tree, error) {
	size := tx.DB().Info().PageSize
	end := uint64(tx.Size()) / uint64(size)
	t := &tree{ctx: ctx, file: file, size: size, end: end, leaves: leaves, used: make([]bool, end)}
	info, err := file.Stat()
	if err != nil {
		return nil, plain(err)
	}
	if missing := tx.Size() - info.Size(); missing > 0 {
		t.damaged("%d bytes are missing", missing)
	}
	if t.bucket(tx.Cursor().Bucket()); t.cyclic {
		return nil, t.problem
	}
	switch err := checkFormat(tx); {
	case errors.Is(err, game.ErrDamaged) && tx.Bucket(bucketRecords) != nil:
		t.problem = cmp.Or(t.problem, err)
	case err != nil:
		return nil, cmp.Or(t.problem, err)
	}
	t.bucket(tx.Bucket(bucketMeta))
	if t.bucket(tx.Bucket(bucketRecords)); t.cyclic {
		return nil, t.problem
	}
	t.free(uint64(tx.ID()))
	return t, ctx.Err()
}

// checkPages returns an error that wraps game.ErrDamaged if bbolt cannot use the file of a
// transaction safely, and an error of checkFormat if the file is not one of ours.
func checkPages(ctx context.Context, tx *bbolt.Tx, file *os.File, leaves bool) error {
	t, err := look(ctx, tx, file, leaves)
	if err != nil {
		return err
	}
	return t.problem
}

// CheckPages looks at every page of the file, and returns an error that wraps
// game.ErrDamaged if one is wrong. It looks at no value: reading them does that. The file
// may grow meanwhile, since no page is used again until the end.
func (m *Map) CheckPages(ctx context.Context) error {
	return m.read(ctx, func(tx *bbolt.Tx) error { return checkPages(ctx, tx, m.group.disk.file, true) })
}

func (t *tree) damaged(format string, args ...any) {
	if t.problem == nil {
		t.problem = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), game.ErrDamaged)
	}
}

// bucket walks over the pages of a bucket. All its leaves are as deep as the first one.
func (t *tree) bucket(b *bbolt.Bucket) {
	root := uint64(b.Root())
	if root == 0 {
		return // it is so small that it lies in the page above
	}
	t.low, t.height = nil, 0
	for id := root; ; t.height++ {
		p := t.read(id)
		if p == nil || p.kind() == leafPage {
			break
		}
		if p.kind() != branchPage || len(p) < headerSize+elementSize || t.height > 32 {
			t.damaged("page %d is of a wrong kind", id)
			break
		}
		id = p.child(0)
	}
	t.walk(root, nil)
}

// read returns a page with all that follows it, or nil.
func (t *tree) read(id uint64) page {
	if id >= t.end {
		t.damaged("there is no page %d", id)
		return nil
	}
	p := make(page, t.size)
	_, err := t.file.ReadAt(p, int64(id)*int64(t.size))
	if err == nil && p.u64(0) == id && p.more() > 0 && p.more() < int(t.end-id) && p.more() < 2*longest/t.size+int(t.end)/64 {
		p = append(p, make(page, t.size*p.more())...)
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
func (t *tree) use(id uint64) bool {
	switch {
	case id < 2 || id >= t.end:
		t.damaged("there is no page %d", id)
	case t.used[id]:
		t.damaged("page %d is used twice", id)
	default:
		t.used[id] = true
		return true
	}
	return false
}

// walk goes over a page and those below it. Its first key is low, unless that is nil. It
// goes wherever bbolt would go, even where there is a problem.
func (t *tree) walk(id uint64, low []byte) {
	depth := len(t.path)
	if t.ctx.Err() != nil {
		return
	}
	if !t.use(id) {
		t.cyclic = t.cyclic || slices.Contains(t.path, id)
		return
	}
	isLeaf := depth == t.height
	if isLeaf {
		t.low = append(t.low, string(low))
		if !t.leaves {
			return
		}
	}
	p := t.read(id)
	if p == nil {
		return
	}
	for n := range p.more() {
		t.use(id + 1 + uint64(n))
	}
	count := p.count()
	switch {
	case p.kind() != leafPage && p.kind() != branchPage || (p.kind() == leafPage) != isLeaf:
		t.damaged("page %d is of a wrong kind", id)
	case count == 0 && (depth > 0 || !isLeaf), len(p) < headerSize+count*elementSize:
		t.damaged("page %d has a wrong number of keys", id)
	}
	count = min(count, (len(p)-headerSize)/elementSize)
	if p.kind() == leafPage {
		count = min(count, 1) // a damaged key has a wrong checksum
	}
	t.path = append(t.path, id)
	var before []byte
	for i := range count {
		key, at, ok := p.key(i)
		switch {
		case !ok || i > 0 && bytes.Compare(before, key) >= 0 || i == 0 && low != nil && !bytes.Equal(key, low):
			t.damaged("page %d has a wrong key", id)
		case i == 0 && at != p.count()*elementSize:
			t.damaged("page %d has a wrong number of keys", id)
		}
		before = key
		if p.kind() == branchPage {
			t.walk(p.child(i), key)
		}
	}
	t.path = t.path[:depth]
}

// free compares the list of free pages of a transaction with those in use.
func (t *tree) free(tx uint64) {
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
		// Where a page above leads to the wrong one, all below may look whole.
		if lost := slices.Index(t.used[2:], false); t.leaves && lost >= 0 {
			t.damaged("page %d is neither in use nor free", lost+2)
		}
		return
	}
}
