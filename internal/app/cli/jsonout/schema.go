package jsonout

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// SchemaCommand returns the command of a group that prints a JSON Schema.
func SchemaCommand(short, example string, schema func() yamlfile.Schema) *cobra.Command {
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
