package policy

import (
	"strings"
	"testing"
)

func BenchmarkDecide(b *testing.B) {
	p := Starter()
	for name, args := range map[string]string{
		"small": `{"command":"go test ./... 2>&1 | tail -20","description":"Run the tests"}`,
		"1MiB":  `{"command":"` + strings.Repeat("echo some words of text and a path /usr/bin/env; ", 1<<20/48) + `"}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(args)))
			b.ReportAllocs()
			for b.Loop() {
				p.Decide(Query{Tools: []string{"Bash"}, Args: []byte(args)})
			}
		})
	}
}
