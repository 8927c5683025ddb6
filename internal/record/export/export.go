// Package export writes events for other programs: as JSON, as CSV, and as OCSF.
package export

import (
	"bufio"
	"fmt"
	"io"

	"github.com/weir-gate/weir/internal/record"
	"github.com/weir-gate/weir/internal/text/inert"
)

// The formats.
const (
	formatJSONL = "jsonl" // one whole event on each line
	formatCSV   = "csv"   // one event on each line, for spreadsheets
	formatOCSF  = "ocsf"  // one event on each line, in the Open Cybersecurity Schema Framework
)

// Formats lists the formats in words. The first is the usual one.
const Formats = formatJSONL + ", " + formatCSV + " or " + formatOCSF

// An Exporter writes entries in a format, one after the other. It holds one entry at a time. Its output is inert: text of an agent
// or a model cannot move a terminal's cursor, become markup in a web page or a formula in a spreadsheet.
type Exporter struct {
	out    *bufio.Writer
	line   func(record.Entry) ([]byte, error)
	header []byte // written before everything else

	// Joins says that a call is written with the arguments that followed it, so that these need no line of their own.
	Joins bool
}

// New returns an exporter in a format. Close ends it. version is weir's, for formats that name the program; "": unknown.
func New(out io.Writer, format, version string) (*Exporter, error) {
	x := &Exporter{out: bufio.NewWriterSize(out, 64<<10), Joins: format != formatJSONL}
	switch format {
	case formatJSONL:
		x.line = jsonLine
	case formatCSV:
		x.line, x.header = csvLine, csvHeader()
	case formatOCSF:
		x.line = ocsfLines{version: version}.line
	default:
		return nil, fmt.Errorf("%q is not a format; use %s", format, Formats)
	}
	return x, nil
}

// Write writes an entry. An entry that cannot be parsed is an error: an export leaves nothing out.
func (x *Exporter) Write(e record.Entry) error {
	line, err := x.line(e)
	if err != nil {
		return fmt.Errorf("export row %d: %w; run weir audit verify", e.Row, err)
	}
	x.begin()
	_, _ = x.out.Write(line) // the writer remembers its first error
	return x.out.WriteByte('\n')
}

func (x *Exporter) begin() {
	_, _ = x.out.Write(x.header) // likewise
	x.header = nil
}

// Close writes the buffered rest.
func (x *Exporter) Close() error {
	x.begin()
	return x.out.Flush()
}

func jsonLine(e record.Entry) ([]byte, error) {
	line, err := e.JSON()
	if err != nil {
		return nil, err
	}
	return []byte(inert.JSON(string(line))), nil
}
