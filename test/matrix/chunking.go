package main

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A chunking is how the bytes of an answer are divided into writes.
type chunking struct {
	name string
	// parts divides a body that is given in frames; nil: it is one part.
	parts func(frames []string) []string
	// size is into how many bytes the encoded body is cut, whatever they are; 0: each part is a write.
	size int
	// length says that the length of the body is sent ahead. That is done with whole bodies only.
	length bool
	// ofFrames says that it is of interest only where there are several frames.
	ofFrames bool
}

// chunkings are all of them. The first is the ordinary one.
var chunkings = []chunking{
	{name: "one write"},
	{name: "one write, length known", length: true},
	{name: "a frame a write", ofFrames: true, parts: func(frames []string) []string { return frames }},
	{name: "cut inside frames", parts: cutInside},
	{name: "cut inside characters", parts: cutCharacters},
	{name: "7 bytes", ofFrames: true, size: 7},
	{name: "1 byte", size: 1},
}

// chunkingsOf are those that make a difference to a mode.
func chunkingsOf(m mode) []*chunking {
	var list []*chunking
	for i := range chunkings {
		c := &chunkings[i]
		switch {
		case m == whole && c.ofFrames, m != whole && c.length:
		default:
			list = append(list, c)
		}
	}
	return list
}

// cutInside cuts every frame in its middle, and nowhere else.
func cutInside(frames []string) []string {
	var list []string
	rest := ""
	for _, f := range frames {
		list = append(list, rest+f[:len(f)/2])
		rest = f[len(f)/2:]
	}
	return append(list, rest)
}

// cutCharacters cuts after the first byte of every character that has several.
func cutCharacters(frames []string) []string {
	body := strings.Join(frames, "")
	var list []string
	from := 0
	for i, c := range body {
		if utf8.RuneLen(c) > 1 {
			list = append(list, body[from:i+1])
			from = i + 1
		}
	}
	return append(list, body[from:])
}

// writes are what is written at a time.
func (c *chunking) writes(frames []string, e *encoding) ([][]byte, error) {
	parts := []string{strings.Join(frames, "")}
	if c.parts != nil {
		parts = c.parts(frames)
	}
	list, err := e.encode(parts)
	if err != nil || c.size == 0 {
		return list, err
	}
	return slices.Collect(slices.Chunk(slices.Concat(list...), c.size)), nil
}
