package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// meant guesses what a mistaken command line was to be: "did you mean weir calls? "; "": there is nothing like it.
func meant(cmd *cobra.Command, err error, args []string) string {
	var like []string
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	switch {
	case ok && len(unknown.GetSpecifiedName()) > 1:
		like = likeFlag(cmd, unknown.GetSpecifiedName())
	case cmd.HasSubCommands() && len(args) > 0:
		like = likeCommand(cmd, args[0])
	}
	if len(like) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(like, " or ") + "? "
}

// mostLike is how many guesses are named.
const mostLike = 3

func likeFlag(cmd *cobra.Command, name string) []string {
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			all = append(all, f.Name)
		}
	})
	like := nearest(name, all)
	for i, l := range like {
		like[i] = "--" + l
	}
	return like
}

// likeCommand finds commands below one, or else anywhere, whose name is like a word.
func likeCommand(cmd *cobra.Command, word string) []string {
	byName := map[string][]string{}
	var note func(*cobra.Command, bool)
	note = func(c *cobra.Command, deep bool) {
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				byName[sub.Name()] = append(byName[sub.Name()], sub.CommandPath())
			}
			if deep {
				note(sub, true)
			}
		}
	}
	for _, deep := range []bool{false, true} {
		from := cmd
		if deep {
			from = cmd.Root()
		}
		note(from, deep)
		var names, paths []string
		for name := range byName {
			names = append(names, name)
		}
		for _, name := range nearest(word, names) {
			paths = append(paths, byName[name]...)
		}
		if len(paths) > 0 {
			slices.Sort(paths)
			return slices.Compact(paths)[:min(mostLike, len(slices.Compact(paths)))]
		}
	}
	return nil
}

// nearest are the words that differ least from one, if they differ little: by a third of its letters, or in how much of them is there.
func nearest(word string, words []string) (near []string) {
	least := max(1, len([]rune(word))/3)
	for _, w := range words {
		d := distance(word, w)
		if strings.HasPrefix(w, word) && len(word) > 1 {
			d = min(d, least)
		}
		switch {
		case d > least:
		case d < least:
			least, near = d, []string{w}
		default:
			near = append(near, w)
		}
	}
	slices.Sort(near)
	return near[:min(mostLike, len(near))]
}

// distance is how many letters are to be added, removed, replaced or swapped with the next to make one word into another.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	rows := [3][]int{}
	for i := range rows {
		rows[i] = make([]int, len(to)+1)
	}
	for j := range to {
		rows[1][j+1] = j + 1
	}
	for i := range from {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i + 1
		for j := range to {
			change := last[j]
			if from[i] != to[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && from[i] == to[j-1] && from[i-1] == to[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		rows[0], rows[1], rows[2] = last, row, before
	}
	return rows[1][len(to)]
}
