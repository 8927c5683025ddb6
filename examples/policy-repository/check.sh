#!/bin/sh
# What workflow.yml does.
set -eu
weir policy check policy
weir policy test cases.yaml --policy policy --junit report.xml
test -s report.xml
