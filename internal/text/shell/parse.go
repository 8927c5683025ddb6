package shell

import (
	"errors"
	"runtime"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxFrames bounds the nested calls of the parser, and so the depth of its trees. A stack overflow cannot be recovered.
const maxFrames = 4096

var errTooDeep = errors.New("parse shell text: nested too deep")

// A shallowReader returns a text in small pieces. It fails once its caller, the parser, has nested too deep. The parser reads a
// kilobyte at a time, so its depth is checked often enough.
type shallowReader struct {
	text strings.Reader
}

func (r *shallowReader) Read(p []byte) (int, error) {
	var beyond [1]uintptr
	if runtime.Callers(maxFrames, beyond[:]) > 0 {
		return 0, errTooDeep
	}
	return r.text.Read(p)
}

// variants are the grammars that are tried on a text, in this order.
var variants = []syntax.LangVariant{syntax.LangBash, syntax.LangPOSIX, syntax.LangMirBSDKorn}

// A parser parses texts into statements. It remembers them, because the same text is often read again.
type parser struct {
	input   shallowReader
	known   map[string]parsed
	tongues []*syntax.Parser // for each of variants, created when needed
}

// parsed is the result of parsing a text, and whether a grammar accepts it.
type parsed struct {
	stmts []*syntax.Stmt
	ok    bool
	doubt Doubt // why no grammar accepts it
}

func newParser() *parser {
	return &parser{known: map[string]parsed{}, tongues: make([]*syntax.Parser, len(variants))}
}

// parse returns the statements of a text. If no grammar accepts it, it returns what bash would run before the error, and false.
func (p *parser) parse(text string) ([]*syntax.Stmt, bool) {
	result, ok := p.known[text]
	if !ok {
		result = p.parseNew(text)
		p.known[text] = result
	}
	return result.stmts, result.ok
}

// doubt says why no grammar accepts a text that was parsed before.
func (p *parser) doubt(text string) Doubt { return p.known[text].doubt }

func (p *parser) parseNew(text string) parsed {
	var partial parsed
	for i, variant := range variants {
		if p.tongues[i] == nil {
			p.tongues[i] = syntax.NewParser(syntax.Variant(variant))
		}
		stmts, err := p.parseWith(p.tongues[i], text)
		if err == nil {
			return parsed{stmts: stmts, ok: true}
		}
		if i == 0 {
			partial = parsed{stmts: stmts, doubt: doubtOf(err)}
		}
		if errors.Is(err, errTooDeep) {
			partial.doubt = TooDeep
			break
		}
	}
	return partial
}

func (p *parser) parseWith(tongue *syntax.Parser, text string) (stmts []*syntax.Stmt, err error) {
	p.input.text.Reset(text)
	for stmt, problem := range tongue.StmtsSeq(&p.input) {
		// The parser may continue after an error even if the loop stops, so the loop runs to the end.
		if err == nil {
			err = problem
		}
		if err == nil {
			stmts = append(stmts, stmt)
		}
	}
	return stmts, err
}
