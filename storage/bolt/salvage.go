package bolt

import (
	"encoding/binary"
	"errors"
	"os"
)

// salvage reads all records of a file of which some pages cannot be read.
type salvage struct {
	pages
	size    int64 // of the file
	problem func(bucket []byte, what error)
	// record gets every record in its stored form. An orphan was found on a page that nothing
	// leads to, and may be older than another record with its key. An error ends the salvage.
	record func(bucket, key, value []byte, orphan bool) error
	given  uint64 // the number of the log that was given last, as far as is known
}

// newSalvage prepares to read a file, and returns its roots, newest first.
func newSalvage(file *os.File) (*salvage, []foundRoot, []string, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, nil, nil, err
	}
	p, roots, problems := readRoots(file)
	return &salvage{pages: p, size: info.Size()}, roots, problems, nil
}

// run reads what the root leads to. Then it looks at damaged pages, and at those that are
// neither free nor in use, and takes the records whose checksum is right.
func (s *salvage) run(roots []foundRoot) error {
	r := root{end: uint64(s.size) / uint64(s.pages.size)}
	broken := len(roots) == 0
	if !broken {
		r = roots[0].root
		r.end = min(r.end, uint64(s.size)/uint64(s.pages.size))
	}
	w := newPageWalk(s.pages, r)
	w.problem = func(bucket []byte, what error) {
		broken = true
		s.problem(bucket, what)
	}
	w.found = func(bucket []byte, sequence uint64) error {
		if string(bucket) == string(bucketResults) {
			s.given = sequence
		}
		return nil
	}
	w.visit = func(bucket, key, value []byte) error {
		if !isOurs(bucket) { // its name is wrong
			return s.orphan(key, value)
		}
		return s.record(bucket, key, value, false)
	}
	if len(roots) > 0 {
		if err := w.run(); err != nil {
			return err
		}
	}
	free, list, err := s.free(r)
	switch {
	case err == nil && len(roots) > 0:
		for n := r.freelist; n <= r.freelist+uint64(list.overflow) && n < r.end; n++ {
			w.used.add(n)
		}
		for _, id := range free {
			w.used.add(id)
		}
	case !broken:
		return nil
	default:
		s.problem(nil, errors.New("without the list of free pages, records that were deleted may come back"))
	}
	for id := uint64(2); id < r.end; id++ {
		if w.used.has(id) && !w.damaged[id] {
			continue
		}
		if err := s.orphans(id); err != nil {
			return err
		}
	}
	return nil
}

// orphans takes the records with a right checksum on a page, whatever the page's header says.
func (s *salvage) orphans(id uint64) error {
	data := make([]byte, s.pages.size)
	if _, err := s.file.ReadAt(data, int64(id)*int64(s.pages.size)); err != nil {
		return nil // it is past the end of the file
	}
	return s.leafRecords(data, func(n int) []byte {
		longer := make([]byte, n)
		if n > maxOverflow*s.pages.size {
			return nil
		}
		if _, err := s.file.ReadAt(longer, int64(id)*int64(s.pages.size)); err != nil {
			return nil
		}
		return longer
	})
}

// leafRecords takes the records of a leaf. It has as many entries as its header says, or as
// follows from where the first record begins if that is more. longer reads more of the page.
func (s *salvage) leafRecords(data []byte, longer func(n int) []byte) error {
	if len(data) < pageHeader+pageElement {
		return nil
	}
	u32 := func(at int) int { return int(binary.NativeEndian.Uint32(data[at:])) }
	count := max(int(binary.NativeEndian.Uint16(data[10:])), min(u32(pageHeader+4)/pageElement, 0xFFFF))
	previous := pageHeader + count*pageElement // where the entry before ends
	for i := range count {
		at := pageHeader + i*pageElement
		if at+pageElement > len(data) {
			break
		}
		begin, keySize, valueSize := at+u32(at+4), u32(at+8), u32(at+12)
		end := begin + keySize + valueSize
		if keySize == 0 || keySize > 1<<15 || valueSize > 1<<24 || begin != previous {
			// One of the numbers is wrong; its neighbours say where it lies.
			next := at + pageElement
			if i+1 == count || next+pageElement > len(data) {
				if err := s.lastRecord(data, previous, keySize, valueSize); err != nil {
					return err
				}
				continue
			}
			if err := s.between(data, previous, next+u32(next+4)); err != nil {
				return err
			}
			previous = next + u32(next+4)
			continue
		}
		if end > len(data) {
			more := longer(end)
			if more == nil {
				if err := s.lastRecord(data, begin, keySize, valueSize); err != nil {
					return err
				}
				continue
			}
			data = more
		}
		previous = end
		key, value := data[begin:][:keySize:keySize], data[begin+keySize:][:valueSize:valueSize]
		if bucketOf(key, value) == nil {
			var err error
			if i+1 < count {
				err = s.between(data, begin, at+pageElement+u32(at+pageElement+4))
			} else {
				err = s.lastRecord(data, begin, keySize, valueSize)
			}
			if err != nil {
				return err
			}
		}
		if err := s.orphan(key, value); err != nil {
			return err
		}
	}
	return nil
}

// lastRecord takes the last record of a page. begin and at least one of the sizes must be right.
func (s *salvage) lastRecord(data []byte, begin, keySize, valueSize int) error {
	try := func(keySize, valueSize int) (found bool, err error) {
		end := begin + keySize + valueSize
		if begin < pageHeader || keySize < 1 || valueSize < checksumSize || end > len(data) {
			return false, nil
		}
		key, value := data[begin:][:keySize:keySize], data[begin+keySize:end:end]
		bucket := bucketOf(key, value)
		if bucket == nil {
			return false, nil
		}
		return true, s.record(bucket, key, value, true)
	}
	for n := range len(data) {
		if found, err := try(keySize, n); found || err != nil {
			return err
		}
		if found, err := try(n, valueSize); found || err != nil {
			return err
		}
	}
	return nil
}

// between takes the record from begin to end, wherever its key ends.
func (s *salvage) between(data []byte, begin, end int) error {
	const longest = 8 << 10
	if begin < pageHeader || end > len(data) || end-begin > longest {
		return nil
	}
	for n := begin + 1; n <= end-checksumSize; n++ {
		key, value := data[begin:n:n], data[n:end:end]
		if bucket := bucketOf(key, value); bucket != nil {
			return s.record(bucket, key, value, true)
		}
	}
	return nil
}

// orphan takes a record if its checksum is right in any bucket. If it is a bucket small enough
// to lie in its header, orphan takes the records in that.
func (s *salvage) orphan(key, value []byte) error {
	if bucket := bucketOf(key, value); bucket != nil {
		return s.record(bucket, key, value, true)
	}
	for _, bucket := range allBuckets {
		if string(bucket) == string(key) && len(value) >= bucketHeader {
			if string(bucket) == string(bucketResults) {
				s.given = max(s.given, binary.NativeEndian.Uint64(value[8:]))
			}
			return s.leafRecords(value[bucketHeader:], func(int) []byte { return nil })
		}
	}
	return nil
}
