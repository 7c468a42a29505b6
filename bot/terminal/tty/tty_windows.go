package tty

import (
	"os"

	"golang.org/x/sys/windows"
)

// takesControls reports whether a console knows control sequences. It asks the console to
// interpret them, which consoles since Windows 10 do.
func takesControls(stream any) bool {
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
