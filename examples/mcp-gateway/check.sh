#!/bin/sh
# Checks the configuration and the policy with its cases, and that clients are sent to servers that are declared.
set -eu
weir policy check policy.yaml
weir policy test cases.yaml --policy policy.yaml
weir config check weir.yaml
weir store migrate --config weir.yaml
weir mcp servers --config weir.yaml --json >servers.json
for server in files tickets; do
	grep -q "\"id\":\"$server\"" servers.json
	grep -q "/mcp/$server\"" client.json
done
