package price

import (
	"errors"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

func newTable(t testing.TB, own string) *Table {
	t.Helper()
	c := Config{File: "own.yaml"}
	if own != "" {
		c.Data = []byte(own)
	}
	table, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

const million = 1_000_000

// TestBuiltin pins prices as people know them: dollars for a million tokens of each kind.
func TestBuiltin(t *testing.T) {
	table := newTable(t, "")
	for _, test := range []struct {
		provider, model          string
		input, output            float64
		cacheRead, cacheCreation float64
	}{
		{"anthropic", "claude-opus-4-5-20251101", 5, 25, 0.5, 6.25},
		{"anthropic", "claude-opus-4-1-20250805", 15, 75, 1.5, 18.75},
		{"anthropic", "claude-opus-4-20250514", 15, 75, 1.5, 18.75},
		{"anthropic", "claude-opus-5", 5, 25, 0.5, 6.25},
		{"anthropic", "claude-opus-5-5", 4, 20, 0.2, 5},
		{"anthropic", "claude-sonnet-5-5", 2, 10, 0.2, 2.5},
		{"anthropic", "claude-haiku-4-5-20251001", 1, 5, 0.1, 1.25},
		{"anthropic", "claude-fable-5", 10, 50, 1, 12.5},
		{"anthropic", "claude-fable-5-1", 10, 50, 0.25, 12.5},
		{"openrouter", "anthropic/claude-opus-4.5", 5, 25, 0.5, 6.25},
		{"openai", "gpt-5-2025-08-07", 1.25, 10, 0.125, 1.25},
		{"openai", "gpt-5-mini-2025-08-07", 0.25, 2, 0.025, 0.25},
		{"openai", "gpt-5.1-codex-max", 1.25, 10, 0.125, 1.25},
		{"openai", "gpt-5.1-codex-mini", 0.25, 2, 0.025, 0.25},
		{"openai", "gpt-4o-2024-05-13", 5, 15, 5, 5},
		{"openai", "gpt-4o-2024-08-06", 2.5, 10, 1.25, 2.5},
		{"openai", "GPT-4.1-Mini", 0.4, 1.6, 0.1, 0.4},
		{"gemini", "models/gemini-2.5-flash", 0.3, 2.5, 0.03, 0.3},
		{"gemini", "gemini-2.5-flash-lite", 0.1, 0.4, 0.01, 0.1},
		{"deepseek", "deepseek-v4-pro", 1.32, 3.96, 0.044, 1.32},
		{"mistral", "mistral-medium-3.5", 1.5, 7.5, 1.5, 1.5},
		{"groq", "openai/gpt-oss-20b", 0.075, 0.3, 0.0375, 0.075},
		{"ollama", "qwen3:8b", 0, 0, 0, 0},
		{"ollama", "", 0, 0, 0, 0},
	} {
		t.Run(test.provider+" "+test.model, func(t *testing.T) {
			if tariff, _ := table.find(test.provider, test.model); tariff.over > 0 {
				t.Fatal("a million tokens of this model have another price; see TestLong")
			}
			for _, part := range []struct {
				usage call.Usage
				want  float64
			}{
				{call.Usage{Input: million}, test.input},
				{call.Usage{Output: million}, test.output},
				{call.Usage{CacheRead: million}, test.cacheRead},
				{call.Usage{CacheCreation: million}, test.cacheCreation},
			} {
				want := int64(math.Round(part.want * million))
				if got, known := table.Cost(test.provider, test.model, part.usage); got != want || !known {
					t.Errorf("%+v costs %d, known %v; want %d", part.usage, got, known, want)
				}
			}
		})
	}
}

// TestSpellings: routers and clouds write the names of models with more around them. Each must cost what the model itself does.
func TestSpellings(t *testing.T) {
	table := newTable(t, "")
	for model, spellings := range map[string][]string{
		"claude-sonnet-4-5": {
			"claude-sonnet-4-5-20250929", "anthropic/claude-sonnet-4.5", "claude-sonnet-4-5@20250929", "claude-sonnet-4-5-latest", "anthropic.claude-sonnet-4-5-20250929-v1:0",
			"us.anthropic.claude-sonnet-4-5-20250929-v1:0", "eu.anthropic.claude-sonnet-4-5-20250929-v1:0", "apac.anthropic.claude-sonnet-4-5-20250929-v1:0",
			"global.anthropic.claude-sonnet-4-5-20250929-v1:0", "US.Anthropic.Claude-Sonnet-4-5-20250929-v1:0", "publishers/anthropic/models/claude-sonnet-4-5@20250929",
			"arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
		},
		"claude-opus-5":    {"anthropic.claude-opus-5-v1", "global.anthropic.claude-opus-5-v1:0", "anthropic.claude-opus-5", "claude-opus-5@20260101", "claude-opus-5@default", "claude-opus-5-latest", "anthropic/claude-opus-5:beta"},
		"claude-opus-4":    {"us.anthropic.claude-opus-4-20250514-v1:0", "claude-opus-4-latest", "claude-opus-4@20250514"},
		"claude-3-haiku":   {"anthropic.claude-3-haiku-20240307-v1:0:48k", "claude-3-haiku@20240307"},
		"claude-haiku-4-5": {"us-gov.anthropic.claude-haiku-4-5-20251001-v1:0", "jp.anthropic.claude-haiku-4-5-20251001-v1:0"},
		"gpt-5":            {"gpt-5-2025-08-07", "openai/gpt-5", "openai/gpt-5:free", "openai/gpt-5-2025-08-07"},
		"gpt-5-mini":       {"gpt-5-mini-2025-08-07", "openai/gpt-5-mini"},
		"gpt-4.1":          {"azure/gpt-4.1", "gpt-4.1-2025-04-14"},
		"gemini-2.5-pro":   {"models/gemini-2.5-pro", "google/gemini-2.5-pro", "publishers/google/models/gemini-2.5-pro", "gemini-2.5-pro@default", "gemini-2.5-pro-preview-06-05"},
		"gemini-2.5-flash": {"models/gemini-2.5-flash", "gemini-2.5-flash-001", "google/gemini-2.5-flash-preview-09-2025:thinking"},
		"deepseek-v4-pro":  {"deepseek/deepseek-v4-pro", "deepseek.deepseek-v4-pro-v1:0"},
	} {
		u := call.Usage{Input: 1001, Output: 1002, CacheRead: 1003, CacheCreation: 1004}
		want, known := table.Cost("x", model, u)
		if !known {
			t.Errorf("%s is not known", model)
		}
		for _, s := range spellings {
			if got, known := table.Cost("x", s, u); got != want || !known {
				t.Errorf("%s costs %d, known %v; %s costs %d", s, got, known, model, want)
			}
		}
	}
	// What is written out in a table counts before what a name is reduced to.
	own := newTable(t, "models: [{model: 'us.anthropic.*', input: 7, output: 7}, {model: claude-opus-5, input: 8, output: 8}]")
	for name, want := range map[string]int64{"us.anthropic.claude-opus-5-v1:0": 7, "eu.anthropic.claude-opus-5-v1:0": 8, "claude-opus-5": 8} {
		if got, _ := own.Cost("bedrock", name, call.Usage{Input: million}); got != want*million {
			t.Errorf("%s costs %d, want %d", name, got, want*million)
		}
	}
}

// TestUnknown: what no entry names costs the default, and a name that only begins like a known one is not known.
func TestUnknown(t *testing.T) {
	table := newTable(t, "")
	for _, model := range []string{
		"", "gpt-7", "gpt-5.9", "gpt-50", "gpt-5.4-ultra", "claude", "claude-opus-6", "claude-sonnet-4x", "gemini-4-pro", "grok-5",
		"gpt-oss-120b", "o5", "*", "gemini-2.5-flash-image", "deepseek-v5", "us.anthropic.", "us.anthropic.claude-opus-6-v1:0", "amazon.nova-pro-v1:0",
		"ft:gpt-4.1-2025-04-14:acme::abc", "arn:aws:bedrock:us-east-1:1:application-inference-profile/a1b2c3", "gpt-5-v1:0", "evil.claude-opus-5", "/", "@", ":",
	} {
		micro, known := table.Cost("openai", model, call.Usage{Input: million})
		if known || micro != 10*million {
			t.Errorf("%q costs %d, known %v", model, micro, known)
		}
	}
}

func TestLong(t *testing.T) {
	table := newTable(t, "")
	for _, test := range []struct {
		model string
		usage call.Usage
		want  int64
	}{
		{"gemini-2.5-pro", call.Usage{Input: 200_000, Output: 1000}, 250_000 + 10_000},
		{"gemini-2.5-pro", call.Usage{Input: 200_001, Output: 1000}, 500_003 + 15_000}, // 500,002.5 rounded up
		{"gemini-2.5-pro", call.Usage{Input: 1, CacheRead: 200_000}, 50_003},
		{"gemini-2.5-pro", call.Usage{Input: 1, CacheRead: 199_999}, 25_002},
		{"claude-haiku-5-5", call.Usage{Input: 1, CacheCreation: 100_000}, 62_501},
		{"grok-4.7", call.Usage{Input: 200_000}, 800_000},
		{"grok-4.7", call.Usage{Input: 199_999}, 399_998},
		{"gpt-5.4", call.Usage{Input: 272_000}, 680_000},
		{"gpt-5.4", call.Usage{Input: 272_001}, 1_360_005},
		{"gpt-5.4", call.Usage{Output: 300_000}, 4_500_000}, // a long answer to a short prompt
		{"gpt-5.4-pro", call.Usage{Input: million, Output: 1000}, 60*million + 270_000},
	} {
		if got, known := table.Cost("x", test.model, test.usage); got != test.want || !known {
			t.Errorf("%s: %+v costs %d, known %v; want %d", test.model, test.usage, got, known, test.want)
		}
	}
}

func TestOverride(t *testing.T) {
	table := newTable(t, `
version: acme-3
default: {input: 1, output: 2}
models:
  - {model: "claude-*", input: 7, output: 8, cache_read: 0.000001}
  - {model: "claude-opus*", input: 9, output: 8}
  - {provider: corp, model: "claude-opus*", input: 11, output: 8}
  - {provider: "corp-*", model: "*", input: 12, output: 8}
  - {model: vendor/gpt-5, input: 13, output: 8}
  - {model: local, input: 0, output: 0}
  - {model: "tie*", input: 14, output: 8}
  - {model: tie, input: 15, output: 8}
`)
	for _, test := range []struct {
		provider, model string
		want            int64
		known           bool
	}{
		{"anthropic", "claude-haiku-4-5", 7, true},
		{"anthropic", "claude-opus-4-5", 9, true},
		{"corp", "claude-opus-4-5", 11, true},
		{"Corp", "Claude-Opus-4-5", 11, true},
		{"corp-eu", "claude-opus-4-5", 9, true}, // the longer name of a model counts more than the provider
		{"corp-eu", "anything", 12, true},
		{"openrouter", "vendor/gpt-5", 13, true},
		{"openrouter", "openai/gpt-4.1", 2, true}, // built in
		{"openrouter", "x/local", 0, true},
		{"openrouter", "ties", 14, true},
		{"openrouter", "tie", 15, true},
		{"openrouter", "unheard-of", 1, false},
	} {
		micro, known := table.Cost(test.provider, test.model, call.Usage{Input: million})
		if micro != test.want*million || known != test.known {
			t.Errorf("%s, %s: costs %d, known %v; want %d, %v", test.provider, test.model, micro, known, test.want*million, test.known)
		}
	}
	if got, _ := table.Cost("", "claude-x", call.Usage{CacheRead: 1}); got != 1 {
		t.Errorf("the least price for one token costs %d, want 1", got)
	}
	if got := table.Version(); !strings.HasSuffix(got, "+acme-3") {
		t.Errorf("version %q", got)
	}
	if got := newTable(t, "models: [{model: a, input: 1, output: 1}]").Version(); got != newTable(t, "").Version() {
		t.Errorf("version %q of a table that has none of its own", got)
	}
}

// TestDocumentedTable: the table in the documentation can be read, and says what it seems to say.
func TestDocumentedTable(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/policy-reference.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(doc), "```\nversion: \"2026-11-01\"\n")
	text, _, ended := strings.Cut(text, "```")
	if !found || !ended {
		t.Fatal("there is no table in the documentation")
	}
	table := newTable(t, "version: \"2026-11-01\"\n"+text)
	if got, known := table.Cost("corp", "corp-large-2", call.Usage{Output: million}); got != 10*million || !known {
		t.Errorf("corp-large-2 costs %d, known %v", got, known)
	}
	if got := table.Version(); !strings.HasSuffix(got, "+2026-11-01") {
		t.Errorf("version %q", got)
	}
}

func TestVersionIsADate(t *testing.T) {
	if _, err := time.Parse(time.DateOnly, newTable(t, "").Version()); err != nil {
		t.Error(err)
	}
}

func TestProblems(t *testing.T) {
	const price = "write dollars for a million tokens, such as 2.50, with at most six digits after the point"
	for _, test := range []struct {
		name, text string
		want       []string // without the file's name
	}{
		{"empty", " ", []string{": the file is empty; write a mapping of keys to values"}},
		{"a list", "- a\n", []string{":1:1: expected a mapping, found a list"}},
		{"unknown key", "model: []\n", []string{":1:1: model: unknown key; did you mean models?"}},
		{"currency", "currency: EUR\n", []string{`:1:11: currency: "EUR" is not a currency that is built; use USD`}},
		{"version", "version: 3\n", []string{":1:10: version: expected a string, found a number; put it in quotes"}},
		{"no models", "models: []\n", []string{":1:9: models: the list is empty; write at least one item, or remove the key"}},
		{"default", "default: {input: 1}\n", []string{`:1:10: default: the key "output" is missing; add it`}},
		{"missing", "models:\n  - {provider: x}\n", []string{
			`:2:5: models[0]: the key "model" is missing; add it`,
			`:2:5: models[0]: the key "input" is missing; add it`,
			`:2:5: models[0]: the key "output" is missing; add it`,
		}},
		{"prices", "models:\n  - {model: a, input: -1, output: 1e3, cache_read: 0.0000001, cache_write: 1000001}\n", []string{
			`:2:23: models[0].input: "-1" is not a price; ` + price,
			`:2:35: models[0].output: "1e3" is not a price; ` + price,
			`:2:52: models[0].cache_read: "0.0000001" is not a price; ` + price,
			`:2:76: models[0].cache_write: "1000001" is too much; write dollars for a million tokens, at most 1000000`,
		}},
		{"kinds", "models:\n  - {model: 5, provider: [], input: \"1\", output: .nan}\n", []string{
			`:2:13: models[0].model: expected a string or a list of strings, found a number; write a model's name, such as "gpt-5*"`,
			`:2:26: models[0].provider: expected a string, found a list`,
			`:2:37: models[0].input: expected a number, found a string`,
			`:2:50: models[0].output: ".nan" is not a decimal number; write it as JSON does, such as 16 or 1.5, or in quotes if it is a string`,
		}},
		{"long", "models:\n  - {model: a, input: 1, output: 1, long: {over: 0.5, input: 1}}\n", []string{
			`:2:43: models[0].long: the key "output" is missing; add it`,
			`:2:50: models[0].long.over: 0.5 is not a number of tokens; write a whole number, such as 200000`,
		}},
		{"long of long", "default: {input: 1, output: 1, long: {over: -3, input: 1, output: 1, long: {}}}\n", []string{
			`:1:45: default.long.over: -3 is not a number of tokens; write a whole number, such as 200000`,
			`:1:70: default.long.long: unknown key; the keys here are over, input, output, cache_read or cache_write`,
		}},
		{"twice", "models:\n  - {model: [a, A], input: 1, output: 1}\n  - {model: a, provider: x, input: 1, output: 1}\n  - {model: a, provider: X, input: 1, output: 1}\n", []string{
			`:2:17: models[0].model[1]: "A" has a price already, on line 2; remove one of them`,
			`:4:13: models[2].model: "a" has a price already, on line 3; remove one of them`,
		}},
		{"an empty name", "models:\n  - {model: '', input: 1, output: 1}\n", []string{
			`:2:13: models[0].model: expected a model's name, such as "gpt-5*", found an empty string; write a model's name, such as "gpt-5*"`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := New(Config{File: "own.yaml", Data: []byte(test.text)})
			var problems yamlfile.Problems
			if !errors.As(err, &problems) {
				t.Fatalf("error %v", err)
			}
			var got []string
			for _, p := range problems {
				got = append(got, strings.TrimPrefix(p.String(), "own.yaml"))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzCost compares with numbers of any size, and says that more tokens never cost less.
func FuzzCost(f *testing.F) {
	f.Add("claude-opus-4-5", int64(1), int64(2), int64(3), int64(4))
	f.Add("gemini-2.5-pro", int64(200_000), int64(1), int64(1), int64(0))
	f.Add("nobody", int64(math.MaxInt64), int64(math.MaxInt64), int64(math.MaxInt64), int64(math.MinInt64))
	f.Add("gpt-5.4", int64(-1), int64(-5), int64(272_000), int64(1))
	table := newTable(f, "")
	f.Fuzz(func(t *testing.T, model string, input, output, read, written int64) {
		u := call.Usage{Input: input, Output: output, CacheRead: read, CacheCreation: written}
		got, known := table.Cost("openai", model, u)
		tariff, found := table.find("openai", model)
		if known != found {
			t.Fatalf("known %v, found %v", known, found)
		}
		prompt := new(big.Int)
		for _, n := range []int64{input, read, written} {
			prompt.Add(prompt, big.NewInt(max(n, 0)))
		}
		p := tariff.prices
		if tariff.over > 0 && prompt.Cmp(big.NewInt(tariff.over)) > 0 {
			p = tariff.long
		}
		sum := new(big.Int)
		for _, part := range []struct {
			tokens int64
			price  uint64
		}{{input, p.input}, {output, p.output}, {read, p.cacheRead}, {written, p.cacheWrite}} {
			sum.Add(sum, new(big.Int).Mul(big.NewInt(max(part.tokens, 0)), new(big.Int).SetUint64(part.price)))
		}
		sum.Add(sum, big.NewInt(million-1))
		sum.Div(sum, big.NewInt(million))
		want := int64(maxCost)
		if sum.Cmp(big.NewInt(maxCost)) < 0 {
			want = sum.Int64()
		}
		if got != want {
			t.Fatalf("%s, %+v: costs %d, want %d", model, u, got, want)
		}
		more := u
		more.Output = max(output, 0)/2 + math.MaxInt64/2
		if m, _ := table.Cost("openai", model, more); m < got && more.Output > output {
			t.Fatalf("%+v costs %d, and with more output %d", u, got, m)
		}
	})
}

// FuzzTable says that any file is either read or refused with a place, and never panics.
func FuzzTable(f *testing.F) {
	f.Add([]byte("default: {input: 1, output: 2}\nmodels: [{model: 'a*', input: 1.5, output: 2, long: {over: 5, input: 1, output: 1}}]"), "abc")
	f.Add([]byte("models:\n- model: [a, b*c*d, '*']\n  input: 1\n  output: 1\n"), "bxxcyyd")
	f.Add(builtin, "gpt-5")
	f.Fuzz(func(t *testing.T, data []byte, model string) {
		if data == nil {
			return
		}
		table, err := New(Config{File: "f", Data: data})
		if err != nil {
			var problems yamlfile.Problems
			if !errors.As(err, &problems) || len(problems) == 0 {
				t.Fatalf("%v", err)
			}
			return
		}
		if micro, _ := table.Cost("p", model, call.Usage{Input: 1, Output: 1}); micro < 0 || micro > 2*maxDollars {
			t.Fatalf("two tokens cost %d", micro)
		}
	})
}
