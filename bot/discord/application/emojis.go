package application

//lint:file-ignore ST1005 Discord is a name

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
	pictures "fivefold/bot/picture"
	"fivefold/game/work"
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
	api *calls.Client
	app string
	log *slog.Logger
}

// NewTiles returns the tiles of an application.
func NewTiles(api *calls.Client, app string, log *slog.Logger) *Tiles {
	return &Tiles{api, app, log}
}

// call makes a call as soon as the rate limit allows it, with retries.
func (u *Tiles) call(ctx context.Context, method, address string, body any) ([]byte, error) {
	return u.api.Retried(ctx, "emojis "+method, method, address, body)
}

// List returns the application's emojis that are available.
func (u *Tiles) List(ctx context.Context) (interaction.Emojis, error) {
	body, err := u.call(ctx, http.MethodGet, discordgo.EndpointApplicationEmojis(u.app), nil)
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
func (u *Tiles) upload(ctx context.Context, e pictures.Emoji) (id string, err error) {
	body, err := u.call(ctx, http.MethodPost, discordgo.EndpointApplicationEmojis(u.app), discordgo.EmojiParams{Name: e.Name(), Image: dataURI(e.Draw())})
	if calls.IsContentRefused(err) {
		// It may be there from an earlier try whose answer was lost.
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

// uploadMissing uploads what is missing and adds it to the emojis; progress is called after
// each. The uploads that were made before an error stay.
func (u *Tiles) uploadMissing(ctx context.Context, have interaction.Emojis, progress func(done, all int)) error {
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

// Keep learns the emojis and, if uploads is set, uploads the missing ones; otherwise it waits until another process has. It returns
// when all are there, when ctx ends, or where trying again cannot help.
func (u *Tiles) Keep(ctx context.Context, names *interaction.Names, uploads bool) {
	said := false
	for wait := time.Duration(0); ; wait = min(2*wait+time.Second, 10*time.Minute) {
		have, err := u.List(ctx)
		if err == nil {
			names.LearnEmojis(have)
			missing := len(missing(have))
			switch {
			case missing == 0:
				u.log.Info("found all tiles", "emojis", len(names.Emojis()))
				return
			case !uploads && !said:
				said = true
				u.log.Info("tiles are missing; until another process or \"fivefold register\" has uploaded them, squares are shown", "count", missing)
			case uploads:
				u.log.Info("uploading tiles; until they are there, squares are shown", "count", missing)
				err = u.uploadMissing(ctx, have, func(done, _ int) {
					names.LearnEmojis(have)
					if done%100 == 0 {
						u.log.Info("uploaded tiles", "count", done, "of", missing)
					}
				})
			}
		}
		switch {
		case ctx.Err() != nil:
			return
		case calls.IsContentRefused(err), calls.FinalError(err) != nil: // there may be no room for more
			u.log.Warn("could not upload the tiles; squares are shown instead", "error", err)
			return
		case err != nil:
			u.log.Warn("could not upload the tiles; trying again", "error", err, "wait", wait)
		}
		if work.Sleep(ctx, wait+rand.N(wait/2+1)) != nil {
			return
		}
	}
}

// Sync uploads the missing tiles. It calls progress before the first upload and after each, with the number of uploaded tiles out of
// the missing ones. It returns how many tiles there are and how many were uploaded, also with an error.
func (u *Tiles) Sync(ctx context.Context, progress func(done, of int)) (all, uploaded int, err error) {
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
	return len(have.Complete()), uploaded, err
}
