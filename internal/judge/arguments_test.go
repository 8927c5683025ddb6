package judge_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record"
)

func TestArgumentsTooLongForTheRecord(t *testing.T) {
	// The cut falls into the middle of a character, and the secret is not part of what is measured.
	text := `{"key":"AKIAIOSFODNN7EXAMPLE","text":"` + strings.Repeat("é", 3000) + `"}`
	source := "version: 1\ndefault: allow\nrules:\n- {id: no-keys, tool: '*', verdict: sanitize, sanitize: {presets: [aws_access_key]}}\n"
	for _, tt := range []struct {
		name string
		most int
		want bool
	}{{"longer", 2000, true}, {"shorter", 1 << 20, false}, {"no bound", 0, false}} {
		t.Run(tt.name, func(t *testing.T) {
			r := &notebook{}
			j := judge.New(judge.Config{Policy: func() *policy.Policy { return parse(t, source) }, Recorder: r, MaxArguments: tt.most})
			ruling := ruled(t, j, aCall("ls", text))
			if !ruling.Released || strings.Contains(string(ruling.Args), "AKIA") {
				t.Fatalf("ruled %+v", ruling)
			}
			d, _ := r.events[0].Detail.(record.ToolCall)
			if !tt.want {
				if string(r.events[0].Args) != string(ruling.Args) || d.Omitted.SizeBytes != 0 || d.Omitted.Digest+d.Omitted.Begin != "" {
					t.Errorf("recorded %s, %+v", r.events[0].Args, d.Omitted)
				}
				return
			}
			sum := sha256.Sum256(ruling.Args)
			o := d.Omitted
			if r.events[0].Args != nil || o.SizeBytes != int64(len(ruling.Args)) || o.Digest != "sha256:"+hex.EncodeToString(sum[:]) {
				t.Errorf("recorded %s, %+v", r.events[0].Args, o)
			}
			if !strings.HasPrefix(string(ruling.Args), o.Begin) || len(o.Begin) < 1000 || len(o.Begin) > 1024 || !utf8.ValidString(o.Begin) {
				t.Errorf("begins with %q", o.Begin)
			}
			if len(d.Replaced) != 1 {
				t.Errorf("replaced: %+v", d.Replaced)
			}
		})
	}
}
