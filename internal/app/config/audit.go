package config

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Audit says how the record is stored.
type Audit struct {
	BeforeRelease bool          // default true: the record of a call is durable before the call is released
	Release       Release       // default local: where it must be durable
	Retention     time.Duration // how long events are stored; 0, the default: forever
	MaxSize       int64         // about how many bytes the record may take; 0, the default: no bound
	MaxArguments  int64         // bytes of arguments that an event may have; default 1 MiB
	Key           string        // path of the key that signs checkpoints; default audit.key in the state folder
	Secret        string        // path of a file that a platform mounts, from which Key is copied; default none
}

// Release says where the record of a call must be before the call is released.
type Release string

// The words of audit.release.
const (
	Local   Release = "local"   // in the log on this machine
	Shipped Release = "shipped" // in the store as well, for machines whose disks do not outlive them
)

var releaseWords = yamlfile.Choice{What: "a place for the record", Words: []string{string(Local), string(Shipped)}}

// The lowest allowed values. A lower value is probably a mistake, and removed events cannot be restored.
const (
	minRetention  = day
	minRecordSize = 16 * mib
	minRecorded   = mib >> 10
)

var auditShape = yamlfile.Shape{Optional: []string{"before_release", "release", "retention", "max_size", "max_arguments", "key", "secret"}}

const keyFile = "audit.key"

func defaultAudit(stateDir string) Audit {
	return Audit{BeforeRelease: true, Release: Local, MaxArguments: mib, Key: filepath.Join(stateDir, keyFile)}
}

func (r *loader) audit(a *Audit, n *yamlfile.Node) {
	if !r.report.Mapping(n, auditShape) {
		return
	}
	r.bool(n, "before_release", &a.BeforeRelease)
	if v := n.Get("release"); v != nil {
		if word, ok := r.word(v, releaseWords); ok {
			a.Release = Release(word)
		}
	}
	if v := n.Get("retention"); v != nil {
		r.age(&a.Retention, v)
		if a.Retention != 0 && a.Retention < minRetention {
			r.report.Add(v, "events must be stored for at least a day", "write 1d or more")
		}
	}
	if v := n.Get("max_size"); v != nil {
		r.size(&a.MaxSize, v)
		if a.MaxSize != 0 && a.MaxSize < minRecordSize {
			r.report.Add(v, "the record needs "+formatSize(minRecordSize)+" at least", fmt.Sprintf("write %s or more", formatSize(minRecordSize)))
		}
	}
	if v := n.Get("max_arguments"); v != nil {
		r.size(&a.MaxArguments, v)
		if a.MaxArguments < minRecorded {
			r.report.Add(v, "the record of a call needs "+formatSize(minRecorded)+" of its arguments at least", "write "+
				formatSize(minRecorded)+" or more")
		}
	}
	if v := n.Get("key"); v != nil {
		if text, ok := r.text(v, "the path of a key"); ok {
			a.Key = r.file(v, text)
		}
	}
	if v := n.Get("secret"); v != nil {
		if text, ok := r.text(v, "the path of a key"); ok {
			a.Secret = r.file(v, text)
		}
		if a.Secret != "" && a.Secret == a.Key {
			r.report.Add(v, "this is audit.key itself", "name the file that the platform mounts, or remove it")
		}
	}
}

// auditRelations sets the path of the key if there is no state folder: next to the file of the record.
func (r *loader) auditRelations(cfg *Config, root *yamlfile.Node, noState bool) {
	if section := root.Get("audit"); !noState || section != nil && section.Get("key") != nil || root.Get("store") == nil {
		return
	}
	if file, isFile := store.URL(cfg.Store.URL).File(); isFile {
		cfg.Audit.Key = filepath.Join(filepath.Dir(file), keyFile)
		return
	}
	r.report.Add(root, "there is no state folder for the key that signs the record", "set XDG_STATE_HOME, or write audit.key")
}

func auditSchema() yamlfile.Schema {
	return auditShape.Schema(map[string]yamlfile.Schema{
		"before_release": yamlfile.BoolSchema().Describe("false: a call may be released before it is recorded."),
		"release":        wordSchema(releaseWords).Describe("Where a call is recorded first: in the local log, or also in the store."),
		"retention":      yamlfile.TextSchema().Describe("How long events are stored, such as 90d (default: forever)."),
		"max_size":       yamlfile.TextSchema().Describe("How large the record may grow, such as 10GiB; the oldest events are removed first."),
		"max_arguments":  yamlfile.TextSchema().Describe("Larger arguments are recorded by size and digest only (default: 1MiB)."),
		"key":            yamlfile.TextSchema().Describe("The path of the key that signs checkpoints (default: audit.key in the state folder)."),
		"secret":         yamlfile.TextSchema().Describe("The path of a file with that key, which a platform mounts; it is copied to key."),
	})
}
