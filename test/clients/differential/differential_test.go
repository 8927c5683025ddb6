package differential

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weir-gate/weir/test/clients"
)

var (
	seed  = flag.Uint64("seed", 1, "what the answers are made from")
	cases = flag.Int("cases", 100, "how many streams of each format, and as many bodies")
	only  = flag.String("only", "", "the one answer to play, by the name that a failure gives")
)

// TestDifferential makes up answers of every format, breaks most of them, and has official SDKs fold what weir lets through.
// Every call that an SDK hands out must have been judged with exactly these arguments, and released.
func TestDifferential(t *testing.T) {
	var upstreams []string
	known := map[string]bool{}
	for _, w := range wires {
		if !known[w.upstream] {
			upstreams = append(upstreams, w.upstream+": {url: %[1]q}")
		}
		known[w.upstream] = true
	}
	clients.Differential{
		Programs: []clients.Program{
			clients.Python("fold", kinds("messages anthropic-python", "chat openai-python", "chat langchain-python", "responses openai-python",
				"gemini genai-python", "bedrock boto3", "ollama ollama-python")...),
			clients.JavaScript("fold", kinds("messages anthropic-js", "messages ai", "chat openai-js", "chat ai", "responses openai-js",
				"responses ai",
				"gemini genai-js", "gemini ai", "bedrock aws-js", "bedrock ai", "ollama ollama-js")...),
			clients.Go("fold", kinds("messages anthropic-go", "chat openai-go", "responses openai-go", "gemini genai-go")...),
		},
		Raw:      streams(kinds("messages raw", "chat raw", "responses raw", "gemini raw", "ollama raw")),
		Settings: "upstreams: {" + strings.Join(upstreams, ", ") + "}\n" + policy,
		Trials:   trials(),
		Tools:    tools,
		Again: func(tr clients.Trial) string {
			return fmt.Sprintf("go test ./test/clients/differential -args -seed %d -cases %d -only %s", *seed, *cases, tr.Name)
		},
	}.Run(t)
}

// kinds are both ways of clients, which are given as format and SDK.
func kinds(of ...string) (list []clients.Kind) {
	for _, text := range of {
		format, sdk, _ := strings.Cut(text, " ")
		for _, w := range wires {
			if w.format == format {
				list = append(list,
					clients.Kind{Name: format + " stream " + sdk, Streamed: true, Upstream: w.upstream},
					clients.Kind{Name: format + " whole " + sdk, Upstream: w.upstream})
			}
		}
	}
	return list
}

func streams(all []clients.Kind) (list []clients.Kind) {
	for _, k := range all {
		if k.Streamed {
			list = append(list, k)
		}
	}
	return list
}

// trials are all answers. Each is made from the seed and its number alone.
func trials() (list []clients.Trial) {
	for n := range wires {
		for i := range *cases {
			for _, whole := range []bool{false, true} {
				tr := trial(n, i, whole)
				if *only == "" || *only == tr.Name {
					list = append(list, tr)
				}
			}
		}
	}
	return list
}

func trial(n, i int, whole bool) clients.Trial {
	w, way, kind := wires[n], "stream", w0
	if whole {
		way, kind = "whole", w1
	}
	g := &generator{Rand: rand.New(rand.NewPCG(*seed, uint64(n)<<40|uint64(i)<<1|kind))}
	tr := clients.Trial{Name: name(w.format, way, *seed, i), Format: w.format, Whole: whole}
	if whole {
		text := w.body(g)
		if g.IntN(4) > 0 {
			text = g.breakJSON(text)
		}
		tr.Header, tr.Body = contentType("application/json"), g.breakBytes([]byte(text), w.format)
		return tr
	}
	tr.Path, tr.Asks = w.request()
	frames := w.answer(g)
	other := wires[g.IntN(len(wires))].answer(g)
	if g.IntN(5) > 0 {
		frames = g.breakFrames(frames, append(other, w.answer(g)...))
	}
	tr.Header, tr.Body = contentType(w.header), g.breakBytes(w.encode(frames), w.format)
	return tr
}

// What tells apart the numbers from which streams and bodies are made.
const (
	w0 uint64 = iota
	w1
)
