package agents

import (
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/weirtest/program"
)

// newWeir is a weir that has its configuration in the folder dir. It stores all else in a home, where it is by default.
func newWeir(binary, dir, home string) program.Install {
	return program.Install{Binary: binary, Home: home, Config: filepath.Join(dir, "weir.yaml"), Env: onlyLoopback, Loud: true}
}

// An Event is an entry of the record.
type Event struct {
	Type    string         `json:"type"`
	Dialect string         `json:"dialect"`
	Model   string         `json:"model"`
	Server  string         `json:"server"`
	Tool    string         `json:"tool"`
	WireID  string         `json:"wire_id"`
	Within  string         `json:"within"` // the call in whose arguments this one stands
	Verdict string         `json:"verdict"`
	Blocked bool           `json:"blocked"`
	Code    string         `json:"code"`
	Rule    string         `json:"rule"`
	Args    jsontext.Value `json:"args"`
	Surface string         `json:"surface"`
	Session string         `json:"session"`
	CallID  string         `json:"call_id"`
	Detail  struct {
		Declared bool   `json:"declared"`
		Remote   string `json:"remote_addr"`
		Linked   string `json:"linked_by"`
		Exit     int    `json:"exit"`
	} `json:"detail"`
}
