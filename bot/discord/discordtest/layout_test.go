package discordtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// The parts of messages of the newer layout.
func text(content string) string { return `{"type":10,"content":"` + content + `"}` }

func press(id string) string { return `{"type":2,"style":1,"label":"x","custom_id":"` + id + `"}` }

func inside(kind int, parts ...string) string {
	return fmt.Sprintf(`{"type":%d,"components":[%s]}`, kind, strings.Join(parts, ","))
}

func beside(accessory string, texts ...string) string {
	return `{"type":9,"components":[` + strings.Join(texts, ",") + `],"accessory":` + accessory + `}`
}

func shows(url string) string { return `"media":{"url":"` + url + `"},"description":"alt"` }

func gallery(urls ...string) string {
	for i, url := range urls {
		urls[i] = `{` + shows(url) + `}`
	}
	return `{"type":12,"items":[` + strings.Join(urls, ",") + `]}`
}

func menu(more string, options ...string) string {
	return `{"type":1,"components":[{"type":3,"custom_id":"menu","options":[` + strings.Join(options, ",") + `]` + more + `}]}`
}

// picker is a menu of roles or channels.
func picker(kind int, more string) string {
	return fmt.Sprintf(`{"type":1,"components":[{"type":%d,"custom_id":"picker %[1]d"%s}]}`, kind, more)
}

func option(value string) string { return `{"label":"x","value":"` + value + `"}` }

// newer is a message of the newer layout.
func newer(parts ...string) string {
	return `{"flags":32768,` + quiet + `,"components":[` + strings.Join(parts, ",") + `]}`
}

