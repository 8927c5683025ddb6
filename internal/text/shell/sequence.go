package shell

import "slices"

// These are functions of lists of commands. Commands know each other by their places in the list.

// Append puts commands behind others that were read apart from them. Like append it may use the memory of the first list. It does not
// change the second one.
func Append(first, second []Command) []Command {
	out := slices.Grow(first, len(second))
	for i := range second {
		c := second[i]
		c.InputFrom, c.WordsFrom = moved(c.InputFrom, len(first)), moved(c.WordsFrom, len(first))
		out = append(out, c)
	}
	return out
}

func moved(places []int, by int) []int {
	if by == 0 || len(places) == 0 {
		return places
	}
	out := make([]int, len(places))
	for i, place := range places {
		out[i] = place + by
	}
	return out
}

// WithoutUnread returns the commands without those that represent text which could not be parsed.
func WithoutUnread(commands []Command) (out []Command) {
	places := make([]int, len(commands)) // in the new list; -1: it is left out
	for i := range commands {
		places[i] = -1
		if !commands[i].Unread {
			places[i] = len(out)
			out = append(out, commands[i])
		}
	}
	if len(out) == len(commands) {
		return commands
	}
	for i := range out {
		c := &out[i]
		c.InputFrom, c.WordsFrom = stillIn(c.InputFrom, places), stillIn(c.WordsFrom, places)
	}
	return out
}

// stillIn returns the new places of commands that are still in the list.
func stillIn(old, places []int) (out []int) {
	for _, place := range old {
		if place < len(places) && places[place] >= 0 {
			out = append(out, places[place])
		}
	}
	return out
}

// perCommand is what a command counts for in Size beside its texts.
const perCommand = 16

// Size is the number of bytes in the commands, roughly: what it takes to look through them grows with it. A text that repeats its
// commands has few.
func Size(commands []Command) (size int) {
	words := func(list []Word) {
		for i := range list {
			size += 1 + len(list[i].Text)
		}
	}
	for i := range commands {
		c := &commands[i]
		size += perCommand + len(c.InputFrom) + len(c.WordsFrom)
		given := c.Words
		if c.isAround(commands[i+1:]) {
			given = given[:len(given)-1] // nobody looks into its text: the commands that are in it are counted
		}
		for _, list := range [...][]Word{given, c.Folders, c.Input, c.Assigns, c.Variables} {
			words(list)
		}
		for _, redirect := range c.Redirects {
			size += 1 + len(redirect.File.Text)
		}
		for _, files := range [...][]Script{c.Scripts, c.Wrote} {
			for _, file := range files {
				words(file.Texts)
			}
		}
	}
	return size
}
