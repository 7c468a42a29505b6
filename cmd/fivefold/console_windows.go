package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/inconshreveable/mousetrap"
	"golang.org/x/sys/windows"
)

// prepareConsole has the console understand codes for colours and for moving the cursor,
// which line editing and progress bars write. What it writes in letters needs nothing: Go
// passes text to a console in UTF-16, whatever its code page.
func prepareConsole() {
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		showsColours(f) // what is no console needs none
	}
}

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
