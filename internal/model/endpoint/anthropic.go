package endpoint

import (
	"slices"

	"github.com/weir-gate/weir/internal/model/dialect/anthropic"
)

const managedAgents = "managed agents run tools in sessions whose protocol weir cannot judge yet"

func anthropicRows() []Row {
	return slices.Concat(
		messagesRows("/v1"),
		below(
			"/v1/messages",
			offering(anthropic.Name, passes(post, "/batches")),
			passes(get, "/batches"),
			passes(getDel, "/batches/{id}"),
			passes(post, "/batches/{id}/cancel"),
			noted("one message a line", quiet(gated(anthropic.Name, get, "/batches/{id}/results"))),
		),
		below(
			"/v1",
			noted("text completions, which know no tools", quiet(gated("", post, "/complete"))),
			chatTurn("/chat/completions"),
			passes(get, "/models", "/models/{id}"),
			passes(getPost, "/files"),
			passes(getDel, "/files/{id}"),
			content(get, "/files/{id}/content"),
			passes(getPost, "/skills"),
			passes(getDel, "/skills/{id}"),
			passes(getPost, "/skills/{id}/versions"),
			passes(getDel, "/skills/{id}/versions/{id}"),
			content(get, "/skills/{id}/versions/{id}/content"),
		),
		refused(
			managedAgents,
			"**/v1/agents/**", "**/v1/sessions/**", "**/v1/environments/**", "**/v1/deployments/**",
			"**/v1/deployment_runs/**", "**/v1/dreams/**", "**/v1/memory_stores/**",
		),
		refused(
			"vaults and tunnels give managed agents credentials and ways to tools that weir does not see",
			"**/v1/vaults/**", "**/v1/tunnels/**",
		),
	)
}

// messagesRows are the endpoints of the Messages API that compatible servers also have.
func messagesRows(prefix string) []Row {
	return slices.Concat(
		noted("at any depth", offering(anthropic.Name, gated(anthropic.Name, post, "**/v1/messages"))),
		below(
			prefix,
			offering(anthropic.Name, gated(anthropic.Name, post, "/messages")),
			offering(anthropic.Name, passes(post, "/messages/count_tokens")),
		),
	)
}
