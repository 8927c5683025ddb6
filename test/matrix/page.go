package main

import (
	"fmt"
	"strings"
)

const introduction = `# The matrix

One table that shows that no endpoint, format, framing, encoding or chunking escapes the policy. ` + "`make matrix`" + ` makes it.

Each cell is one HTTP exchange through the real weir. The upstream answers with a turn that says some text, asks for one
call, and says more text. The policy refuses the call by its name, refuses it by its arguments, or allows it.

- A cell with a refused call **leaks** if anything of the call is in what the client got: a piece of its arguments, its id, or
  its name other than in weir's notice. It is looked for in the bytes as they came, decompressed, with escapes undone, and in
  what stands there in base64.
- It **breaks** if a client could not read the response (an end, the right indexes and a true stop reason are demanded), if the
  notice is not in it, if the text around the call is not exactly what the model said, or if the response no longer says what it cost.
- A cell with an allowed call **alters** if one byte is another than the upstream sent, after decompression. Framings that clients
  read differently are written anew by weir: there, the message must be the same.

One cell at fault is an error.

## Run it

` + "```sh" + `
make matrix                                             # every cell; writes this page
go run ./test/matrix -weir bin/weir -sample 500         # some cells, evenly spread
go run ./test/matrix -weir bin/weir -v -only 'br | 1 byte'   # cells whose names have this in them, with their bytes
` + "```" + `

` + "`make test`" + ` plays every line of the table under every verdict, all else in turn, and checks that this page is up to date.
It demands a line for every endpoint that weir gates; a few whose answers have a form of their own are checked for leaks alone. It
also plays the cells through a bare reverse proxy, where every refused call must be found to leak, and behind one that changes a
byte, where every allowed one must be found altered.

## What is combined

| axis | values |
|---|---|
`

const combination = `
Cells are: every line by every upstream under every verdict, all else ordinary; every line with every framing under every
verdict, all else in turn, so that every value of every axis meets every line; and, for every format and each of its modes, the
full product of framing, content encoding, chunking and verdict on its first endpoint, all else scattered. Results of batches and
what a provider keeps are lines of their own: there, whole messages of a format stand in lines or lists. *declared* is an upstream
that the configuration names; the others are built in.

## The table

| format | endpoint | upstreams | mode | refused | allowed | |
|---|---|---|---|---|---|---|
`

// page is the page for the documentation. It holds nothing that changes from run to run.
func page(s summary) string {
	var b strings.Builder
	b.WriteString(introduction)
	for _, axis := range axes() {
		fmt.Fprintf(&b, "| %s | %s |\n", axis[0], axis[1])
	}
	b.WriteString(combination)
	for _, n := range s {
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %d | %d | %s |\n",
			n.format.name, n.endpoint.name(), n.upstreams(), n.mode, n.refused, n.allowed, n.mark())
	}
	t := s.total()
	fmt.Fprintf(&b, "| **all** | | | | **%d** | **%d** | %s |\n", t.refused, t.allowed, t.mark())
	return b.String()
}

// axes are the axes beside those of the table, and their values.
func axes() [][2]string {
	list := [][2]string{{"verdict", names(verdicts, func(v verdict) string { return v.name })}}
	for _, m := range []mode{events, lines, array, packets, whole} {
		var of []framing
		for _, f := range framings {
			if f.mode == m {
				of = append(of, f)
			}
		}
		list = append(list, [2]string{"framing of " + string(m), names(of, func(f framing) string { return f.name })})
	}
	return append(list,
		[2]string{"content encoding", names(encodings, func(e encoding) string { return e.name })},
		[2]string{"chunking", names(chunkings, func(c chunking) string { return c.name })},
		[2]string{"content type", names(labellings, func(l labelling) string { return l.name })},
		[2]string{"stream or whole", names(askings, func(a asking) string { return a.name })},
	)
}

func names[T any](list []T, name func(T) string) string {
	var all []string
	for _, v := range list {
		all = append(all, name(v))
	}
	return strings.Join(all, "; ")
}
