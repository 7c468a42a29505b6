package tty

import (
	"os"

	"golang.org/x/sys/windows"
)

// showsColours reports whether a console knows the codes for colours and cursor movements. It asks the console to
// interpret them, which consoles since Windows 10 do.
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
