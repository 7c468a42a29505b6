//go:build !linux

package bolt

// keepsNote: this system does not say who has locked a file.
const keepsNote = true

// holder names the process that has locked a file, such as "1234 (fivefold play)", or
// returns an empty string if its note does not say.
func holder(path string) string { return noted(path) }
