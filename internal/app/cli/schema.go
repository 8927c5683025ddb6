package cli

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

func newPolicySchema() *cobra.Command {
	return newSchema("Print the JSON Schema of a policy, for editors", "  weir policy schema > policy.schema.json", policy.Schema)
}

func newConfigSchema() *cobra.Command {
	return newSchema("Print the JSON Schema of the configuration, for editors", "  weir config schema > weir.schema.json", config.Schema)
}

func newSchema(short, example string, schema func() yamlfile.Schema) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   short,
		Example: example,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := json.Marshal(schema(), json.Deterministic(true), jsontext.WithIndent("  "))
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(append(text, '\n'))
			return err
		},
	}
}
