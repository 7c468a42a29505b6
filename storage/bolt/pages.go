package bolt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"slices"
)

// The code below reads bbolt's pages by itself, for checks and repairs: bbolt panics or
// reads beyond its mapping where a page is damaged, and cannot go on past it. The
// format is that of bbolt 1.3 to 1.5, version 2 (its internal/common).

// Sizes and flags of bbolt's pages.
const (
	pageHeader   = 16
	pageElement  = 16
	bucketHeader = 16
	metaSize     = 64

	branchPage   = 0x01
	leafPage     = 0x02
	metaPage     = 0x04
	freelistPage = 0x10

	bboltMagic   = 0xED0CDAED
	bboltVersion = 2

	maxPageSize = 1 << 16
	// maxOverflow bounds what is read as one page. Our largest records are some kilobytes,
	// but a list of free pages can be long.
	maxOverflow = 1 << 16
)

// pages reads the pages of a file. Numbers are in the byte order of the machine, as
// bbolt writes them.
type pages struct {
	file io.ReaderAt
	size int // of a page, in bytes
}

// root is where a transaction begins.
type root struct {
	page     uint64 // of the bucket of buckets
	freelist uint64
	end      uint64 // the first page that was never used
	tx       uint64
}

// page is a page with its overflow.
type page struct {
	id       uint64 // 0 for one within a bucket's header
	flags    uint16
	count    int
	overflow int
	data     []byte // with the header
}

// element is a key of a page and, in a leaf, its value, or the page that it leads to.
type element struct {
	key, value []byte
	bucket     bool   // whether the value is a bucket's header
	child      uint64 // of a branch
}

// takenBack is the content of a meta page whose transaction was made unreadable on
// purpose.
var takenBack = []byte("fivefold: not saved")

// decodeRoot reads the content of a meta page. A page with a single wrong byte is not intact,
// but read as it was before: only one change of one byte makes its checksum right.
func decodeRoot(meta []byte) (r root, pageSize int, intact, ok bool) {
	intact = validMeta(meta)
	if !intact {
		if meta = mendMeta(meta); meta == nil {
			return root{}, 0, false, false
		}
	}
	u64 := func(at int) uint64 { return binary.NativeEndian.Uint64(meta[at:]) }
	r = root{page: u64(16), freelist: u64(32), end: u64(40), tx: u64(48)}
	pageSize = int(binary.NativeEndian.Uint32(meta[8:]))
	ok = pageSize >= 512 && pageSize <= maxPageSize && pageSize&(pageSize-1) == 0 && r.page < r.end
	return r, pageSize, intact, ok
}

func validMeta(meta []byte) bool {
	if binary.NativeEndian.Uint32(meta) != bboltMagic || binary.NativeEndian.Uint32(meta[4:]) != bboltVersion {
		return false
	}
	sum := fnv.New64a()
	sum.Write(meta[:metaSize-8])
	return sum.Sum64() == binary.NativeEndian.Uint64(meta[metaSize-8:])
}

// mendMeta returns the meta page with one byte changed so that it is valid, or nil.
func mendMeta(meta []byte) []byte {
	meta = bytes.Clone(meta)
	for i := range meta {
		was := meta[i]
		for range 255 {
			meta[i]++
			if validMeta(meta) {
				return meta
			}
		}
		meta[i] = was
	}
	return nil
}

// foundRoot is a root and how it was found.
type foundRoot struct {
	root
	intact bool // false for a meta page that had to be mended
}

// readRoots finds the file's roots, newest first, and what is wrong with the meta pages.
func readRoots(file io.ReaderAt) (p pages, roots []foundRoot, problems []string) {
	p = pages{file: file, size: os.Getpagesize()}
	read := func(at int64) ([]byte, bool) {
		meta := make([]byte, metaSize)
		_, err := file.ReadAt(meta, at+pageHeader)
		return meta, err == nil
	}
	for n := range 2 {
		var found *foundRoot
		refused := false
		sizes := []int{p.size}
		if n == 1 && len(roots) == 0 { // the page size may be another machine's
			for size := 1024; size <= maxPageSize; size *= 2 {
				sizes = append(sizes, size)
			}
		}
		for _, size := range sizes {
			meta, ok := read(int64(n * size))
			if !ok {
				continue
			}
			refused = refused || bytes.HasPrefix(meta, takenBack)
			if r, pageSize, intact, ok := decodeRoot(meta); ok && (n == 0 || pageSize == size) {
				found = &foundRoot{r, intact}
				p.size = pageSize
				break
			}
		}
		switch {
		case refused:
		case found == nil:
			problems = append(problems, fmt.Sprintf("meta page %d cannot be read; the last commit may be missing", n))
		case !found.intact:
			problems = append(problems, fmt.Sprintf("meta page %d has a wrong byte", n))
		}
		if found != nil {
			roots = append(roots, *found)
		}
	}
	slices.SortFunc(roots, func(a, b foundRoot) int {
		if a.tx > b.tx {
			return -1
		}
		return 1
	})
	return p, roots, problems
}

