package discordtest

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Event returns an interaction as [Server.Invoke] would send it, without sending it. Once it
// has been changed, it can be sent as [Interaction].Raw.
func (s *Server) Event(i Interaction) json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	i = i.withDefaults()
	if i.ID == "" {
		i.ID = s.ids.next()
	}
	var shown any
	if i.Type == TypeComponent || i.Message != "" {
		m := &message{id: i.Message, channel: i.Channel, content: "a message from before"}
		if m.id == "" {
			m.id = s.ids.next()
		}
		shown = m.object(s)
	}
	return i.encode(i.ID, "interaction-token-"+i.ID, s.commandIDLocked(i), s.placeLocked(i), shown)
}

// Mutate returns an event with a few things about it changed: fields that are missing,
// come twice, have another type, a value from elsewhere, or one that nobody expects. It is
// still JSON. The interaction keeps its id and its token, most of the time.
func Mutate(r *rand.Rand, event json.RawMessage) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(event))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		panic(err) // only events of ours come here
	}
	m := mutator{r}
	for range 1 + r.IntN(4) {
		at := m.nodes(root)
		if len(at) == 0 {
			break
		}
		node := at[r.IntN(len(at))]
		if (node.key == "id" || node.key == "token") && node.depth == 1 && r.IntN(20) > 0 {
			continue
		}
		m.change(node, at)
	}
	text := mustJSON(root)
	if r.IntN(10) == 0 {
		text = m.twice(text, root)
	}
	return text
}

type mutator struct{ *rand.Rand }

// node is a value in a tree, and the object or list that it is in.
type node struct {
	depth int
	in    any
	key   string // in an object
	index int    // in a list
}

func (n node) get() any {
	if o, ok := n.in.(object); ok {
		return o[n.key]
	}
	return n.in.([]any)[n.index]
}

func (n node) set(value any) {
	if o, ok := n.in.(object); ok {
		o[n.key] = value
	} else {
		n.in.([]any)[n.index] = value
	}
}

// nodes returns every value below the root, objects in the order of their keys.
func (m mutator) nodes(root any) []node {
	var all []node
	var walk func(value any, depth int)
	walk = func(value any, depth int) {
		switch v := value.(type) {
		case object:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				all = append(all, node{depth: depth, in: v, key: key})
				walk(v[key], depth+1)
			}
		case []any:
			for i := range v {
				all = append(all, node{depth: depth, in: v, index: i})
				walk(v[i], depth+1)
			}
		}
	}
	walk(root, 1)
	return all
}

func (m mutator) change(n node, all []node) {
	switch m.IntN(8) {
	case 0:
		if o, ok := n.in.(object); ok {
			delete(o, n.key)
		}
	case 1:
		if o, ok := n.in.(object); ok { // Go's decoder takes names in any case
			o[strings.ToUpper(n.key)] = m.value()
		}
	case 2: // a value from elsewhere, unless it contains the place itself; or the token, which no log may have
		if other := all[m.IntN(len(all))]; other.key != "token" && !contains(other.get(), n.in) {
			n.set(other.get())
		}
	case 3:
		n.set(m.text(n.get()))
	case 4:
		if list, ok := n.get().([]any); ok && len(list) > 0 {
			many := slices.Clone(list)
			for range m.IntN(40) {
				many = append(many, list[m.IntN(len(list))])
			}
			n.set(many)
		}
	case 5:
		n.set(json.Number([]string{"0", "1", "2", "3", "4", "5", "7", "255"}[m.IntN(8)])) // other types of interactions, components, options
	default:
		n.set(m.value())
	}
}

// contains reports whether a tree contains an object or list: putting it in there would
// make a tree without an end.
func contains(tree, part any) bool {
	switch t := tree.(type) {
	case object:
		if p, ok := part.(object); ok && len(t) == len(p) && mapsAreOne(t, p) {
			return true
		}
		for _, v := range t {
			if contains(v, part) {
				return true
			}
		}
	case []any:
		if p, ok := part.([]any); ok && len(t) == len(p) && len(t) > 0 && &t[0] == &p[0] {
			return true
		}
		for _, v := range t {
			if contains(v, part) {
				return true
			}
		}
	}
	return false
}

// mapsAreOne reports whether two objects are the same one.
func mapsAreOne(a, b object) bool {
	const mark = "\x00mark"
	a[mark] = nil
	_, same := b[mark]
	delete(a, mark)
	return same
}

// value is something that nobody expects.
func (m mutator) value() any {
	values := []any{
		nil, true, false, "", object{}, []any{}, []any{nil}, object{"": nil}, deep(200),
		json.Number("-1"), json.Number("0"), json.Number("1e400"), json.Number("9223372036854775808"), json.Number("1.5"),
		"18446744073709551616", "-5", "null", "\x00", "\u202eelbat", "🟩🟨⬛🟧🟦", "ＣＲＡＮＥ", "e\u0301a\u0300rne",
		strings.Repeat("x", 5000), strings.Repeat("🟩", 2001), strings.Repeat("\n", 100), "@everyone", "<@1200000000000000001>", "`*_~|>#-[x](y)",
		"guess", "wordle start", "pokle solve?deal=x", "solve next?guess=crony&feedback=bbbbb", "../../etc/passwd", "%00%ff", "a%20b?c=d&e",
	}
	return values[m.IntN(len(values))]
}

// deep is a list in a list in a list.
func deep(n int) any {
	var v any = []any{}
	for range n {
		v = []any{v}
	}
	return v
}

// text changes a text a little.
func (m mutator) text(value any) any {
	s, ok := value.(string)
	if !ok || s == "" {
		return m.value()
	}
	at := m.IntN(len(s))
	switch m.IntN(5) {
	case 0:
		return s[:at]
	case 1:
		return s + s
	case 2:
		return strings.ToUpper(s)
	case 3:
		return s[:at] + string(rune(m.IntN(0x3000))) + s[at:]
	}
	return s[:at] + " " + s[at+1:]
}

// twice gives an object one of its fields a second time.
func (m mutator) twice(text json.RawMessage, root any) json.RawMessage {
	o, ok := root.(object)
	if !ok || len(o) == 0 {
		return text
	}
	keys := slices.Sorted(maps.Keys(o))
	key := keys[m.IntN(len(keys))]
	if key == "id" || key == "token" {
		return text
	}
	field := append(append(mustJSON(key), ':'), mustJSON(m.value())...)
	return slices.Concat(text[:len(text)-1], []byte(","), field, []byte("}"))
}
