package proxy

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/model/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// Reasons for which a body that may hold requests cannot be parsed.
var (
	errCharset  = errors.New("the request is in a character set that weir does not read; send UTF-8")
	errUnknown  = errors.New("weir does not know this endpoint, and cannot read what the request sends there")
	errForm     = errors.New("the form that the request sends cannot be read, or can be in more than one way")
	errLines    = errors.New("the file is a batch of requests and has a line that is not strict JSON")
	errDeep     = errors.New("the request nests deeper than weir looks for tools")
	errInPieces = errors.New("weir cannot read a batch of requests that is uploaded in parts; upload the file at once")
)

// inspectAny rules on tools in a body whose format is not known, or where its format has no tools: in requests for unknown
// endpoints, in requests inside of requests, and in files of requests that a provider processes later. It removes nothing: a
// refused tool refuses the request. Offers that were ruled already are not ruled again.
func (q *asking) inspectAny(ctx context.Context, body []byte, ruled covered) *failure {
	documents, err := q.documents(body)
	if err != nil {
		return q.refuseExchange(dialect.Refused{Code: call.CodeMalformed, Reason: err.Error()})
	}
	for _, d := range documents {
		d.covered = ruled
		if fail := q.inspectDocument(ctx, d); fail != nil {
			return fail
		}
	}
	return nil
}

// inspectNested looks for tools where the request's own format has none, but another format, which the upstream may understand,
// too, does.
func (q *asking) inspectNested(ctx context.Context, body []byte, ruled covered) *failure {
	var doc strictjson.Doc
	if doc.Parse(body) != nil {
		return nil // its own format has parsed it, or the provider cannot
	}
	documents, err := nested(doc.Root(), 0)
	if err != nil {
		return q.refuseExchange(dialect.Refused{Code: call.CodeMalformed, Reason: err.Error()})
	}
	for _, d := range documents {
		d.covered, d.read = ruled, true
		if fail := q.inspectDocument(ctx, d); fail != nil {
			return fail
		}
	}
	return nil
}

// documents finds what may be requests in a body: the body itself and objects in it, or its lines, or the lines of the files in it.
func (q *asking) documents(body []byte) ([]document, error) {
	types := q.R.Header["Content-Type"]
	contentType := strings.ToLower(strings.Join(types, ","))
	media, params, err := mime.ParseMediaType(q.R.Header.Get("Content-Type"))
	var doc strictjson.Doc
	strict := doc.Parse(body) == nil
	if dialect.PathEnds(q.path, "/uploads") && (!strict || saysBatch(doc.Root())) {
		return nil, errInPieces
	}
	if q.sendsForm() {
		// With a second boundary, another reader would see other parts.
		if err != nil || len(types) > 1 || len(boundaryParameter.FindAllString(contentType, -1)) != 1 || params["boundary"] == "" {
			return nil, errForm
		}
		return q.formDocuments(multipart.NewReader(bytes.NewReader(body), params["boundary"]))
	}
	switch {
	case strict:
		found, err := nested(doc.Root(), 0)
		for i := range found {
			found[i].anything = q.known && !q.endpoint.Offers
		}
		return found, err
	case !q.known:
		return nil, errUnknown
	}
	if isJSONLines(media) || isJSONLines(q.R.Header.Get("X-Goog-Upload-Header-Content-Type")) {
		return q.lineDocuments(body, allLines)
	}
	return q.lineDocuments(body, anyLine)
}

// sendsForm says whether some reader of its header could take the request for a form of several parts.
func (q *asking) sendsForm() bool {
	return strings.Contains(strings.ToLower(strings.Join(q.R.Header["Content-Type"], ",")), "multipart/")
}

// boundaryParameter finds the boundary parameter of a content type, in all of its forms.
var boundaryParameter = regexp.MustCompile(`;\s*boundary(?:\*[0-9]*)?\*?\s*=`)

// charsetParameter finds the parameter of a content type that names a character set.
var charsetParameter = regexp.MustCompile(`charset\*?\s*=\s*"?([^\s";,]*)`)

