package application

//lint:file-ignore ST1005 Discord is a name

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
	pictures "fivefold/bot/picture"
)

// missing returns the emojis to upload, the most needed first.
func missing(e interaction.Emojis) []pictures.Emoji {
	var all []pictures.Emoji
	listed := map[string]bool{}
	for _, set := range pictures.EmojiSets() {
		for _, tile := range set {
			if name := tile.Name(); e[name] == "" && !listed[name] {
				listed[name] = true
				all = append(all, tile)
			}
		}
	}
	return all
}

// Tiles lists and uploads the application's emojis.
type Tiles struct {
	API *calls.Client
	App string
	Log *slog.Logger
}

// call makes a call as soon as the rate limit allows it, with retries.
func (u Tiles) call(ctx context.Context, method, address string, body any) ([]byte, error) {
	return u.API.Retried(ctx, "emojis "+method, method, address, body)
}

// List returns the application's emojis that are available.
func (u Tiles) List(ctx context.Context) (interaction.Emojis, error) {
	body, err := u.call(ctx, http.MethodGet, discordgo.EndpointApplicationEmojis(u.App), nil)
	if err != nil {
		return nil, err
	}
	var list struct {
		Items []struct {
			ID        string `json:"id"`
			Name      string `json:"name"`
			Available *bool  `json:"available"`
		} `json:"items"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("the list of emojis cannot be read: %w", err)
	}
	all := interaction.Emojis{}
	for _, e := range list.Items {
		if calls.IsSnowflake(e.ID) && (e.Available == nil || *e.Available) {
			all[e.Name] = e.ID
		}
	}
	return all, nil
}

func dataURI(png []byte) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(png)
}

// upload draws an emoji and uploads it, and returns its id.
func (u Tiles) upload(ctx context.Context, e pictures.Emoji) (id string, err error) {
	body, err := u.call(ctx, http.MethodPost, discordgo.EndpointApplicationEmojis(u.App), discordgo.EmojiParams{Name: e.Name(), Image: dataURI(e.Draw())})
	if calls.IsContentRefused(err) {
		// The emoji may be there from an earlier try whose answer was lost.
		if have, listed := u.List(ctx); listed == nil && have[e.Name()] != "" {
			return have[e.Name()], nil
		}
	}
	if err != nil {
		return "", err
	}
	var made struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(body, &made); err != nil || !calls.IsSnowflake(made.ID) {
		return "", errors.New("Discord's answer to an upload cannot be read")
	}
	return made.ID, nil
}

// uploadMissing uploads the missing emojis one by one, adds each to have, and calls progress. Uploads before an error stay.
func (u Tiles) uploadMissing(ctx context.Context, have interaction.Emojis, progress func(done, all int)) error {
	missing := missing(have)
	for n, tile := range missing {
		id, err := u.upload(ctx, tile)
		if err != nil {
			return fmt.Errorf("%s: %w", tile.Name(), err)
		}
		have[tile.Name()] = id
		progress(n+1, len(missing))
	}
	return nil
}

// Keep learns the emojis. If uploads is set, it uploads the missing ones; otherwise it waits until another process has done
// so. It returns when all are there, when ctx ends, or when Discord refuses an upload.
func (u Tiles) Keep(ctx context.Context, names *interaction.Names, uploads bool) {
	// The only error is ErrToken, which Commands.Keep returns too.
	_, _ = calls.Patiently(ctx, u.Log, "not all tiles are there, and squares are shown", time.Second, 10*time.Minute, func() error {
		have, err := u.List(ctx)
		if err != nil {
			return err
		}
		names.LearnEmojis(have)
		if n := len(missing(have)); n > 0 && !uploads {
			return errors.New(`another process or "fivefold register" has yet to upload them`)
		} else if n > 0 {
			u.Log.Info("uploading tiles; until they are there, squares are shown", "count", n)
		}
		err = u.uploadMissing(ctx, have, func(done, of int) {
			names.LearnEmojis(have)
			if done%100 == 0 {
				u.Log.Info("uploaded tiles", "count", done, "of", of)
			}
		})
		if calls.IsContentRefused(err) { // there may be no room for more
			u.Log.Warn("could not upload the tiles; squares are shown instead", "error", err)
			return nil
		}
		if err == nil {
			u.Log.Info("found all tiles", "emojis", names.Tiles().Count())
		}
		return err
	})
}

// Sync uploads the missing tiles. It calls progress before the first upload and after each, with the number of uploaded tiles out of
// the missing ones. It returns how many tiles there are and how many were uploaded, also with an error.
func (u Tiles) Sync(ctx context.Context, progress func(done, of int)) (all, uploaded int, err error) {
	have, err := u.List(ctx)
	if err != nil {
		return 0, 0, err
	}
	if n := len(missing(have)); n > 0 {
		progress(0, n)
	}
	err = u.uploadMissing(ctx, have, func(done, of int) {
		uploaded = done
		progress(done, of)
	})
	return have.Complete().Count(), uploaded, err
}
