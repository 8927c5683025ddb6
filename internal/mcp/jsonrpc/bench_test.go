package jsonrpc_test

import (
	"io"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func BenchmarkParseCall(b *testing.B) {
	text := []byte(`{"jsonrpc":"2.0","id":42,"method":"tools/call","params":{"name":"write_file","arguments":{"path":"/home/ann/notes.txt","content":"` +
		strings.Repeat(`a line of text\n`, 50) + `"},"_meta":{"progressToken":42}}}`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		messages, _, err := jsonrpc.ParseBody(text)
		expect.OK(b, err)
		if name, err := messages[0].ParamText("name"); err != nil || name != "write_file" {
			b.Fatal(name, err)
		}
		if _, err := messages[0].Arguments(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPassResult(b *testing.B) {
	for name, text := range map[string]string{
		"one-line-1MB":  `{"jsonrpc":"2.0","id":42,"result":{"content":[{"type":"text","text":"` + strings.Repeat(`a line of text\n`, 1<<16) + `"}]}}` + "\n",
		"many-line-1MB": `{"jsonrpc":"2.0","id":42,"result":{"content":[` + strings.Repeat(`{"type":"text",`+"\n"+`"text":"a line of text"},`, 1<<14) + `{}]}}` + "\n",
	} {
		b.Run(name, func(b *testing.B) {
			w := jsonrpc.NewWriter(io.Discard)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				m, err := jsonrpc.NewReader(jsonrpc.ReaderConfig{Source: strings.NewReader(text)}).Next()
				expect.OK(b, err)
				expect.OK(b, w.Write(m))
			}
		})
	}
}