// TestLayout posts messages of the newer layout.
func TestLayout(t *testing.T) {
	t.Parallel()
	s := New(t, Options{})
	picture := mustPNG(t, 2, 1)
	times := func(n int, part func(i int) string) (all []string) {
		for i := range n {
			all = append(all, part(i))
		}
		return all
	}
	texts := func(n int) []string { return times(n, func(int) string { return text("x") }) }
	buttons := func(n int) []string {
		return times(n, func(i int) string { return press(fmt.Sprint(i)) })
	}
	options := func(n int) []string {
		return times(n, func(i int) string { return option(fmt.Sprint(i)) })
	}
	long := func(n int) string { return strings.Repeat("é", n) }
	const attached, elsewhere = "attachment://a.png", "https://example.com/a.png"
	for name, c := range map[string]struct {
		body      string
		code      int    // 0 is success
		violation string // empty for none
	}{
		"all there is": {withFile(t, newer(`{"type":17,"accent_color":16777215,"components":[`+strings.Join([]string{
			text("x"), beside(press("a"), texts(3)...), beside(`{"type":11,`+shows(attached)+`}`, text("x")), `{"type":14,"spacing":2,"divider":true}`,
			gallery(elsewhere), `{"type":13,"file":{"url":"attachment://a.png"}}`, inside(1, buttons(5)...), menu(`,"placeholder":"x"`, options(25)...),
		}, ",")+`]}`), picture), 0, ""},
		"40 components":             {newer(inside(17, texts(39)...)), 0, ""},
		"41 components":             {newer(inside(17, texts(40)...)), 50035, "components in all: 41"},
		"accessories count":         {newer(append(texts(38), beside(press("a"), text("x")))...), 50035, "components in all: 41"},
		"4000 characters":           {newer(text(long(3999)), beside(press("a"), text("x"))), 0, ""},
		"4001 characters":           {newer(text(long(3999)), beside(press("a"), text("xx"))), 50035, "characters in all: 4001"},
		"no components":             {newer(), 50006, "empty message"},
		"an empty text":             {newer(text(" ")), 50035, "an empty text"},
		"content":                   {strings.Replace(newer(text("x")), "{", `{"content":"x",`, 1), 50035, "content: cannot be used"},
		"embeds":                    {strings.Replace(newer(text("x")), "{", `{"embeds":[{"title":"x"}],`, 1), 50035, "embeds: cannot be used"},
		"poll":                      {strings.Replace(newer(text("x")), "{", `{"poll":{},`, 1), 50035, "poll: cannot be used"},
		"stickers":                  {strings.Replace(newer(text("x")), "{", `{"sticker_ids":["1"],`, 1), 50035, "sticker_ids: cannot be used"},
		"without the flag":          {strings.Replace(newer(text("x")), `"flags":32768,`, "", 1), 50035, "no IS_COMPONENTS_V2"},
		"a bare button":             {newer(press("a")), 50035, "type 2, must be"},
		"a bare thumbnail":          {newer(`{"type":11,` + shows(elsewhere) + `}`), 50035, "type 11, must be"},
		"nested containers":         {newer(inside(17, inside(17, text("x")))), 50035, "type 17, must be"},
		"an empty container":        {newer(inside(17)), 50035, "container: 0"},
		"a bad colour":              {newer(`{"type":17,"accent_color":16777216,"components":[` + text("x") + `]}`), 50035, "accent: 16777216"},
		"text in text":              {newer(inside(10, text("x"))), 50035, "type 10, must be"},
		"six buttons":               {newer(inside(1, buttons(6)...)), 50035, "row: 6"},
		"an empty row":              {newer(inside(1)), 50035, "row: 0"},
		"text in a row":             {newer(inside(1, text("x"))), 50035, "type 10, must be"},
		"a menu with a button":      {newer(strings.Replace(menu("", option("1")), "[", "["+press("a")+",", 1)), 50035, "not alone in its row"},
		"a section alone":           {newer(inside(9, text("x"))), 50035, "type 0, must be one of [2 11]"},
		"a section of four":         {newer(beside(press("a"), texts(4)...)), 50035, "section: 4"},
		"an empty section":          {newer(beside(press("a"))), 50035, "section: 0"},
		"a section of a row":        {newer(beside(press("a"), inside(1, press("b")))), 50035, "type 1, must be"},
		"text as accessory":         {newer(beside(text("x"), text("x"))), 50035, "type 10, must be"},
		"no style":                  {newer(inside(1, `{"type":2,"label":"x","custom_id":"a"}`)), 50035, "no button with a style"},
		"a link":                    {newer(inside(1, `{"type":2,"style":5,"label":"x","url":"https://example.com"}`)), 50035, "no button with a style"},
		"a long custom_id":          {newer(inside(1, press(long(101)))), 50035, "customid: 101"},
		"no text":                   {newer(inside(1, `{"type":2,"style":1,"custom_id":"x"}`)), 50035, "label or an emoji"},
		"a long label":              {newer(inside(1, strings.Replace(press("a"), "x", long(81), 1))), 50035, "label: 81"},
		"a wide separator":          {newer(`{"type":14,"spacing":3}`), 50035, "spacing: 3"},
		"no label":                  {newer(menu("", `{"value":"1"}`)), 50035, "label: 0"},
		"a long address":            {newer(gallery("https://" + long(2041))), 50035, "url: 2049"},
		"no custom_id":              {newer(inside(1, press(""))), 50035, `custom_id: ""`},
		"custom_id twice":           {newer(inside(1, press("menu")), menu("", option("1"))), 50035, `custom_id: "menu"`},
		"no options":                {newer(menu("")), 50035, "options: 0"},
		"26 options":                {newer(menu("", options(26)...)), 50035, "options: 26"},
		"a value twice":             {newer(menu("", option("1"), option("1"))), 50035, `value: "1"`},
		"a long value":              {newer(menu("", option(long(101)))), 50035, "value: 101"},
		"a long option":             {newer(menu("", `{"value":"1","label":"`+long(101)+`"}`)), 50035, "label: 101"},
		"a long description":        {newer(menu("", `{"value":"1","label":"x","description":"`+long(101)+`"}`)), 50035, "description: 101"},
		"a long placeholder":        {newer(menu(`,"placeholder":"`+long(151)+`"`, option("1"))), 50035, "placeholder: 151"},
		"menus of all types":        {newer(picker(8, `,"min_values":0,"max_values":25,"channel_types":[0,5],"default_values":[{"id":"1","type":"channel"},{"id":"2","type":"channel"}]`), picker(6, "")), 0, ""},
		"options of a picker":       {newer(picker(6, `,"options":[`+option("1")+`]`)), 50035, "options: 1"},
		"a channel among roles":     {newer(picker(6, `,"default_values":[{"id":"1","type":"channel"}]`)), 50035, `a "channel" in a menu of type 6`},
		"more chosen than can be":   {newer(picker(6, `,"default_values":[{"id":"1","type":"role"},{"id":"2","type":"role"}]`)), 50035, "chosen already: 2"},
		"more can be than there is": {newer(menu(`,"max_values":2`, option("1"))), 50035, "options: 1"},
		"more must be than can be":  {newer(menu(`,"min_values":2`, option("1"))), 50035, "max_values: 1"},
		"an empty gallery":          {newer(gallery()), 50035, "gallery: 0"},
		"11 pictures":               {newer(gallery(times(11, func(int) string { return elsewhere })...)), 50035, "gallery: 11"},
		"a long alt text":           {newer(`{"type":12,"items":[{"media":{"url":"` + elsewhere + `"},"description":"` + long(1025) + `"}]}`), 50035, "description: 1025"},
		"a long alt text of a file": {withFile(t, strings.Replace(newer(gallery(attached)), "{", `{"attachments":[{"id":"0","description":"`+long(1025)+`"}],`, 1), picture), 50035, "description: 1025"},
		"a long name of a file":     {withFile(t, strings.Replace(newer(gallery(attached)), "{", `{"attachments":[{"id":"0","filename":"`+long(1025)+`"}],`, 1), picture), 50035, "filename: 1025"},
		"no media":                  {newer(`{"type":12,"items":[{"description":"x"}]}`), 50035, "no media"},
		"no address":                {newer(gallery("a.png")), 50035, "there is no file a.png"},
		"a file":                    {withFile(t, newer(gallery(attached)), picture), 0, ""},
		"a file that is not there":  {newer(gallery(attached)), 50035, "there is no file attachment://a.png"},
		"another upload":            {newer(`{"type":13,"file":{"url":"attachment://a.png"}}`), 50035, "there is no file"},
		"another file":              {withFile(t, newer(gallery("attachment://b.png")), picture), 50035, "there is no file attachment://b.png"},
		"no alt text":               {withFile(t, newer(`{"type":12,"items":[{"media":{"url":"`+attached+`"}}]}`), picture), 0, "no alt text"},
		"an upload":                 {withFile(t, newer(`{"type":13,"file":{"url":"attachment://a.png"}}`), picture), 0, "no alt text"},
		"only a file":               {withFile(t, newer(), picture), 50006, "empty message"},
		"a file not shown":          {withFile(t, newer(text("x")), picture), 0, "no component shows a.png"},
	} {
		channel := s.NewID()
		s.SetChannel(Channel{ID: channel, Type: ChannelDirect})
		if _, code, answer := post(t, s, "POST", "channels/"+channel+"/messages", c.body); code != c.code {
			t.Errorf("%s: got %.300s, want code %d", name, answer, c.code)
		}
		if got := len(s.Posted(channel)); got == 1 != (c.code == 0) {
			t.Errorf("%s: %d posted", name, got)
		}
		if got := strings.Join(s.Violations(), "\n"); !strings.Contains(got, c.violation) || c.violation == "" && got != "" {
			t.Errorf("%s: got violations %q, want %q", name, got, c.violation)
		}
	}
}

