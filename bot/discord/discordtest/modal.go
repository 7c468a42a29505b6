package discordtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// Input is a text input of a modal, as a player sees it.
type Input struct {
	CustomID    string
	Label       string
	Placeholder string // shown as long as there is no Value
	Value       string // filled in already
	Required    bool
	Max         int // characters
	Long        bool
}

// inputs lists the text inputs of a modal in reading order.
func inputs(boxes []Component) []Input {
	var all []Input
	for _, box := range boxes {
		c := box.Inner
		if c == nil || c.Type != compInput {
			continue
		}
		i := Input{
			CustomID: c.CustomID, Label: box.Label, Placeholder: c.Placeholder, Value: c.Value,
			Required: c.Required == nil || *c.Required, Max: maxInputText, Long: c.Style == 2,
		}
		if c.MaxLength != nil {
			i.Max = *c.MaxLength
		}
		all = append(all, i)
	}
	return all
}

// Submit waits for the modal that answers the call, fills it in and sends it, as
// the player who was shown it. The texts are by custom_id; an input without one
// keeps what was filled in already. What a client would not submit is an error.
func (c *Call) Submit(ctx context.Context, texts map[string]string) (*Call, error) {
	modal, err := c.First(ctx)
	if err != nil {
		return nil, err
	}
	if modal.Type != callbackModal {
		return nil, fmt.Errorf("discordtest: the answer is of type %d, no modal", modal.Type)
	}
	left := maps.Clone(texts)
	var boxes []object
	for n, input := range modal.Inputs {
		text, given := left[input.CustomID]
		delete(left, input.CustomID)
		if !given {
			text = input.Value
		}
		switch size := len([]rune(text)); {
		case size == 0 && !input.Required:
		case size == 0:
			return nil, fmt.Errorf("discordtest: the input %q must be filled in", input.CustomID)
		case size > input.Max:
			return nil, fmt.Errorf("discordtest: %d characters in the input %q, at most %d", size, input.CustomID, input.Max)
		}
		in := object{"type": compInput, "id": 2*n + 2, "custom_id": input.CustomID, "value": text}
		boxes = append(boxes, object{"type": compLabel, "id": 2*n + 1, "component": in})
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		return nil, fmt.Errorf("discordtest: the modal has no input %q", name)
	}
	i := c.asked
	i.ID, i.Type, i.CustomID, i.boxes = "", TypeModal, modal.CustomID, boxes
	return c.s.Invoke(i), nil
}
