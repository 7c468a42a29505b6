package picture

import (
	"image/color"

	"fivefold/bot/canvas"
)

// The colours. Nothing differs by colour alone: suits differ in shape and letter too,
// medals in shape and number, marks in brightness and sign.
const (
	nothing canvas.Ink = iota // outside the rounded corners
	cloth                     // behind everything
	panel                     // behind a player, and in an empty row
	frame                     // round the cards of an empty row
	back                      // of a hidden card
	paper                     // of a card; signs on dark grounds
	bright                    // text on cloth and panel
	dim                       // text that matters less
	dark                      // numbers on medals; signs on bright grounds
	clubs
	diamonds
	hearts
	spades
	grey
	yellow
	green
	blue   // instead of yellow, where colours are of high contrast
	orange // instead of green
	gold
	silver
	bronze
)

var colours = []color.NRGBA{
	nothing:  {},
	cloth:    {0x18, 0x22, 0x2D, 0xFF},
	panel:    {0x26, 0x34, 0x43, 0xFF},
	frame:    {0x48, 0x5A, 0x6C, 0xFF},
	back:     {0x35, 0x4F, 0x79, 0xFF},
	paper:    {0xFC, 0xFC, 0xFA, 0xFF},
	bright:   {0xF4, 0xF6, 0xF8, 0xFF},
	dim:      {0xB4, 0xC0, 0xCC, 0xFF},
	dark:     {0x14, 0x1B, 0x22, 0xFF},
	clubs:    {0x0B, 0x79, 0x3C, 0xFF},
	diamonds: {0x17, 0x5C, 0xD6, 0xFF},
	hearts:   {0xD3, 0x1F, 0x2E, 0xFF},
	spades:   {0x14, 0x17, 0x1B, 0xFF},
	grey:     {0x4E, 0x59, 0x65, 0xFF},
	yellow:   {0xF6, 0xC5, 0x1B, 0xFF},
	green:    {0x1F, 0x95, 0x4F, 0xFF},
	blue:     {0x85, 0xC0, 0xF9, 0xFF},
	orange:   {0xE8, 0x65, 0x0A, 0xFF},
	gold:     {0xFF, 0xCB, 0x2E, 0xFF},
	silver:   {0xCD, 0xD5, 0xDD, 0xFF},
	bronze:   {0xE0, 0x93, 0x54, 0xFF},
}
