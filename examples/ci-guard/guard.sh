#!/bin/sh
# guard.sh POLICY COMMAND [ARGUMENT...]: runs a command behind weir, says what was refused, and keeps the record.
#   WEIR_CONFIG       configuration for weir; not set: none
#   FAIL_ON_REFUSAL   false: a refusal does not fail the job
#   RECORD            file for the events of the job; not set: weir-record.jsonl
set -u
if [ $# -lt 2 ]; then
	echo "usage: guard.sh POLICY COMMAND [ARGUMENT...]" >&2
	exit 2
fi
policy=$1
shift
began=$(date -u +%Y-%m-%dT%H:%M:%SZ)

weir policy check "$policy" || exit 2
weir run ${WEIR_CONFIG:+--config "$WEIR_CONFIG"} --policy "$policy" -- "$@"
code=$?

store=${WEIR_CONFIG:+--config $WEIR_CONFIG}
# shellcheck disable=SC2086
refused=$(weir calls $store --since "$began" --blocked --limit 0 2>/dev/null)
# shellcheck disable=SC2086
weir audit export $store --since "$began" --out "${RECORD:-weir-record.jsonl}" || exit 1

if [ -n "$refused" ]; then
	printf 'refused by weir:\n%s\n' "$refused" | tee -a "${GITHUB_STEP_SUMMARY:-/dev/null}"
	[ "$code" -ne 0 ] || [ "${FAIL_ON_REFUSAL:-true}" = false ] || code=1
fi
exit "$code"