// read returns a page with its overflow.
func (p pages) read(id uint64) (page, error) {
	data := make([]byte, p.size)
	if _, err := p.file.ReadAt(data, int64(id)*int64(p.size)); err != nil {
		return page{}, fmt.Errorf("page %d: %w", id, err)
	}
	g := page{
		id:       binary.NativeEndian.Uint64(data),
		flags:    binary.NativeEndian.Uint16(data[8:]),
		count:    int(binary.NativeEndian.Uint16(data[10:])),
		overflow: int(binary.NativeEndian.Uint32(data[12:])),
	}
	if g.id != id {
		return page{}, fmt.Errorf("page %d says that it is page %d", id, g.id)
	}
	if g.overflow > maxOverflow {
		return page{}, fmt.Errorf("page %d says that it goes on for %d pages", id, g.overflow)
	}
	if g.overflow > 0 {
		data = append(data, make([]byte, g.overflow*p.size)...)
		if _, err := p.file.ReadAt(data[p.size:], int64(id+1)*int64(p.size)); err != nil {
			return page{}, fmt.Errorf("page %d: %w", id, err)
		}
	}
	g.data = data
	return g, nil
}

// elements returns what a branch or a leaf holds, as parts of its data. Where the page is
// damaged it returns what is within it, and the first error: bbolt writes keys and values
// one after the other without a gap, so any wrong length shows.
func (g page) elements() (all []element, err error) {
	if g.flags != branchPage && g.flags != leafPage {
		return nil, fmt.Errorf("page %d is of no known kind (%#x)", g.id, g.flags)
	}
	wrong := func(i int) {
		if err == nil {
			err = fmt.Errorf("page %d: entry %d of %d is out of its place", g.id, i+1, g.count)
		}
	}
	end := pageHeader + g.count*pageElement
	for i := range g.count {
		at := pageHeader + i*pageElement
		if at+pageElement > len(g.data) {
			wrong(i)
			break
		}
		u32 := func(n int) int { return int(binary.NativeEndian.Uint32(g.data[at+n:])) }
		var e element
		var position, keySize, valueSize int
		if g.flags == leafPage {
			e.bucket = u32(0)&1 != 0
			position, keySize, valueSize = u32(4), u32(8), u32(12)
			if u32(0) > 1 {
				wrong(i)
			}
		} else {
			position, keySize = u32(0), u32(4)
			e.child = binary.NativeEndian.Uint64(g.data[at+8:])
		}
		begin := at + position
		if begin != end {
			wrong(i)
		}
		end = begin + keySize + valueSize
		if end > len(g.data) {
			wrong(i)
			continue
		}
		e.key = g.data[begin:][:keySize:keySize]
		e.value = g.data[begin+keySize:][:valueSize:valueSize]
		if n := len(all); n > 0 && bytes.Compare(all[n-1].key, e.key) >= 0 {
			wrong(i)
		}
		all = append(all, e)
	}
	if err == nil && g.overflow != end/(len(g.data)/(g.overflow+1)) && g.id != 0 {
		// An overflow that is too long would free pages of others.
		err = fmt.Errorf("page %d says that it goes on for %d pages", g.id, g.overflow)
	}
	return all, err
}

// free returns the pages in the list of free ones, in their order.
func (p pages) free(r root) ([]uint64, page, error) {
	g, err := p.read(r.freelist)
	if err != nil {
		return nil, page{}, err
	}
	if g.flags != freelistPage {
		return nil, page{}, fmt.Errorf("page %d is no list of free pages", r.freelist)
	}
	n, at := g.count, pageHeader
	if n == 0xFFFF {
		n, at = int(binary.NativeEndian.Uint64(g.data[pageHeader:])), pageHeader+8
	}
	if n < 0 || n > (len(g.data)-at)/8 {
		return nil, page{}, fmt.Errorf("page %d: the list of free pages is too long", r.freelist)
	}
	ids := make([]uint64, n)
	for i := range ids {
		ids[i] = binary.NativeEndian.Uint64(g.data[at+8*i:])
		if ids[i] < 2 || ids[i] >= r.end || i > 0 && ids[i] <= ids[i-1] {
			return nil, page{}, fmt.Errorf("page %d: entry %d of the list of free pages is wrong", r.freelist, i+1)
		}
	}
	return ids, g, nil
}

