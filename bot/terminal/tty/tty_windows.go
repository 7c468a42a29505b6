package tty

import (
	"os"

	"golang.org/x/sys/windows"
)

// showsColours reports whether a console knows the codes for colours and for moving the
// cursor. A console of Windows 10 or later does once it is asked to.
func showsColours(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	var mode uint32
	if err := windows.GetConsoleMode(windows.Handle(f.Fd()), &mode); err != nil {
		return false
	}
	return windows.SetConsoleMode(windows.Handle(f.Fd()), mode|windows.ENABLE_PROCESSED_OUTPUT|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
