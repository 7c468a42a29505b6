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
	event, _ := s.encodeLocked(i)
	return event
}

// Mutate returns an event with a few things about it changed: fields that are missing,
// come twice, have another type, a value from elsewhere, or one that nobody expects. It is
// still JSON. The interaction keeps its id and its token, most of the time.
func Mutate(r *rand.Rand, event json.RawMessage) json.RawMessage {
	m := mutator{r}
	root := parse(event)
	for range 1 + r.IntN(4) {
		at := nodes(root, 1)
		if len(at) == 0 {
			break
		}
		n := at[r.IntN(len(at))]
		if (n.key == "id" || n.key == "token") && n.depth == 1 && r.IntN(20) > 0 {
			continue
		}
		m.change(n, at)
	}
	text := mustJSON(root)
	if o, ok := root.(object); ok && len(o) > 0 && r.IntN(10) == 0 { // a field comes twice
		keys := slices.Sorted(maps.Keys(o))
		if key := keys[r.IntN(len(keys))]; key != "id" && key != "token" {
			text = slices.Concat(text[:len(text)-1], []byte(","), mustJSON(key), []byte(":"), mustJSON(m.value()), []byte("}"))
		}
	}
	return text
}

// parse decodes JSON of ours.
func parse(text json.RawMessage) (root any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		panic(err)
	}
	return root
}

type mutator struct{ *rand.Rand }

// node is a value in a tree, and the object or list that it is in.
type node struct {
	depth int
	value any
	in    object // nil in a list
	key   string // in an object
	set   func(any)
}

// nodes returns every value below a root, objects in the order of their keys.
func nodes(root any, depth int) (all []node) {
	switch v := root.(type) {
	case object:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			all = append(all, node{depth, v[key], v, key, func(value any) { v[key] = value }})
			all = append(all, nodes(v[key], depth+1)...)
		}
	case []any:
		for i := range v {
			all = append(all, node{depth, v[i], nil, "", func(value any) { v[i] = value }})
			all = append(all, nodes(v[i], depth+1)...)
		}
	}
	return all
}

func (m mutator) change(n node, all []node) {
	text, isText := n.value.(string)
	list, isList := n.value.([]any)
	switch what := m.IntN(8); {
	case what == 0 && n.in != nil:
		delete(n.in, n.key)
	case what == 1 && n.in != nil: // Go's decoder takes names in any case
		n.in[strings.ToUpper(n.key)] = m.value()
	case what == 2: // a value from elsewhere, but for the token, which no log may have
		if other := all[m.IntN(len(all))]; other.key != "token" {
			n.set(parse(mustJSON(other.value)))
		}
	case what == 3 && isText && text != "":
		at := m.IntN(len(text))
		odd := string(rune(m.IntN(0x3000)))
		n.set([]string{text[:at], text + text, strings.ToUpper(text), text[:at] + odd + text[at:], text[:at] + " " + text[at+1:]}[m.IntN(5)])
	case what == 4 && isList && len(list) > 0:
		many := slices.Clone(list)
		for range m.IntN(40) {
			many = append(many, list[m.IntN(len(list))])
		}
		n.set(many)
	case what == 5: // other types of interactions, components, options
		n.set(json.Number([]string{"0", "1", "2", "3", "4", "5", "7", "255"}[m.IntN(8)]))
	default:
		n.set(m.value())
	}
}

// value is something that nobody expects.
func (m mutator) value() any {
	values := []any{
		nil, true, false, "", object{}, []any{}, []any{nil}, object{"": nil}, json.RawMessage(strings.Repeat("[", 200) + strings.Repeat("]", 200)),
		json.Number("-1"), json.Number("0"), json.Number("1e400"), json.Number("9223372036854775808"), json.Number("1.5"),
		"18446744073709551616", "-5", "null", "\x00", "\u202eelbat", "🟩🟨⬛🟧🟦", "ＣＲＡＮＥ", "e\u0301a\u0300rne",
		strings.Repeat("x", 5000), strings.Repeat("🟩", 2001), strings.Repeat("\n", 100), "@everyone", "<@1200000000000000001>", "`*_~|>#-[x](y)",
		"guess", "wordle start", "pokle solve?deal=x", "solve next?guess=crony&feedback=bbbbb", "../../etc/passwd", "%00%ff", "a%20b?c=d&e",
	}
	return values[m.IntN(len(values))]
}