// TestLayoutForGood: an edit may bring the newer layout, but not take it back.
func TestLayoutForGood(t *testing.T) {
	t.Parallel()
	var clock Clock
	s := connected(t, Options{Now: clock.Now})
	call, id := answered(t, s, Interaction{Command: "x"}, `{"type":5,"data":{"flags":32768}}`)
	without := strings.Replace(newer(text("x")), `"flags":32768,`, "", 1)
	original := "webhooks/" + appID + "/" + call.Token() + "/messages/@original"
	for _, c := range []struct {
		name, body string
		code       int
		violation  string
	}{
		{"the flag of a deferred response does not count", without, 50035, "no IS_COMPONENTS_V2"},
		{"the flag", newer(text("x")), 0, ""},
		{"still there", without, 0, ""},
		{"taken back", strings.Replace(newer(text("x")), "32768", "0", 1), 50035, "takes IS_COMPONENTS_V2 back"},
		{"content", `{"content":"x",` + quiet + `}`, 50035, "content: cannot be used"},
	} {
		clock.Advance(time.Second)
		if _, code, answer := post(t, s, "PATCH", original, c.body); code != c.code {
			t.Errorf("%s: got %.300s, want code %d", c.name, answer, c.code)
		}
		wantViolation(t, s, c.violation)
	}
	if shown, _ := s.Shown(id); shown.Content != "x" || len(shown.Layout) != 1 {
		t.Errorf("got %+v", shown)
	}
}

