package servecmd

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/config"
)

// logSettings returns what the log has and in which form: as the flags say, else as the configuration does.
func (f *serveFlags) logSettings(l config.Log) (config.Log, error) {
	if f.logFormat != "" {
		format, err := config.ParseLogFormat(f.logFormat)
		if err != nil {
			return l, exit.WrongInput(fmt.Errorf("--log-format: %w", err))
		}
		l.Format = format
	}
	switch {
	case f.logLevel != "":
		level, err := config.ParseLevel(f.logLevel)
		if err != nil {
			return l, exit.WrongInput(fmt.Errorf("--log-level: %w", err))
		}
		l.Level = level
	case f.quiet:
		l.Level = slog.LevelWarn
	}
	return l, nil
}

// newLog returns the log. Its level can be changed while weir runs.
func newLog(out io.Writer, l config.Log) (*slog.Logger, *slog.LevelVar) {
	level := &slog.LevelVar{}
	level.Set(l.Level)
	if l.Format == config.JSONLog {
		return slog.New(slog.NewJSONHandler(out, &slog.HandlerOptions{Level: level, ReplaceAttr: inSeconds})), level
	}
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: level})), level
}

// inSeconds writes durations as seconds: programs that read JSON calculate with them.
func inSeconds(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.Float64Value(a.Value.Duration().Seconds())
	}
	return a
}
