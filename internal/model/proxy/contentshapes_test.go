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

// The responses with a call of which the files are made. Of each shape there is one with a tool that is refused, and one with another.
func chatAnswer(tool string) string {
	return `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,` +
		`"tool_calls":[{"id":"call_01","type":"function","function":{"name":"` + tool + `","arguments":"{\"a\":\"` + secret + `\"}"}}]},"finish_reason":"tool_calls"}]}`
}

func chatRow(tool string) string {
	return `{"id":"batch_req_a","custom_id":"a","response":{"status_code":200,"request_id":"r","body":` + chatAnswer(tool) + `},"error":null}`
}

func messageRow(tool string) string {
	return `{"custom_id":"a","result":{"type":"succeeded","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[` +
		`{"type":"tool_use","id":"toolu_02","name":"` + tool + `","input":{"a":"` + secret + `"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}}}`
}

func geminiFileRow(tool string) string {
	return `{"key":"a","response":{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"` + tool + `","args":{"a":"` + secret + `"}}}]},"finishReason":"STOP"}]}}`
}

func pretty(text string) string {
	var b bytes.Buffer
	_ = json.Indent(&b, []byte(text), "", "  ")
	return b.String()
}

func wide(text string, big bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

func zstandard(text string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(text), nil))
}

// fileShapes are the ways in which a file may hold two answers, or an answer and something else. Whoever hands out the file chose them.
func fileShapes(a, b string) map[string]string {
	const inert = `{"note":1}`
	shapes := map[string]string{
		"lines":                       a + "\n" + b + "\n",
		"one line":                    a + "\n",
		"no end":                      a,
		"values in a row":             a + b,
		"two on a line":               a + " " + b + "\n",
		"inert and call on a line":    inert + " " + a + "\n",
		"second line has two":         inert + "\n" + inert + " " + a + "\n",
		"tab between":                 a + "\t" + b,
		"pretty":                      pretty(a),
		"pretty twice":                pretty(a) + "\n" + pretty(b),
		"inert, pretty":               inert + "\n" + pretty(a),
		"pretty inert, pretty":        pretty(inert) + "\n" + pretty(a),
		"array":                       "[" + a + "," + b + "]",
		"array in lines":              "[\n" + a + ",\n" + b + "\n]",
		"array not closed":            "[" + a + "," + b,
		"array, junk":                 "[" + a + "] x",
		"array of arrays":             "[[" + a + "]]",
		"junk behind":                 a + " x\n" + b + "\n",
		"junk behind the last":        inert + "\n" + a + " x",
		"junk behind, no blank":       a + "x",
		"comma behind":                a + ",\n" + b + ",\n",
		"comma ahead":                 "," + a + "\n," + b,
		"semicolon behind":            a + ";" + b,
		"junk line first":             "x\n" + a + "\n",
		"junk line between":           inert + "\nx\n" + a + "\n",
		"comment first":               "# results\n" + a + "\n",
		"bracket first":               "[x\n" + a + "\n",
		"brace first":                 "{\n" + a + "\n",
		"quote first":                 "\"\n" + a + "\n",
		"literal first":               "null" + a,
		"literal line first":          "null\n" + a + "\n",
		"number first":                "1 " + a,
		"text first":                  `"x"` + a,
		"text line first":             "\"x\"\n" + a + "\n",
		"blank lines":                 "\n\n" + a + "\n\n",
		"mark first":                  "\ufeff" + a + "\n" + b,
		"mark on each line":           "\ufeff" + a + "\n\ufeff" + b,
		"two marks":                   "\ufeff\ufeff" + a,
		"mark and text":               "\ufeffx\n" + a,
		"json-seq":                    "\x1e" + a + "\n\x1e" + b + "\n",
		"json-seq, pretty":            "\x1e" + pretty(a) + "\n\x1e" + pretty(b) + "\n",
		"json-seq, no line end":       "\x1e" + a + "\x1e" + b,
		"json-seq behind junk":        "x\x1e" + pretty(a) + "\n",
		"nul between":                 inert + "\x00" + a,
		"nul ahead":                   "\x00" + a,
		"nul behind":                  a + "\x00",
		"nul and pretty":              "x\x00" + pretty(a),
		"no-break space ahead":        "x\n\u00a0" + a,
		"ideographic space ahead":     "x\n\u3000" + a,
		"zero width ahead":            "x\n\u200b" + a,
		"crlf":                        a + "\r\n" + b + "\r\n",
		"cr":                          a + "\r" + b + "\r",
		"cr inside":                   strings.Replace(a, ",", ",\r", 1) + "\n",
		"nan":                         `{"x":NaN,"y":` + a + "}",
		"nan in a line":               inert + "\n" + `{"x":NaN,"y":` + a + "}\n",
		"control character":           "{\"x\":\"\x01\",\"y\":" + a + "}",
		"events":                      "data: " + a + "\n\ndata: " + b + "\n\n",
		"events, odd":                 "foo: bar\ndata:" + a + "\n\n",
		"events in pieces":            "x: 1\ndata: " + strings.Replace(a, `,"`, ",\ndata: \"", 3) + "\n\n",
		"events, cr":                  "x: 1\rdata: " + strings.Replace(a, `,"`, ",\rdata: \"", 3) + "\r\r",
		"event without blank":         "x: 1\ndata: " + a,
		"wide, little":                wide("\ufeff"+a+"\n", false),
		"wide, big":                   wide("\ufeff"+a+"\n", true),
		"wide, unmarked":              wide(a+"\n", false),
		"wide, unmarked, big":         wide(a+"\n", true),
		"wide text first":             wide("\ufeffnotes ∀ē\n"+strings.Replace(a, "assistant", "∀ē≢", 1)+"\n", false),
		"wide text first, unmarked":   wide("notes\n"+a+"\n", true),
		"wide line after a blank one": "\n" + wide(a, false) + "\n",
		"wide line after text":        "\"header\"\n" + wide(a, true) + "\n",
		"wide lines after text":       "1\n" + wide(strings.Replace(a, "assistant", "∀ē≢", 1)+"\n"+b, false) + "\n",
		"marked wide line":            "null\n" + wide("\ufeff"+a, false) + "\n",
		"words of jq":                 strings.Replace(a, "{", `{"z":INF,"y":-infinity,`, 1) + "\n",
		"gzip":                        zipped(a + "\n"),
		"gzip, text first":            zipped("x\n" + a + "\n"),
		"gzip in gzip":                zipped(zipped(a + "\n")),
		"gzip, wide":                  zipped(wide("\ufeff"+a, false)),
		"zstd":                        zstandard(a + "\n"),
		"invalid text":                "\xff\xfe\xfd\n" + a + "\n",
		"invalid inside":              strings.Replace(a, `"a"`, "\"a\xff\"", 1) + "\n",
		"escaped names":               "x\n" + strings.NewReplacer("tool_calls", `tool\u005fcalls`, "functionCall", `f\u0075nctionCall`, "tool_use", `tool\u005fuse`).Replace(a),
		"cut":                         a[:len(a)-3],
		"cut, then more":              a[:len(a)-3] + "\n" + b,
		"deep":                        strings.Repeat("[", 12_000) + a + strings.Repeat("]", 12_000),
		"long blank":                  "x\n" + strings.Repeat(" ", 70_000) + a,
		"long line first":             strings.Repeat("x", 70_000) + "\n" + a,
		"wrapped":                     `{"data":` + a + "}",
		"wrapped, junk":               `{"data":` + a + "} x",
		"string over a line end":      `{"x":"` + "\n" + a + "\n" + `"}`,
		"string with a separator":     `{"x":"` + "\u2028" + a + `"}`,
		"line in a value that dies":   "[1 \n" + a + " x\n",
		"object that dies in a line":  "{\"x\":{\n" + a + " x\n",
	}
	for name, end := range map[string]string{
		"VT": "\v", "FF": "\f", "FS": "\x1c", "GS": "\x1d", "RS": "\x1e", "NEL": "\u0085", "LS": "\u2028", "PS": "\u2029", "CR": "\r", "Latin-1 NEL": "\x85",
	} {
		shapes[name+" between"] = a + end + b + end
		shapes[name+" after inert"] = inert + end + a
		shapes[name+" after junk"] = "x" + end + a + end
		shapes[name+" inside a line"] = inert + "\nx" + end + a + "\n"
		shapes[name+" after a bracket"] = "[" + end + a + end
	}
	shapes["repeated over lines"] = "{\"request\":{\"contents\":[\n" + a + "\n]},\"response\":{\"candidates\":[]}}"
	shapes["LS after junk, NEL inside"] = "x\u2028" + strings.Replace(a, "assistant", "\u0085", 1)
	shapes["NEL after junk, wide letter inside"] = "x\u0085" + strings.Replace(a, "assistant", "Å", 1)
	return shapes
}
