#!/bin/sh
# Checks the policy, its cases, and that the script passes on how the command ended.
set -eu
weir policy check policy.yaml
weir policy test cases.yaml --policy policy.yaml
sh -n guard.sh
printf 'listen: 127.0.0.1:0\nstore: {url: "sqlite://%s/weir.db"}\n' "$PWD" >weir.yaml
WEIR_CONFIG=weir.yaml sh guard.sh policy.yaml echo "the agent was here"
if WEIR_CONFIG=weir.yaml sh guard.sh policy.yaml false; then
	echo "a command that fails did not fail the job" >&2
	exit 1
fi
test -s weir-record.jsonl
