package discord

import (
	"fmt"
	"strings"
	"testing"
)

// TestFullSettings: all pages fit in a message, which the fake Discord checks, with as much as can be chosen and changed.
func TestFullSettings(t *testing.T) {
	t.Parallel()
	var all, words []string
	for n := range 25 {
		all = append(all, fmt.Sprint(1300000000000000100+n))
	}
	for n := range 200 {
		words = append(words, fmt.Sprintf("abc%c%c", 'a'+n/20, 'a'+n%20))
	}
	say := "mia, a manager, in general "
	script := "mia, a manager, in general: /settings\n" + say + "chooses: Anyone who can manage messages: moderators\n"
	for n := range 12 {
		script += say + "chooses: Everywhere: " + strings.Join(all[n%2:], ", ") + "\n"
	}
	script += say + "presses: Words\n" + say + "presses: Change\n" + say + "enters: words:" + strings.Join(words, " ") + "\n" +
		say + "presses: Post\n" + say + "chooses: No daily post: general\n" + say + "chooses: Nobody: moderators\n" + say + "presses: Games\n"
	for _, label := range []string{"Each alone", "Hard", "At most 1", "An hour", "9 dailies"} {
		script += say + "chooses: " + label + "\n"
	}
	script += say + "presses: History\n" + say + "presses: Earlier\n"
	played := newRunner(t, false).play(script)
	_, later, _ := strings.Cut(played, "presses: History\n")
	if strings.Count(later, "> [Undo]") != 13 || strings.Count(later, "[Earlier]") != 2 || !strings.Contains(later, "None → 200 words") {
		t.Errorf("the history is\n%s", later)
	}
}