// TestLayoutShown: texts, buttons and menus are found wherever they are, in reading order. A press says which one it was, and on
// what message.
func TestLayoutShown(t *testing.T) {
	t.Parallel()
	s := connected(t, Options{})
	off := strings.Replace(press("off"), "{", `{"disabled":true,`, 1)
	body := newer(inside(17, text("1"), inside(1, off), beside(press("a"), text("2"), text("3")), menu("", `{"label":"y","value":"v"}`)), text("4"), inside(1, press("b"), press("c")))
	_, id := answered(t, s, Interaction{Command: "x"}, `{"type":4,"data":`+body+`}`)
	shown, _ := s.Shown(id)
	var found []string
	for _, c := range shown.Components {
		found = append(found, fmt.Sprint(c.CustomID, " ", c.Row))
	}
	if want := []string{"off 0", "a 1", "menu 2", "b 3", "c 3"}; shown.Content != "1\n2\n3\n4" || !slices.Equal(found, want) {
		t.Errorf("got %q %q, want %q", shown.Content, found, want)
	}
	for label, want := range map[string]string{"x": `a 2 8 []`, "y": `menu 3 10 ["v"]`} {
		i := Interaction{Type: TypeComponent, Message: id}
		i.CustomID, i.Values, _ = shown.Use(label)
		var sent struct {
			Data struct {
				Type   int `json:"component_type"`
				ID     int
				Values []string
			}
			Message struct {
				Flags      int
				Components []Component
			}
		}
		if err := json.Unmarshal(s.Event(i), &sent); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%s %d %d %q", i.CustomID, sent.Data.Type, sent.Data.ID, sent.Data.Values); got != want || sent.Message.Flags != flagComponentsV2 || len(sent.Message.Components) != 3 {
			t.Errorf("%s: got %s, %+v, want %s", label, got, sent.Message, want)
		}
	}
}

// TestFormShown: a form may have texts beside its inputs. It comes back with all of its components.
func TestFormShown(t *testing.T) {
	t.Parallel()
	s := connected(t, Options{})
	call := s.Invoke(Interaction{Command: "x"})
	input := `{"type":18,"label":"Word","component":{"type":4,"style":1,"custom_id":"word"}}`
	if status, _, answer := respond(t, s, call, `{"type":9,"data":{"custom_id":"m","title":"x","components":[`+text("board")+`,`+input+`]}}`); status != 204 {
		t.Fatalf("got %d %.300s", status, answer)
	}
	form, err := call.First(Context(t))
	if err != nil || form.Content != "board" || len(form.Inputs) != 1 || form.Inputs[0].Label != "Word" {
		t.Errorf("got %+v, %v", form, err)
	}
	filled, err := s.Submit(Context(t), call, map[string]string{"word": "slate"})
	const want = `"components":[{"id":1,"type":10},{"component":{"custom_id":"word","id":3,"type":4,"value":"slate"},"id":2,"type":18}]`
	if err != nil || !strings.Contains(string(filled.payload), want) {
		t.Errorf("got %s, %v, want %s", filled.payload, err, want)
	}
}
