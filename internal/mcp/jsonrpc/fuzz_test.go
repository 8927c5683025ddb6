package jsonrpc_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/mcp/jsonrpc"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		ping, note, "[" + ping + "," + note + "]", `{"jsonrpc":"2.0","id":"a","result":{"tools":[]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":"\ud83d\ude00"},"_meta":{}}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}`, `{"jsonrpc":"2.0","ID":1,"method":"m"}`,
		"{\n\"jsonrpc\":\"2.0\",\r\n\"method\":\"\u2028\"}", `{"jsonrpc":"2.0","id":1e0,"method":"m"}`, `{`, `[]`, `[[]]`, "\ufeff{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		checkMessage(t, text)
		messages, _, err := jsonrpc.ParseBody(text)
		if err != nil {
			return
		}
		for _, m := range messages {
			line := m.AppendLine(nil)
			again := one(t, string(line))
			if again.ID != m.ID || again.Kind != m.Kind || again.Method != m.Method {
				t.Fatalf("%s became %s", m.Raw, line)
			}
			if !bytes.Equal(again.AppendLine(nil), line) {
				t.Fatalf("%s is not the last form", line)
			}
			for name, object := range map[string]jsontext.Value{"params": m.Params, "result": m.Result} {
				if object == nil {
					continue
				}
				same, err := m.Set(object, name)
				if err != nil || !bytes.Equal(same.Raw, m.Raw) {
					t.Fatalf("%s with the %s that it has is %v, %v", m.Raw, name, same, err)
				}
			}
		}
	})
}

// pieces cuts a stream at random.
type pieces struct {
	rest   []byte
	random *rand.Rand
}

func (p *pieces) Read(buf []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(buf, p.rest[:1+p.random.IntN(len(p.rest))])
	p.rest = p.rest[n:]
	return n, nil
}

func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		ping + "\n" + note + "\r\n" + ping2, "[" + ping + ",\n" + note + "]\n", "{\n" + ping[1:] + "\n", "log\n" + ping + ping2 + "\n" + note,
		"[INFO] up\n{\"a\":\n" + ping + "\n", longest(300) + "\n" + note + "\n", "\ufeff" + ping + "\n\xff\n{\"\xff\":1}\n", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\n\"a\":\"" + longest(300)[:200] + "\"}}  \n" + note,
		`{"jsonrpc":"2.0","x":` + nested(300) + "}\n" + note, "[\n[\n[\n1,\n[1]\n,]\n" + ping, `{"jsonrpc":"2.0","id":"\u0061","id":2,"a":` + "\n" + note,
	} {
		f.Add([]byte(seed), uint64(len(seed)))
	}
	f.Fuzz(func(t *testing.T, stream []byte, seed uint64) {
		const limit = 250
		whole := readAll(t, bytes.NewReader(stream), limit)
		cut := readAll(t, &pieces{stream, rand.New(rand.NewPCG(seed, 1))}, limit)
		if diff := cmp.Diff(whole, cut); diff != "" {
			t.Fatalf("cut elsewhere: %s", diff)
		}
		checkReadBack(t, stream, limit)
	})
}

// checkReadBack checks that the messages of a stream, as they are written, are read as what they are, and nothing else is.
func checkReadBack(t *testing.T, stream []byte, limit int) {
	t.Helper()
	var out bytes.Buffer
	w := jsonrpc.NewWriter(&out)
	var want []string
	r := jsonrpc.NewReader(jsonrpc.ReaderConfig{Source: bytes.NewReader(stream), MaxMessage: limit})
	for m, err := r.Next(); err != io.EOF; m, err = r.Next() {
		if err != nil {
			continue
		}
		want = append(want, string(m.AppendLine(nil)))
		expect.OK(t, w.Write(m))
	}
	if diff := cmp.Diff(want, readAll(t, &out, 6*limit)); diff != "" {
		t.Fatalf("read back: %s", diff)
	}
}
