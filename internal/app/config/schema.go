package config

import (
	"maps"
	"slices"

	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Schema returns the JSON Schema of weir.yaml. It covers keys, types and words. Only the loader can check what depends on several
// values, on files and on variables.
func Schema() yamlfile.Schema {
	inline := policy.Schema()
	defs, _ := inline["$defs"].(map[string]yamlfile.Schema)
	delete(inline, "$defs")
	delete(inline, "$schema")
	defs["policy"] = inline
	text := yamlfile.TextSchema()
	root := documentShape.Schema(map[string]yamlfile.Schema{
		"listen": text.Describe("The address (default: 127.0.0.1:4141), or unix: and a path. One that is not local needs clients and tls."),
		"tls": tlsShape.Schema(map[string]yamlfile.Schema{
			"cert": text.Describe("The path of the certificate chain, PEM."), "key": text.Describe("The path of the private key, PEM."),
		}).Describe("The certificate of weir itself."),
		"ingress":      ingressSchema().Describe("What stands between clients and weir."),
		"enforcement":  wordSchema(enforcementWords).Describe("How far the policy is enforced."),
		"proxy":        proxySchema().Describe("Which responses of models weir judges."),
		"upstreams":    upstreamsSchema().Describe("Model APIs behind weir, by name."),
		"outgoing":     outgoingShape.Schema(outgoingValues()).Describe("How all upstreams are reached."),
		"clients":      clientsSchema().Describe("Who may use this weir, and who they are."),
		"client_files": text.Describe("A file, or a folder of files, with more clients; weir client add writes there."),
		"policy": yamlfile.Schema{"anyOf": []yamlfile.Schema{text, yamlfile.RefSchema("policy")}}.
			Describe("The path of the policy, or the policy itself."),
		"on_deny": wordSchema(onDenyWords).Describe("What replaces a refused call: a notice, or nothing."),
		"inbound": wordSchema(inboundWords).Describe("What becomes of a request that offers a refused tool."),
		"notice":  noticeSchema().Describe("What notices of refused calls say beside the reason."),
		"prices":  text.Describe("The path of a table of prices that overrides the built-in one."),
		"store": storeShape.Schema(map[string]yamlfile.Schema{
			"url": text.Describe(store.Forms.Described + "."),
		}).Describe("Where the record is stored."),
		"audit":        auditSchema().Describe("How the record is signed, and when events are removed."),
		"bodies":       bodiesSchema().Describe("What is stored of requests to models and of their responses."),
		"bounds":       boundsSchema().Describe("The sizes and times that weir allows."),
		"metrics":      metricsSchema().Describe("Metrics for Prometheus."),
		"otlp":         otlpSchema().Describe("Where traces and logs of OpenTelemetry go."),
		"webhooks":     webhooksSchema().Describe("Addresses to which events are posted."),
		"egress":       egressSchema().Describe("What the programs of sessions may connect to."),
		"log":          logSchema().Describe("What the log of weir serve has, and in which form."),
		"drain":        text.Describe("How long open responses may continue when weir ends, such as 30s (the default)."),
		"drain_notice": text.Describe("How long weir goes on serving after /readyz says that it is not ready, such as 5s (default: none)."),
	})
	return yamlfile.DocumentSchema("weir.yaml", root, defs)
}

// variableSchema describes a text with a variable in it.
func variableSchema() yamlfile.Schema {
	return yamlfile.Schema{"type": "string", "pattern": `\$\{[A-Za-z_][A-Za-z0-9_]*\}`}
}

// wordSchema describes a word of a choice, or a variable that holds one.
func wordSchema(c yamlfile.Choice) yamlfile.Schema {
	return yamlfile.Schema{"anyOf": []yamlfile.Schema{c.Schema(), variableSchema()}}
}

func upstreamsSchema() yamlfile.Schema {
	values := map[string]yamlfile.Schema{
		"url":      yamlfile.TextSchema().Describe("The base URL. The path after the upstream's name is appended to it."),
		"key":      yamlfile.TextSchema().Describe("Replaces the agent's own key; needs clients."),
		"key_file": yamlfile.TextSchema().Describe("The path of a file with that key, for weir alone; it is read again when it changes."),
		"changes":  yamlfile.BoolSchema().Describe("Lets clients change the models of a model server."),
	}
	maps.Copy(values, outgoingValues())
	known := yamlfile.Schema{}
	for _, name := range slices.Sorted(maps.Keys(builtIn)) {
		known[name] = builtInUpstreamShape.Schema(values)
	}
	return yamlfile.Schema{
		"type": "object", "properties": known, "additionalProperties": upstreamShape.Schema(values),
		"propertyNames": yamlfile.Schema{"pattern": upstreamName.String(), "not": yamlfile.Schema{"enum": takenNames}},
	}
}

func boundsSchema() yamlfile.Schema {
	size := yamlfile.TextSchema().Describe("A whole number with a unit, such as 16MiB.")
	values := map[string]yamlfile.Schema{"hold": yamlfile.TextSchema().Describe("How long one call may be held, such as 10m.")}
	for _, name := range boundsShape.Optional {
		if _, described := values[name]; !described {
			values[name] = size
		}
	}
	return boundsShape.Schema(values)
}
