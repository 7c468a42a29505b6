package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// The bill of materials is in CycloneDX 1.5: cyclonedx.org/docs/1.5/json.

type bill struct {
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp time.Time `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Licenses   []licence  `json:"licenses,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type licence struct {
	Expression string `json:"expression"` // of SPDX
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// materials lists what is in a program, as its build recorded it.
func (r *release) materials(program string, s system) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	notices, err := os.ReadFile("THIRD_PARTY.md")
	if err != nil {
		return nil, err
	}
	b, err := r.bill(info, s, licences(string(notices)))
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(b, "", "  ")
	return append(text, '\n'), err
}

// bill makes the bill of a program with this build information. Every module must have a
// licence.
func (r *release) bill(info *debug.BuildInfo, s system, licences map[string]string) (bill, error) {
	self := component{
		Type: "application", Ref: "pkg:generic/fivefold@" + r.version, Name: "fivefold", Version: r.version,
		Licenses: []licence{{"MIT"}}, PURL: "pkg:generic/fivefold@" + r.version,
		Properties: []property{{"fivefold:commit", r.commit}, {"fivefold:system", s.String()}},
	}
	goVersion := strings.TrimPrefix(info.GoVersion, "go")
	components := []component{library("std", goVersion, "BSD-3-Clause", "")}
	for _, m := range info.Deps {
		if m.Replace != nil {
			return bill{}, fmt.Errorf("%s is replaced by %s", m.Path, m.Replace.Path)
		}
		expression, ok := licences[m.Path]
		if !ok {
			return bill{}, fmt.Errorf("THIRD_PARTY.md has no licence of %s", m.Path)
		}
		components = append(components, library(m.Path, m.Version, expression, m.Sum))
	}
	slices.SortFunc(components, func(a, b component) int { return cmp.Compare(a.Name, b.Name) })
	depends := dependency{Ref: self.Ref}
	for _, c := range components {
		depends.DependsOn = append(depends.DependsOn, c.Ref)
	}
	return bill{"CycloneDX", "1.5", 1, metadata{r.at, self}, components, []dependency{depends}}, nil
}

// library is a module. Its checksum is Go's, as in go.sum.
func library(path, version, expression, sum string) component {
	purl := "pkg:golang/" + path + "@" + version
	c := component{Type: "library", Ref: purl, Name: path, Version: version, Licenses: []licence{{expression}}, PURL: purl}
	if sum != "" {
		c.Properties = []property{{"go:sum", sum}}
	}
	return c
}

var noticeRow = regexp.MustCompile(`(?m)^\| (\S+\.\S+/\S+) \| .* \| (\S.*) \|$`)

// licences reads the tables of THIRD_PARTY.md: the licence of each module, as an
// expression of SPDX. A module with several is under all of them.
func licences(notices string) map[string]string {
	all := map[string]string{}
	for _, row := range noticeRow.FindAllStringSubmatch(notices, -1) {
		all[row[1]] = strings.ReplaceAll(row[2], ", ", " AND ")
	}
	return all
}
