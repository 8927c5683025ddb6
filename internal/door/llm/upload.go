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
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/call"
	"github.com/weir-gate/weir/internal/dialect"
	"github.com/weir-gate/weir/internal/strictjson"
)

// reader is the format whose requests the endpoint takes, if they may offer tools; nil: none is known.
func (x *exchange) reader() *dialect.Format {
	if x.known && x.endpoint.Offers {
		return x.door.formatNamed(x.endpoint.Format)
	}
	return nil
}

// A document is what may be a request, in a body of which no format is known.
type document struct {
	body   []byte
	format *dialect.Format // that it says it is of; nil: it says nothing
}

// inspectAny has the tools ruled that a body offers of which no format is known: requests for unknown endpoints, and files
// of requests that a provider works off later. Nothing is taken out of those: a refused tool refuses the request.
func (x *exchange) inspectAny(ctx context.Context, body []byte) *failure {
	if x.beginsBatchInParts(body) {
		return x.refuseRequest(dialect.Refused{
			Code: call.CodeUnrecognised, Reason: "weir cannot read a batch of requests that is uploaded in parts; upload the file at once",
		})
	}
	documents, err := x.documents(body)
	if err != nil {
		return x.refuseRequest(dialect.Refused{Code: call.CodeMalformed, Reason: err.Error()})
	}
	for _, d := range documents {
		if fail := x.inspectDocument(ctx, d); fail != nil {
			return fail
		}
	}
	return nil
}

// beginsBatchInParts says whether the request begins the upload of a file of requests in parts, of which none can be read alone.
func (x *exchange) beginsBatchInParts(body []byte) bool {
	var doc strictjson.Doc
	if !dialect.PathEnds(x.path, "/uploads") || doc.Parse(body) != nil {
		return false
	}
	for name, value := range doc.Root().Members() {
		if text, _ := value.Text(); name.Folds("purpose") && strings.EqualFold(text, "batch") {
			return true
		}
	}
	return false
}

// inspectDocument reads a document in its format or, if it does not say which that is, in all.
func (x *exchange) inspectDocument(ctx context.Context, d document) *failure {
	var offers []dialect.Offer
	var err error
	format := d.format
	if format != nil && format.Requests != nil {
		var request dialect.Request
		request, err = format.Requests.Read(d.body)
		offers = request.Offers
	} else {
		offers, format, err = x.offersIn(d.body)
	}
	if err != nil {
		return x.refuseRequest(dialect.Refused{Code: call.CodeMalformed, Reason: err.Error()})
	}
	if format == nil {
		return nil
	}
	refused, first, fail := x.ruleOffers(ctx, format, offers)
	if fail == nil && len(refused) > 0 {
		fail = offerRefused(refused, first)
	}
	return fail
}

// offersIn reads a document in all formats. What is the same tool to several of them is one offer, with all names that it has.
// A tool that one of them cannot read is another's, if that one can.
func (x *exchange) offersIn(body []byte) (offers []dialect.Offer, format *dialect.Format, err error) {
	at := map[int]int{} // where an offer stands in the body to its place in offers
	for i := range x.door.cfg.Formats {
		f := &x.door.cfg.Formats[i]
		if f.Requests == nil {
			continue
		}
		request, failed := f.Requests.Read(body)
		switch {
		case errors.Is(failed, dialect.ErrUnreadable):
			err = failed
		case failed != nil:
			return nil, nil, failed
		case len(request.Offers) > 0 && format == nil:
			format = f
		}
		for _, o := range request.Offers {
			if len(o.Places) == 0 {
				offers = append(offers, o)
				continue
			}
			if same, there := at[o.Places[0].Start]; there {
				offers[same] = merged(offers[same], o)
				continue
			}
			at[o.Places[0].Start] = len(offers)
			offers = append(offers, o)
		}
	}
	if len(offers) > 0 {
		err = nil
	}
	return offers, format, err
}

// merged is an offer that two formats read differently.
func merged(a, b dialect.Offer) dialect.Offer {
	if a.Server == "" {
		a.Server = b.Server
	}
	a.Open = a.Open || b.Open
	for _, name := range b.Names {
		if !slices.Contains(a.Names, name) {
			a.Names = append(slices.Clip(a.Names), name)
		}
	}
	a.Spellings = append(slices.Clip(a.Spellings), b.Spellings...)
	return a
}

// Why a body that may hold requests cannot be read.
var (
	errForm  = errors.New("the form that the request sends cannot be read")
	errLines = errors.New("the file is a batch of requests and has a line that is not strict JSON, or no request")
)

// documents finds what may be requests in a body: itself, or in lines of it, or in lines of the files in it.
func (x *exchange) documents(body []byte) ([]document, error) {
	media, params, err := mime.ParseMediaType(x.r.Header.Get("Content-Type"))
	switch {
	case strings.HasPrefix(strings.ToLower(x.r.Header.Get("Content-Type")), "multipart/"):
		if err != nil || params["boundary"] == "" {
			return nil, errForm
		}
		return x.formDocuments(multipart.NewReader(bytes.NewReader(body), params["boundary"]))
	case !x.known && isJSON(body):
		return []document{{body: body}}, nil
	}
	return x.lineDocuments(body, isJSONLines(media))
}

// formDocuments finds the requests in the files of a form.
func (x *exchange) formDocuments(form *multipart.Reader) (found []document, err error) {
	var files [][]byte
	batch := false
	for {
		part, err := form.NextRawPart()
		if err == io.EOF { //nolint:errorlint // it is returned bare
			break
		}
		if err != nil {
			return nil, errForm
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, errForm
		}
		if strings.EqualFold(part.FormName(), "purpose") {
			batch = batch || strings.EqualFold(string(bytes.TrimSpace(content)), "batch")
			continue
		}
		if part.FileName() != "" || part.FormName() == "" {
			files = append(files, content)
		}
	}
	for _, file := range files {
		more, err := x.lineDocuments(file, batch)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// requestMembers are where a line of a batch has its request.
var requestMembers = []string{"body", "request", "params"}

// lineDocuments finds the requests in the lines of a file. If it is a batch, or one of its lines is a request, all of them must
// be JSON.
func (x *exchange) lineDocuments(file []byte, batch bool) (found []document, err error) {
	strange := false
	for line := range bytes.Lines(bytes.TrimPrefix(file, []byte("\ufeff"))) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		var doc strictjson.Doc
		if doc.Parse(line) != nil {
			strange = true
			continue
		}
		before := len(found)
		for name, value := range doc.Root().Members() {
			for _, m := range requestMembers {
				if name.Folds(m) && value.Kind() == strictjson.Object {
					found = append(found, document{body: value.Raw(), format: x.formatOfLine(doc.Root())})
				}
			}
		}
		strange = strange || len(found) == before
	}
	if strange && (batch || len(found) > 0) {
		return nil, errLines
	}
	return found, nil
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