// inOtherCharset says whether the provider would read the request as another text than weir does.
func (q *asking) inOtherCharset() bool {
	types := strings.ToLower(strings.Join(q.R.Header["Content-Type"], ","))
	for _, m := range charsetParameter.FindAllStringSubmatch(types, -1) {
		switch m[1] {
		case "utf-8", "utf8", "us-ascii", "ascii":
		default:
			return true
		}
	}
	return false
}

// saysBatch says whether a request begins the upload of a file of requests.
func saysBatch(root strictjson.Value) bool {
	for name, value := range root.Members() {
		if text, _ := value.Text(); name.Folds("purpose") && strings.EqualFold(strings.TrimSpace(text), "batch") {
			return true
		}
	}
	return false
}

// formDocuments finds the requests in the parts of a form.
func (q *asking) formDocuments(form *multipart.Reader) (found []document, err error) {
	type file struct {
		content []byte
		named   bool
	}
	var files []file
	batch, other, lines := false, false, false
	for {
		part, err := form.NextRawPart()
		if err == io.EOF { // it is never wrapped
			break
		}
		if err != nil || !isPlainPart(part) {
			return nil, errForm
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, errForm
		}
		if strings.EqualFold(part.FormName(), "purpose") && part.FileName() == "" && len(content) < sniffSize {
			isBatch := strings.EqualFold(string(bytes.TrimSpace(content)), "batch")
			batch, other = batch || isBatch, other || !isBatch
			continue
		}
		related := part.FormName() == "" && bytes.Contains(content[:min(len(content), sniffSize)], []byte("jsonl"))
		lines = lines || related || isJSONLines(part.Header.Get("Content-Type"))
		files = append(files, file{content, part.FileName() != ""})
	}
	batch = batch || lines && !other // the purpose of a file counts more than its content type
	how := anyLine
	if other && !batch {
		how = onlyRows // a file with another purpose has no requests, except in lines that look like those of a batch
	}
	for _, f := range files {
		as := how
		if batch && (f.named || startsJSON(f.content) || len(f.content) >= sniffSize) {
			as = allLines
		}
		more, err := q.lineDocuments(f.content, as)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// isPlainPart says whether a part of a form has no transfer encoding.
func isPlainPart(part *multipart.Part) bool {
	switch strings.ToLower(strings.TrimSpace(part.Header.Get("Content-Transfer-Encoding"))) {
	case "", "7bit", "8bit", "binary":
		return true
	}
	return false
}

// A reading says how a file is read.
type reading uint8

const (
	anyLine  reading = iota // every line that is JSON may be a request
	allLines                // it is a batch: all of its lines must be JSON
	onlyRows                // only lines that look like those of a batch are requests
)

// lineDocuments finds the requests in a file: in its lines, or in the one JSON text that it is.
func (q *asking) lineDocuments(file []byte, how reading) (found []document, err error) {
	file = bytes.TrimPrefix(file, []byte("\ufeff"))
	var whole strictjson.Doc
	if whole.Parse(file) == nil {
		return q.ofLine(whole.Root(), how)
	}
	for line := range bytes.Lines(file) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var doc strictjson.Doc
		if doc.Parse(line) != nil {
			if how == allLines {
				return nil, errLines
			}
			continue
		}
		more, err := q.ofLine(doc.Root(), how)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// ofLine finds the requests in one line of a file.
func (q *asking) ofLine(root strictjson.Value, how reading) ([]document, error) {
	if id, err := root.Member("custom_id"); how == onlyRows && err == nil && id.Kind() == strictjson.Missing {
		return nil, nil
	}
	found, err := nested(root, 0)
	if err != nil && how == allLines {
		return nil, err
	}
	format := q.formatOfLine(root)
	for i := range found {
		found[i].anything = how != allLines
		if i > 0 { // the first is the line itself
			found[i].format = format
		}
	}
	return found, nil
}

// formatOfLine is the format of the endpoint that a line of a batch names; nil: it names none.
func (q *asking) formatOfLine(line strictjson.Value) *dialect.Format {
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
	f, _ := q.door.askedFormat(&http.Request{Method: http.MethodPost, URL: &url.URL{Path: path}}, path)
	return f
}

func startsJSON(text []byte) bool {
	b := firstByte(text)
	return b == '{' || b == '['
}
