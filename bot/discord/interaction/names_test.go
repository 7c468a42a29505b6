package interaction

import (
	"testing"

	"fivefold/bot"
)

func TestMention(t *testing.T) {
	known := new(Names)
	known.LearnCommands([]byte(`[{"id":"12","name":"guess"},{"id":"34","name":"wordle"},{"id":"x","name":"bad"}]`))
	nonsense := new(Names)
	nonsense.LearnCommands([]byte(`{"message":"no"}`))
	for name, test := range map[string]struct {
		ids  *Names
		span bot.Span
		want string
	}{
		"a command":          {known, bot.Slash("guess"), "</guess:12>"},
		"of two words":       {known, bot.Slash("wordle start"), "</wordle start:34>"},
		"with an option":     {known, bot.Slash("wordle start", "mode", "solo"), "</wordle start:34> **mode:solo**"},
		"a flag":             {known, bot.Slash("wordle start", "hard", "true"), "</wordle start:34> **hard:True**"},
		"several options":    {known, bot.Slash("guess", "word", "crane", "mode", "daily"), "</guess:12> **word:crane mode:daily**"},
		"no value":           {known, bot.Slash("guess", "word", "", "mode", "solo"), "</guess:12> **mode:solo**"},
		"markup in a value":  {known, bot.Slash("guess", "word", "**<@1>"), `</guess:12> **word:\*\*\<\@1>**`},
		"not registered":     {known, bot.Slash("hint", "kind", "letter"), "**/hint kind:letter**"},
		"an id that is none": {known, bot.Slash("bad"), "**/bad**"},
		"none known yet":     {new(Names), bot.Slash("wordle start", "mode", "solo"), "**/wordle start mode:solo**"},
		"nonsense learned":   {nonsense, bot.Slash("guess"), "**/guess**"},
	} {
		if got := test.ids.mention(test.span); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}
