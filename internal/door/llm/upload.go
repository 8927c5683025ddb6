package llm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Why a body that may hold requests cannot be read.
var (
	errCharset  = errors.New("the request is in a character set that weir does not read; send UTF-8")
	errUnknown  = errors.New("weir does not know this endpoint, and cannot read what the request sends there")
	errForm     = errors.New("the form that the request sends cannot be read, or can be in more than one way")
	errLines    = errors.New("the file is a batch of requests and has a line that is not strict JSON")
	errInPieces = errors.New("weir cannot read a batch of requests that is uploaded in parts; upload the file at once")
)

// inspectAny has the tools ruled that a body offers of which no format is known, or that stand elsewhere than its format has them:
// requests for unknown endpoints, requests inside of requests, files of requests that a provider works off later. Nothing is taken
// out of those: a refused tool refuses the request. covered are the places of offers that were ruled already.
func (x *exchange) inspectAny(ctx context.Context, body []byte, covered map[int]bool) *failure {
	documents, err := x.documents(body)
	if err != nil {
		return x.refuseRequest(dialect.Refused{Code: call.CodeMalformed, Reason: err.Error()})
	}
	for _, d := range documents {
		d.covered = covered
		if fail := x.inspectDocument(ctx, d); fail != nil {
			return fail
		}
	}
	return nil
}

// documents finds what may be requests in a body: itself and what is in it, or in lines of it, or in lines of the files in it.
func (x *exchange) documents(body []byte) ([]document, error) {
	types := x.r.Header["Content-Type"]
	contentType := strings.ToLower(strings.Join(types, ","))
	media, params, err := mime.ParseMediaType(x.r.Header.Get("Content-Type"))
	var doc strictjson.Doc
	strict := doc.Parse(body) == nil
	if dialect.PathEnds(x.path, "/uploads") && (!strict || saysBatch(doc.Root())) {
		return nil, errInPieces
	}
	if strings.Contains(contentType, "multipart/") {
		// A second boundary would have another reader see other parts.
		if err != nil || len(types) > 1 || strings.Count(contentType, "boundary") != 1 || params["boundary"] == "" {
			return nil, errForm
		}
		return x.formDocuments(multipart.NewReader(bytes.NewReader(body), params["boundary"]))
	}
	switch {
	case strict:
		return nested(doc.Root(), 0), nil
	case !x.known:
		return nil, errUnknown
	}
	return x.lineDocuments(body, isJSONLines(media))
}

// inOtherCharset says whether the provider would read the request as another text than weir does.
func (x *exchange) inOtherCharset() bool {
	_, params, _ := mime.ParseMediaType(x.r.Header.Get("Content-Type"))
	charset := params["charset"]
	return charset != "" && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "us-ascii")
}

// saysBatch says whether the upload of a file is begun that holds requests.
func saysBatch(root strictjson.Value) bool {
	for name, value := range root.Members() {
		if text, _ := value.Text(); name.Folds("purpose") && strings.EqualFold(strings.TrimSpace(text), "batch") {
			return true
		}
	}
	return false
}

// formDocuments finds the requests in the parts of a form.
func (x *exchange) formDocuments(form *multipart.Reader) (found []document, err error) {
	var parts [][]byte
	batch := false
	for {
		part, err := form.NextRawPart()
		if err == io.EOF { //nolint:errorlint // it is returned bare
			break
		}
		if err != nil || !isPlainPart(part) {
			return nil, errForm
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, errForm
		}
		isPurpose := strings.EqualFold(part.FormName(), "purpose") && strings.EqualFold(string(bytes.TrimSpace(content)), "batch")
		batch = batch || isPurpose || isJSONLines(part.Header.Get("Content-Type")) || bytes.Contains(content[:min(len(content), sniffSize)], []byte("jsonl"))
		if !isPurpose {
			parts = append(parts, content)
		}
	}
	for _, part := range parts {
		more, err := x.lineDocuments(part, batch && startsJSON(part))
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// isPlainPart says whether a part of a form stands there as it is.
func isPlainPart(part *multipart.Part) bool {
	switch strings.ToLower(strings.TrimSpace(part.Header.Get("Content-Transfer-Encoding"))) {
	case "", "7bit", "8bit", "binary":
		return true
	}
	return false
}

// lineDocuments finds the requests in a file: in its lines, or in the one JSON text that it is. If it is a batch, all of its lines
// must be JSON.
func (x *exchange) lineDocuments(file []byte, batch bool) (found []document, err error) {
	file = bytes.TrimPrefix(file, []byte("\ufeff"))
	var whole strictjson.Doc
	if whole.Parse(file) == nil {
		return x.ofLine(whole.Root(), batch), nil
	}
	for line := range bytes.Lines(file) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var doc strictjson.Doc
		switch doc.Parse(line) {
		case nil:
			found = append(found, x.ofLine(doc.Root(), batch)...)
		default:
			if batch {
				return nil, errLines
			}
		}
	}
	return found, nil
}

// ofLine finds the requests in what a batch says of one.
func (x *exchange) ofLine(root strictjson.Value, batch bool) []document {
	found := nested(root, 0)
	format := x.formatOfLine(root)
	for i := range found {
		found[i].anything = !batch
		if i > 0 { // the first is the line itself
			found[i].format = format
		}
	}
	return found
}

// formatOfLine is the format of the endpoint that a line of a batch is for; nil: it does not say which.
func (x *exchange) formatOfLine(line strictjson.Value) *dialect.Format {
	target, err := line.Member("url")
	text, ok := target.Text()
	if err != nil || !ok {
		return nil
	}
	parsed, err := url.Parse(text)
	if err != nil {
		return nil
	}
	path, err := cleanPath("/" + parsed.EscapedPath())
	if err != nil {
		return nil
	}
	f, _ := x.door.askedFormat(&http.Request{Method: http.MethodPost, URL: &url.URL{Path: path}}, path)
	return f
}
