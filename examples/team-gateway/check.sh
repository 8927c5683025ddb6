#!/bin/sh
# Checks the configuration with made-up secrets and a file for a store, and the policy with its cases.
set -eu
set -a
. ./weir.env.example
STORE_URL=sqlite://weir.db
set +a
weir policy check policy.yaml
weir policy test cases.yaml --policy policy.yaml
# There is no certificate here: without TLS weir listens on loopback only.
sed -e '/^tls:/d' -e 's/^listen: .*/listen: 127.0.0.1:4141/' weir.yaml >local.yaml
weir config check local.yaml
weir store migrate --config local.yaml
weir calls --config local.yaml
