package record

import "github.com/weir-gate/weir/internal/call"

func (d ToolCall) write(w *writer) {
	objects(w, "replaced", d.Replaced, func(w *writer, r Replaced) {
		w.always("name", r.Name)
		w.int("count", int64(r.Count))
	})
	texts(w, "aliases", d.Aliases)
	w.text("written_as", d.Written)
	texts(w, "spellings", d.Spellings)
	w.flag("ran_by_provider", d.Ran)
	texts(w, "holes", d.Holes)
	w.flag("repeats", d.Repeats)
	if d.Omitted != (omitted{}) {
		w.name("args_omitted")
		w.open('{')
		w.int("size_bytes", d.Omitted.SizeBytes)
		w.always("digest", d.Omitted.Digest)
		w.always("begin", d.Omitted.Begin)
		w.close('}')
	}
	w.flag("args_follow", d.ArgsFollow)
	w.text("args_code", d.ArgsCode)
	w.text("tool_state", d.ToolState)
	w.text("tool_severity", d.ToolSeverity)
	texts(w, "tool_hints", d.ToolHints)
	w.flag("declared", d.Declared)
	w.value("params", d.Beside)
	texts(w, "params_left_out", d.LeftOut)
	objects(w, "findings", d.Findings, writeFinding)
	texts(w, "left_out", d.MembersLeftOut)
}

func writeFinding(w *writer, f Finding) {
	w.always("rule", f.Rule)
	w.always("severity", f.Severity)
	w.always("where", f.Where)
	w.always("excerpt", f.Excerpt)
}

func (d ToolResult) write(w *writer) {
	w.int("size_bytes", d.SizeBytes)
	w.always("digest", d.Digest)
	w.bool("is_error", d.Failed)
	w.text("method", d.Method)
	objects(w, "findings", d.Findings, writeFinding)
}

func (d CallWarning) write(w *writer) {
	w.int("size_bytes", d.SizeBytes)
	w.int("limit_bytes", d.LimitBytes)
}

func (d ResponseDone) write(w *writer) {
	w.name("usage")
	w.open('{')
	w.int("input_tokens", d.Usage.Input)
	w.int("output_tokens", d.Usage.Output)
	w.number("cache_read_tokens", d.Usage.CacheRead)
	w.number("cache_creation_tokens", d.Usage.CacheCreation)
	w.close('}')
	w.int("released", int64(d.Released))
	w.int("refused", int64(d.Refused))
	w.bool("clean", d.Clean)
	if t := d.Timings; t != (Timings{}) {
		w.name("timings")
		w.open('{')
		w.time("started", t.Started)
		w.number("status", int64(t.Status))
		w.int("upstream_us", t.UpstreamMicros)
		w.int("held_us", t.HeldMicros)
		w.int("judged_us", t.JudgedMicros)
		w.int("recorded_us", t.RecordedMicros)
		w.int("total_us", t.TotalMicros)
		w.close('}')
	}
	w.number("cost_usd_micros", d.CostMicros)
	w.flag("cost_guessed", d.CostGuessed)
	w.text("prices", d.Prices)
	writeBody(w, "request_body", d.RequestBody)
	writeBody(w, "response_body", d.ResponseBody)
}

func writeBody(w *writer, name string, b call.Body) {
	if b == (call.Body{}) {
		return
	}
	w.name(name)
	w.open('{')
	w.text("digest", b.Digest)
	w.number("size", b.Size)
	w.number("full_size", b.FullSize)
	w.text("not_kept", string(b.NotStored))
	w.close('}')
}

func (d Connection) write(w *writer) {
	w.text("remote_addr", d.RemoteAddr)
	w.text("host_from", d.HostFrom)
	w.flag("unread", d.Unread)
	w.number("pid", int64(d.PID))
	w.text("process", d.Process)
	w.text("linked_by", d.LinkedBy)
	texts(w, "maybe", d.Maybe)
}
