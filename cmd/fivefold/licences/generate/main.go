// Command generate writes licences.txt: the licences of the program, of the modules in it on any
// system that a release is built for, and of its word lists. "go generate" runs it in the folder of
// that file.
package main

import (
	"bytes"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// root is the folder of the project.
const root = "../../.."

// licenceFile matches the names of files that must come with a copy.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)(\.(md|txt))?$`)

func main() {
	log.SetFlags(0)
	versions, folders := map[string]string{}, map[string]string{} // by module
	for _, system := range []string{"darwin", "linux", "windows"} {
		for line := range strings.Lines(mustRun(system, "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}} {{.Dir}}{{end}}", "fivefold/cmd/fivefold")) {
			path, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			version, folder, _ := strings.Cut(rest, " ")
			if path != "" && path != "fivefold" {
				versions[path], folders[path] = version, folder
			}
		}
	}
	owners := map[string][]string{} // by the text of a licence
	var b bytes.Buffer
	add := func(title, text string) {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), title, strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")))
	}
	b.WriteString("Fivefold is under the MIT licence, below. These modules are in the program:\n\n")
	for _, path := range slices.Sorted(maps.Keys(versions)) {
		fmt.Fprintf(&b, "  %s %s\n", path, versions[path])
		licence := mustReadLicence(folders[path])
		owners[licence] = append(owners[licence], path)
	}
	b.WriteString(about)
	add("Fivefold", mustReadLicence(root))
	add("Go and its standard library", mustReadLicence(strings.TrimSpace(mustRun("", "env", "GOROOT"))))
	for _, licence := range slices.SortedFunc(maps.Keys(owners), func(a, b string) int { return slices.Compare(owners[a], owners[b]) }) {
		add(strings.Join(owners[licence], ", "), licence)
	}
	add("Go Bold, the font of pictures", mustRead(folders["golang.org/x/image"]+"/font/gofont/ttfs/README"))
	add("SCOWL, for the word lists", mustRead(root+"/game/wordle/dictionary/SCOWL-COPYRIGHT"))
	add("WordNet, for the meanings of words", mustRead(root+"/game/wordle/dictionary/WORDNET-LICENSE"))
	must(os.WriteFile("licences.txt", b.Bytes(), 0o644))
}

const about = `
The word lists are made from SCOWL (Spell Checker Oriented Word Lists, Copyright 2000-2011 by
Kevin Atkinson and others), as packaged by Debian (scowl 2020.12.07-2). Among its sources is
UKACD, Copyright (c) J Ross Beresford 1993-1999. All Rights Reserved.

The meanings of words are taken from WordNet 3.0, Copyright 2006 by Princeton University, all
rights reserved, as packaged by Debian (wordnet-base 1:3.0-37). Its definitions are shortened, and
some were written for Fivefold.

Pictures are drawn with the font Go Bold by Bigelow & Holmes, from golang.org/x/image.

The names Wordle and Pokle, and the puzzles that are published under them, belong to others. None
of their word lists and puzzles is in the program.
`

// mustReadLicence returns all licence files of a folder, one after the other.
func mustReadLicence(folder string) string {
	entries, err := os.ReadDir(folder)
	must(err)
	var all []string
	for _, e := range entries {
		if licenceFile.MatchString(e.Name()) {
			all = append(all, strings.TrimSpace(mustRead(filepath.Join(folder, e.Name()))))
		}
	}
	if all == nil {
		log.Fatalf("%s has no licence", folder)
	}
	return strings.Join(all, "\n\n")
}

func mustRead(path string) string {
	content, err := os.ReadFile(path)
	must(err)
	return string(content)
}

// mustRun runs the go command for a system, or for this one.
func mustRun(system string, args ...string) string {
	cmd := exec.Command("go", args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), "GOOS="+system, "GOARCH=", "CGO_ENABLED=0"), os.Stderr
	out, err := cmd.Output()
	must(err)
	return string(out)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
