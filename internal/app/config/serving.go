package config

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Log says what the log of weir serve has, and in which form.
type Log struct {
	Format LogFormat
	Level  slog.Level
}

// LogFormat is the form of a line of the log.
type LogFormat string

// The forms of lines.
const (
	TextLog LogFormat = "text"
	JSONLog LogFormat = "json"
)

var (
	logShape   = yamlfile.Shape{Optional: []string{"format", "level"}}
	logFormats = yamlfile.Choice{What: "a form of the log", Words: []string{string(TextLog), string(JSONLog)}}
	logLevels  = yamlfile.Choice{What: "a level", Words: []string{"debug", "info", "warn", "error"}}
)

const (
	usualDrain = 30 * time.Second
	maxDrain   = time.Hour
)

func defaultLog() Log { return Log{Format: TextLog, Level: slog.LevelInfo} }

// ParseLevel returns the level of a word.
func ParseLevel(word string) (level slog.Level, err error) {
	if err := level.UnmarshalText([]byte(word)); err != nil {
		return level, fmt.Errorf("this is not a level; use %s", yamlfile.OneOf(logLevels.Words))
	}
	return level, nil
}

// ParseLogFormat returns the format of a word.
func ParseLogFormat(word string) (LogFormat, error) {
	if f := LogFormat(word); f == TextLog || f == JSONLog {
		return f, nil
	}
	return "", fmt.Errorf("this is not a form of the log; use %s", yamlfile.OneOf(logFormats.Words))
}

func (r *loader) log(l *Log, n *yamlfile.Node) {
	if !r.report.Mapping(n, logShape) {
		return
	}
	if v := n.Get("format"); v != nil {
		if word, ok := r.word(v, logFormats); ok {
			l.Format = LogFormat(word)
		}
	}
	if v := n.Get("level"); v != nil {
		if word, ok := r.word(v, logLevels); ok {
			l.Level, _ = ParseLevel(word) // it is one of the words
		}
	}
}

// drain reads how long weir takes to end.
func (r *loader) drain(to *time.Duration, n *yamlfile.Node) {
	const cure = "write a number with a unit, such as 30s or 5m, at most 1h"
	if n.Kind == yamlfile.Number {
		r.report.Add(n, "a time needs a unit", cure)
		return
	}
	text, ok := r.text(n, "a duration such as 30s")
	if !ok {
		return
	}
	d, err := parseDuration(text)
	switch {
	case err != nil:
		r.report.Add(n, err.Error(), cure)
	case d > maxDrain:
		r.report.Add(n, "this is more than an hour", cure)
	default:
		*to = d
	}
}

func logSchema() yamlfile.Schema {
	return logShape.Schema(map[string]yamlfile.Schema{
		"format": wordSchema(logFormats).Describe("The form of a line (default: text)."),
		"level":  wordSchema(logLevels).Describe("What is logged: this and what is worse (default: info)."),
	})
}
