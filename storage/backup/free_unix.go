//go:build linux || darwin || freebsd

package backup

import "golang.org/x/sys/unix"

// Free returns how many bytes can still be written in the folder.
func Free(folder string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
