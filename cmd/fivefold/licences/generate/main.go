// Command generate writes licences.txt: the licences of the program, of the modules in it on any
// system that a release is built for, and of its word lists. "go generate" runs it in the folder of
// that file.
package main

import (
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
	folders := map[string]string{} // by module and version
	for _, system := range []string{"darwin", "linux", "windows"} {
		for line := range strings.Lines(mustRun(system, "list", "-deps", "-f", "{{with .Module}}{{if .Version}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", "fivefold/cmd/fivefold")) {
			if module, folder, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				folders[module] = folder
			}
		}
	}
	modules := slices.Sorted(maps.Keys(folders))
	text := "Fivefold is under the MIT licence, below. These modules are in the program:\n\n  " + strings.Join(modules, "\n  ") + "\n" + about
	add := func(title, licence string) {
		text += fmt.Sprintf("\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), title, strings.TrimSpace(strings.ReplaceAll(licence, "\r\n", "\n")))
	}
	add("Fivefold", mustReadLicence(root))
	add("Go and its standard library", mustReadLicence(strings.TrimSpace(mustRun("", "env", "GOROOT"))))
	owners, font := map[string][]string{}, "" // by the text of a licence; a folder
	for _, module := range modules {
		path, _, _ := strings.Cut(module, " ")
		licence := mustReadLicence(folders[module])
		owners[licence] = append(owners[licence], path)
		if path == "golang.org/x/image" {
			font = folders[module]
		}
	}
	for _, licence := range slices.SortedFunc(maps.Keys(owners), func(a, b string) int { return slices.Compare(owners[a], owners[b]) }) {
		add(strings.Join(owners[licence], ", "), licence)
	}
	add("Go Bold, the font of pictures", mustRead(font+"/font/gofont/ttfs/README"))
	add("SCOWL, for the word lists", mustRead(root+"/game/wordle/dictionary/SCOWL-COPYRIGHT"))
	add("WordNet, for the meanings of words", mustRead(root+"/game/wordle/dictionary/WORDNET-LICENSE"))
	must(os.WriteFile("licences.txt", []byte(text), 0o644))
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
