#!/bin/sh
# Prints the folder for the temporary files of tests: one in memory, if it has room and programs can be run there, else the usual one.
# Databases sync every commit to the disk. In memory that takes no time, and weir does the same.
memory=/dev/shm
if [ -w $memory ] && [ "$(df -Pk $memory | awk 'NR == 2 { print $4 }')" -gt 4000000 ]; then
	program=$(mktemp $memory/weir-XXXXXX)
	printf '#!/bin/sh\n' >"$program"
	chmod +x "$program"
	if "$program" 2>/dev/null; then
		rm -f "$program"
		echo $memory
		exit
	fi
	rm -f "$program"
fi
echo "${TMPDIR:-/tmp}"
