// Command receiver is the OTLP receiver of the OpenTelemetry Collector. It listens on the given address and prints each message
// that it gets as a line of OTLP/JSON, until its input ends.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: receiver ADDRESS")
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, address string) error {
	factory := otlpreceiver.NewFactory()
	cfg := factory.CreateDefaultConfig()
	file := confmap.NewFromStringMap(map[string]any{"protocols": map[string]any{"http": map[string]any{"endpoint": address}}})
	if err := file.Unmarshal(cfg); err != nil {
		return fmt.Errorf("read configuration: %w", err)
	}
	settings := receiver.Settings{
		ID:                component.NewID(factory.Type()),
		TelemetrySettings: componenttest.NewNopTelemetrySettings(),
		BuildInfo:         component.NewDefaultBuildInfo(),
	}
	traces, err := consumer.NewTraces(printTraces)
	if err != nil {
		return err
	}
	logs, err := consumer.NewLogs(printLogs)
	if err != nil {
		return err
	}
	forTraces, err := factory.CreateTraces(ctx, settings, cfg, traces)
	if err != nil {
		return fmt.Errorf("make receiver of traces: %w", err)
	}
	forLogs, err := factory.CreateLogs(ctx, settings, cfg, logs)
	if err != nil {
		return fmt.Errorf("make receiver of logs: %w", err)
	}
	for _, r := range []component.Component{forTraces, forLogs} {
		if err := r.Start(ctx, componenttest.NewNopHost()); err != nil {
			return fmt.Errorf("start receiver: %w", err)
		}
	}
	fmt.Println("ready")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func printTraces(_ context.Context, td ptrace.Traces) error {
	line, err := (&ptrace.JSONMarshaler{}).MarshalTraces(td)
	return printed(line, err)
}

func printLogs(_ context.Context, ld plog.Logs) error {
	line, err := (&plog.JSONMarshaler{}).MarshalLogs(ld)
	return printed(line, err)
}

// printed writes a line with one call: both receivers may print at the same time.
func printed(line []byte, err error) error {
	if err == nil {
		_, err = os.Stdout.Write(append(line, '\n'))
	}
	return err
}