// pageWalk is a walk over all pages that a root leads to.
type pageWalk struct {
	pages
	root
	used    bits            // pages that were reached
	seen    int             // how many pages of the tree were reached
	damaged map[uint64]bool // pages of the tree of which not everything can be read
	problem func(bucket []byte, what error)
	// visit gets every record in reach, in the order of its bucket; the slices are its own.
	// An error ends the walk.
	visit func(bucket, key, value []byte) error
	// found gets every bucket before its records, with its sequence.
	found func(bucket []byte, sequence uint64) error
}

// bits is a set of page numbers.
type bits []byte

func (b bits) has(n uint64) bool { return b[n/8]&(1<<(n%8)) != 0 }
func (b bits) add(n uint64)      { b[n/8] |= 1 << (n % 8) }

func newPageWalk(p pages, r root) *pageWalk {
	return &pageWalk{pages: p, root: r, used: make(bits, r.end/8+1), damaged: map[uint64]bool{}}
}

// run walks over the whole tree, and goes on past damage.
func (w *pageWalk) run() error {
	w.used.add(0)
	w.used.add(1)
	return w.tree(nil, w.root.page, nil, nil, 0)
}

// take marks a page with its overflow as used.
func (w *pageWalk) take(id uint64, overflow int) error {
	for n := id; n <= id+uint64(overflow); n++ {
		if n < 2 || n >= w.end {
			return fmt.Errorf("page %d is not in the file", n)
		}
		if w.used.has(n) {
			return fmt.Errorf("page %d is used twice", n)
		}
	}
	for n := id; n <= id+uint64(overflow); n++ {
		w.used.add(n)
	}
	return nil
}

// maxDepth is deeper than any tree of bbolt that fits on a disk.
const maxDepth = 32

// tree walks over the tree below a page, whose keys are at least low and less than high,
// if that is not nil.
func (w *pageWalk) tree(bucket []byte, id uint64, low, high []byte, depth int) error {
	if depth > maxDepth || id < 2 || id >= w.end {
		w.problem(bucket, fmt.Errorf("page %d is not in the file", id))
		return nil
	}
	g, err := w.read(id)
	if err == nil {
		err = w.take(id, g.overflow)
		w.seen += 1 + g.overflow
	}
	if err != nil {
		w.problem(bucket, err)
		return nil
	}
	all, err := g.elements()
	if n := len(all); err == nil && n > 0 && (bytes.Compare(all[0].key, low) < 0 || high != nil && bytes.Compare(all[n-1].key, high) >= 0) {
		err = fmt.Errorf("page %d: keys do not belong there", id)
	}
	if err == nil && g.flags == branchPage && g.count == 0 {
		err = fmt.Errorf("page %d leads nowhere", id)
	}
	if err != nil {
		w.damaged[id] = true
		w.problem(bucket, err)
	}
	if g.flags == branchPage {
		for i, e := range all {
			next := high
			if i+1 < len(all) {
				next = all[i+1].key
			}
			if err := w.tree(bucket, e.child, e.key, next, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return w.leaf(bucket, all, depth)
}

func (w *pageWalk) leaf(bucket []byte, all []element, depth int) error {
	for _, e := range all {
		switch {
		case bucket != nil && e.bucket:
			w.problem(bucket, fmt.Errorf("a record is marked as a bucket"))
			fallthrough // its checksum says whether it is a record
		case bucket != nil:
			if err := w.visit(bucket, e.key, e.value); err != nil {
				return err
			}
		case !e.bucket || len(e.value) < bucketHeader:
			w.problem(e.key, fmt.Errorf("is no bucket"))
		default:
			if err := w.bucket(e.key, e.value, depth); err != nil {
				return err
			}
		}
	}
	return nil
}

// bucket walks over a bucket of the root. A small one has its only page after its header.
func (w *pageWalk) bucket(name, value []byte, depth int) error {
	if err := w.found(name, binary.NativeEndian.Uint64(value[8:])); err != nil {
		return err
	}
	if child := binary.NativeEndian.Uint64(value); child != 0 {
		return w.tree(name, child, nil, nil, depth+1)
	}
	inline := value[bucketHeader:]
	if len(inline) < pageHeader {
		w.problem(name, fmt.Errorf("has no page"))
		return nil
	}
	g := page{
		flags: binary.NativeEndian.Uint16(inline[8:]), count: int(binary.NativeEndian.Uint16(inline[10:])), data: inline,
	}
	all, err := g.elements()
	if err == nil && (g.flags != leafPage || binary.NativeEndian.Uint32(inline[12:]) != 0) {
		err = fmt.Errorf("its page is of no known kind")
	}
	if err != nil {
		w.problem(name, err)
	}
	return w.leaf(name, all, depth)
}
