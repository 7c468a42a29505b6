package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/inconshreveable/mousetrap"
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

// keepWindow waits for Enter if the program was double-clicked: its window closes when it
// ends, and with it goes what it says.
func keepWindow() {
	if !mousetrap.StartedByExplorer() {
		return
	}
	fmt.Fprint(os.Stderr, "\nPress Enter to close this window. ")
	// At the end of the input there is nobody to wait for.
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}
