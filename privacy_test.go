package fivefold_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestPrivacyPage: the table of PRIVACY.md has every kind of record that there is, and no other.
func TestPrivacyPage(t *testing.T) {
	keys, err := parser.ParseFile(token.NewFileSet(), "storage/schema/keys.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var topics []string
	ast.Inspect(keys, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if ok && len(spec.Values) == 1 && (strings.HasPrefix(spec.Names[0].Name, "Topic") || strings.HasPrefix(spec.Names[0].Name, "Key")) {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			topics = append(topics, strings.Trim(value, "\x00\x01"))
		}
		return true
	})
	page, err := os.ReadFile("PRIVACY.md")
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(string(page), -1) {
		for name := range strings.SplitSeq(row[1], ", ") {
			told = append(told, strings.Trim(name, "`"))
		}
	}
	slices.Sort(topics)
	slices.Sort(told)
	for _, topic := range topics {
		if !slices.Contains(told, topic) {
			t.Errorf("PRIVACY.md says nothing of the records %q", topic)
		}
	}
	if len(topics) < 30 || !slices.Equal(topics, told) {
		t.Errorf("PRIVACY.md tells of\n%q, and there are\n%q", told, topics)
	}
}
