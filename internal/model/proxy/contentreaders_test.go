package proxy

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// readers are how clients take a file apart: each returns the JSON values that it finds.
var readers = map[string]func([]byte) []any{
	"decoder": decodeRow,
	"piecemeal": func(b []byte) (found []any) {
		for _, end := range []string{"]", "}", "]}", "}]"} {
			found = append(found, decodeRow(append(bytes.Clone(b), end...))...)
		}
		return found
	},
	"seq":        func(b []byte) []any { return eachPart(strings.Split(string(b), "\x1e"), decodeRow) },
	"nul":        func(b []byte) []any { return eachPart(strings.Split(string(b), "\x00"), decodeRow) },
	"lf":         func(b []byte) []any { return eachPart(strings.Split(string(b), "\n"), decodeRow) },
	"crlf":       func(b []byte) []any { return eachPart(splitAt(string(b), "\r\n"), decodeRow) },
	"ecmascript": func(b []byte) []any { return eachPart(splitAt(string(b), "\r\n\u2028\u2029"), decodeRow) },
	"splitlines": func(b []byte) []any {
		return eachPart(splitAt(string(b), "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029"), decodeRow)
	},
	"latin1": func(b []byte) []any {
		runes := make([]rune, len(b))
		for i, c := range b {
			runes[i] = rune(c)
		}
		return eachPart(splitAt(string(runes), "\n\r\v\f\x1c\x1d\x1e\u0085"), decodeRow)
	},
	"utf16": func(b []byte) []any { return append(decodeWide(b, false), decodeWide(b, true)...) },
	// Bytes are split, and each line is decoded by itself, as json.loads does with bytes.
	"wide lines": func(b []byte) (found []any) {
		for _, ends := range []string{"\n", "\r\n"} {
			for _, line := range bytes.FieldsFunc(b, func(r rune) bool { return strings.ContainsRune(ends, r) }) {
				found = append(found, decodeWide(line, false)...)
				found = append(found, decodeWide(line, true)...)
			}
		}
		return found
	},
	"gzip": func(b []byte) []any {
		r, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil
		}
		plain, _ := io.ReadAll(r)
		return eachPart(strings.Split(string(plain), "\n"), decodeRow)
	},
	"zstd": func(b []byte) []any {
		r, err := zstd.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil
		}
		defer r.Close()
		plain, _ := io.ReadAll(r)
		return eachPart(strings.Split(string(plain), "\n"), decodeRow)
	},
	"sse": func(b []byte) (found []any) {
		for event := range strings.SplitSeq(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(b)), "\n\n") {
			var data []string
			for line := range strings.SplitSeq(event, "\n") {
				if rest, is := strings.CutPrefix(line, "data:"); is {
					data = append(data, rest)
				}
			}
			found = append(found, decodeRow([]byte(strings.Join(data, "\n")))...)
		}
		return found
	},
}

func splitAt(s, ends string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(ends, r) })
}

func eachPart(parts []string, read func([]byte) []any) (found []any) {
	for _, p := range parts {
		found = append(found, read([]byte(p))...)
	}
	return found
}

// decodeRow reads values in a row, as jq and Go's decoder do, after what line readers strip.
func decodeRow(b []byte) (found []any) {
	text := strings.TrimFunc(string(b), func(r rune) bool {
		return r <= ' ' || r >= 0x7f && r < 0xa1 || r == '\ufeff' || r == '\u3000' || r == ','
	})
	text = strings.NewReplacer("NaN", "0", "INF", "0", "-infinity", "0").Replace(text)
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var v any
		if d.Decode(&v) != nil {
			return found
		}
		found = append(found, v)
	}
}

func decodeWide(b []byte, big bool) []any {
	var units []uint16
	for i := 0; i+1 < len(b); i += 2 {
		low, high := b[i], b[i+1]
		if big {
			low, high = high, low
		}
		units = append(units, uint16(high)<<8|uint16(low))
	}
	return eachPart(strings.Split(string(utf16.Decode(units)), "\n"), decodeRow)
}

// callsIn are the calls of all formats that stand somewhere in a value.
func callsIn(v any) (found []string) {
	add := func(name, args any) {
		text, is := args.(string)
		if !is {
			raw, _ := json.Marshal(args)
			text = string(raw)
		}
		if tool, is := name.(string); is {
			found = append(found, tool+" "+canonical([]byte(text)))
		}
	}
	switch v := v.(type) {
	case []any:
		for _, elem := range v {
			found = append(found, callsIn(elem)...)
		}
	case map[string]any:
		if f, is := v["function"].(map[string]any); is && f["arguments"] != nil {
			add(f["name"], f["arguments"])
		}
		if v["type"] == "tool_use" {
			add(v["name"], v["input"])
		}
		if v["type"] == "function_call" {
			add(v["name"], v["arguments"])
		}
		if f, is := v["functionCall"].(map[string]any); is {
			add(f["name"], f["args"])
		}
		for name, member := range v {
			if name == "request" && v["response"] != nil {
				continue // what the client has sent
			}
			found = append(found, callsIn(member)...)
		}
	}
	return found
}
