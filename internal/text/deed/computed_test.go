package deed

import (
	"testing"

	"github.com/weir-gate/weir/internal/text/truth"
)

// What a program for texts makes and a shell runs is surely computed. What a tool prints for a shell is so only in doubt, or not at all.
func TestComputedSurely(t *testing.T) {
	for text, want := range map[string]truth.Value{
		`echo 6375 | perl -pe 's/(..)/chr hex $1/ge' | sh`:                          truth.Yes,
		`eval $(echo "mr fr- ~" | awk '{print $2}')`:                                truth.Yes,
		`python3 -c "import sys;print(sys.stdin.read())" < f | sh`:                  truth.Yes,
		`eval "$(jq -rn '"cm0gLXJmIH4="|@base64d')"`:                                truth.Yes,
		`echo 'rm%20x' | python3 -c 'import sys;print(f(sys.stdin.read()))' | bash`: truth.Yes,
		`sh -c "$(printf 'sn!.sg!\x7f' | perl -pe 's/(.)/chr(ord($1)-1)/ge')"`:      truth.Yes,
		`source <(sed 's/a/b/' f)`:                                                  truth.Yes,
		`$(sed -n 1p f) -rf x`:                                                      truth.Yes,
		`awk '{print $1}' f | xargs -I{} {} -rf x`:                                  truth.Yes,
		`sed 's/^/git rm /' f | sort | sh`:                                          truth.Yes,
		`eval "$(some-tool)"`:                                                       truth.Maybe,
		`eval "$(python3 tools/env.py)"`:                                            truth.Maybe,
		`eval "$(sed 's/^/export /' .env)"`:                                         truth.Maybe,
		`eval "$(jq -r '@sh "A=\(.a)"' x.json)"`:                                    truth.Maybe,
		`ls | sed 's/.txt//' | xargs -I{} sh -c 'mv {}.txt {}.md'`:                  truth.Maybe,
		`docker ps -q | awk '{print $1}' | xargs docker stop`:                       truth.No,
		`echo ls | sed 's/l/l/' | sh`:                                               truth.No,
		`sh build.sh $(awk '{print $1}' f)`:                                         truth.No,
		`eval "$(ssh-agent -s)" && sed 's/a/b/' f`:                                  truth.No,
	} {
		if got := matches(t, RunsFetched, "computed", text); got != want {
			t.Errorf("%q is computed: %d, want %d", text, got, want)
		}
	}
}
