package solver

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// A checked file has a first line of its own, the checksum of the lists it is for (32 bytes),
// numbers as varints, and the CRC-32 (IEEE) of all that, 4 bytes, the lowest first.

// file returns the file of the numbers for the solver's lists.
func (s *Solver) file(magic string, numbers []uint64) []byte {
	sum := s.lists.Checksum()
	b := append([]byte(magic), sum[:]...)
	for _, n := range numbers {
		b = binary.AppendUvarint(b, n)
	}
	return withCRC(b)
}

func withCRC(b []byte) []byte { return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b)) }

// number returns 1 for true.
func number(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// checked returns the numbers of a file with this first line. The error is fault if it is not
// such a file or is damaged, or [ErrOtherLists] if it is not for the solver's lists.
func (s *Solver) checked(b []byte, magic string, fault error) (*varints, error) {
	sum := s.lists.Checksum()
	rest, ok := bytes.CutPrefix(b, []byte(magic))
	if !ok || len(rest) < len(sum)+crc32.Size {
		return nil, fault
	}
	body, crc := b[:len(b)-crc32.Size], b[len(b)-crc32.Size:]
	if binary.LittleEndian.Uint32(crc) != crc32.ChecksumIEEE(body) {
		return nil, fault
	}
	if !bytes.Equal(rest[:len(sum)], sum[:]) {
		return nil, ErrOtherLists
	}
	return &varints{left: rest[len(sum) : len(rest)-crc32.Size], fault: fault}, nil
}

// varints are the numbers of a checked file.
type varints struct {
	left   []byte
	fault  error
	failed bool // one was missing or too large
}

// next returns the next number, which must be below the limit. If it is not, or there is
// none, next returns 0 and end will return the fault.
func (v *varints) next(limit int) int {
	n, size := binary.Uvarint(v.left)
	if size <= 0 || n >= uint64(limit) {
		v.left, v.failed = nil, true
		return 0
	}
	v.left = v.left[size:]
	return int(n)
}

// end returns the fault if a number was wrong, or if there are more.
func (v *varints) end() error {
	if v.failed || len(v.left) > 0 {
		return v.fault
	}
	return nil
}
