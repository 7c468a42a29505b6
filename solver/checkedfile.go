package solver

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// A checked file has a first line of its own, the checksum of the lists it is for, numbers
// as varints, and the CRC-32 (IEEE) of all that, the lowest byte first.

// withCRC appends the CRC.
func withCRC(b []byte) []byte { return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b)) }

// checked returns the numbers of a file with this first line, for the lists with this
// checksum. The error is fault if it is not such a file or is damaged, or
// [ErrOtherLists].
func checked(b []byte, magic string, checksum []byte, fault error) (*varints, error) {
	rest, ok := bytes.CutPrefix(b, []byte(magic))
	if !ok || len(rest) < len(checksum)+crc32.Size {
		return nil, fault
	}
	body, crc := b[:len(b)-crc32.Size], b[len(b)-crc32.Size:]
	if binary.LittleEndian.Uint32(crc) != crc32.ChecksumIEEE(body) {
		return nil, fault
	}
	if !bytes.Equal(rest[:len(checksum)], checksum) {
		return nil, ErrOtherLists
	}
	return &varints{left: bytes.NewReader(rest[len(checksum) : len(rest)-crc32.Size]), fault: fault}, nil
}

// varints are the numbers of a checked file.
type varints struct {
	left   *bytes.Reader
	fault  error
	failed bool // one was missing or too large
}

// next returns the next number, which must be below the limit. If it is not, or there is
// none, next returns 0 and end will return the fault.
func (v *varints) next(limit int) int {
	n, err := binary.ReadUvarint(v.left)
	if err != nil || n >= uint64(limit) {
		v.failed = true
		return 0
	}
	return int(n)
}

// end returns the fault if a number was wrong, or if there are more.
func (v *varints) end() error {
	if v.failed || v.left.Len() > 0 {
		return v.fault
	}
	return nil
}
