package endpoint

import (
	"strings"
	"testing"
)

// One line is what a client sends, at which upstreams, and what becomes of it there and at an upstream of any other name.
func TestKnownEndpoints(t *testing.T) {
	tables := everyTable()
	for _, line := range strings.Split(strings.TrimSpace(knownEndpoints), "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		upstreams, method, path, want := fields[0], fields[1], fields[2], strings.Join(fields[3:], " ")
		for _, name := range strings.Split(upstreams+",all", ",") {
			row, ok := tables[name].Find(method, path)
			if got := describe(row, ok); got != want {
				t.Errorf("%s %s at %s is %s (%s), not %s", method, path, name, got, row.Path, want)
			}
		}
	}
}

func describe(r Row, ok bool) string {
	if !ok {
		return "unknown"
	}
	words := []string{r.Treatment.String()}
	if r.Format != "" {
		words = append(words, r.Format)
	}
	if r.Offers {
		words = append(words, "offers")
	}
	if r.Quiet {
		words = append(words, "quiet")
	}
	return strings.Join(words, " ")
}

const knownEndpoints = `
anthropic,xai,openrouter,ollama POST /v1/messages gated anthropic offers
anthropic  POST   /v1/messages/count_tokens              passes anthropic offers
anthropic  POST   /v1/messages/batches                   passes anthropic offers
anthropic  GET    /v1/messages/batches                   passes
anthropic  GET    /v1/messages/batches/b                 passes
anthropic  POST   /v1/messages/batches/b/cancel          passes
anthropic  DELETE /v1/messages/batches/b                 passes
anthropic  GET    /v1/messages/batches/b/results         gated anthropic quiet
anthropic  POST   /v1/complete                           gated quiet
anthropic  GET    /v1/files/f/content                    content
anthropic  GET    /v1/skills/s/versions/1/content        content
anthropic  POST   /v1/sessions                           refused
anthropic  GET    /v1/sessions/s/events/stream           refused
anthropic  GET    /v1/environments/e/work/poll           refused
anthropic  POST   /v1/vaults/v/credentials               refused
anthropic  GET    /v1/organizations/me                   unknown
anthropic,openai,xai,mistral,groq,openrouter,ollama,bedrock GET /v1/models passes
anthropic,openai,xai,mistral,groq,openrouter,ollama,bedrock GET /v1/models/m passes
anthropic,openai,xai,mistral,groq,openrouter POST   /v1/files   passes
anthropic,openai,xai,mistral,groq,openrouter GET    /v1/files   passes
anthropic,openai,xai,mistral,groq,openrouter GET    /v1/files/f passes
anthropic,openai,xai,mistral,groq,openrouter DELETE /v1/files/f passes
openai,xai,mistral,groq,openrouter,ollama POST /v1/embeddings passes
openai,mistral                 POST /v1/moderations          passes
openai,xai,openrouter,ollama   POST /v1/images/generations   passes
openai,groq,mistral,openrouter,ollama POST /v1/audio/transcriptions content
openai,groq                    POST /v1/audio/translations   content
openai,groq,mistral,openrouter POST /v1/audio/speech         content
openai,xai,groq POST /v1/batches          passes
openai,xai,groq GET  /v1/batches          passes
openai,xai,groq GET  /v1/batches/b        passes
openai,xai,groq POST /v1/batches/b/cancel passes
openrouter GET  /v1/key     passes
openrouter GET  /v1/credits passes
openrouter POST /v1/rerank  passes
openrouter POST /v1/keys    refused
openrouter GET  /v1/models/a/b/endpoints passes
deepseek   GET  /models     passes
deepseek,mistral,groq,openrouter,anthropic,openai,ollama POST /v1/chat/completions gated openai-chat offers
deepseek   POST /chat/completions         gated openai-chat offers
deepseek   POST /beta/completions         gated openai-chat
deepseek   POST /anthropic/v1/messages    gated anthropic offers
deepseek   GET  /user/balance             passes
openai     GET    /v1/chat/completions            gated openai-chat quiet
openai     GET    /v1/chat/completions/c          gated openai-chat
openai     POST   /v1/chat/completions/c          gated openai-chat
openai     DELETE /v1/chat/completions/c          passes
openai     GET    /v1/chat/completions/c/messages gated openai-chat quiet
openai     POST   /v1/completions                 gated openai-chat
openai     POST   /v1/responses                   gated openai-responses offers
openai     POST   /v1/responses/compact           gated openai-responses offers
openai     POST   /v1/responses/input_tokens      passes openai-responses offers
openai     GET    /v1/responses/r                 gated openai-responses
openai     POST   /v1/responses/r/cancel          gated openai-responses
openai     DELETE /v1/responses/r                 passes
openai     GET    /v1/responses/r/input_items     gated openai-responses quiet
openai     POST   /v1/conversations               gated openai-responses offers quiet
openai     GET    /v1/conversations/c             passes
openai     POST   /v1/conversations/c             passes
openai     DELETE /v1/conversations/c             passes
openai     POST   /v1/conversations/c/items       gated openai-responses offers quiet
openai     GET    /v1/conversations/c/items       gated openai-responses quiet
openai     GET    /v1/conversations/c/items/i     gated openai-responses
openai     DELETE /v1/conversations/c/items/i     passes
openai     POST   /openai/v1/responses            gated openai-responses offers
openai     POST   /openai/v1/responses/input_tokens passes openai-responses offers
openai     GET    /openai/v1/conversations/c/items gated openai-responses quiet
openai     DELETE /openai/v1/responses/r          passes
openai     POST   /openai/responses               gated openai-responses offers
openai     POST   /openai/responses/input_tokens  passes openai-responses offers
openai     GET    /openai/conversations/c         passes
openai     DELETE /openai/conversations/c/items/i passes
openai     GET    /openai/models                  passes
openai     GET    /openai/v1/models               passes
openai     POST   /openai/v1/embeddings           passes
openai     POST   /openai/deployments/d/embeddings passes
openai     POST   /openai/deployments/d/chat/completions gated openai-chat offers
openai     POST   /openai/deployments/d/audio/speech content
openai     GET    /openai/realtime                refused
openai     POST   /openai/realtimeapi/sessions    refused
openai     POST   /openai/assistants              refused
openai     POST   /openai/threads/t/runs          refused
openai     GET    /v1/realtime                    refused
openai     POST   /v1/realtime/client_secrets     refused
openai     POST   /v1/realtime/calls/c/accept     refused
openai     POST   /v1/threads/t/runs/r/submit_tool_outputs refused
openai     GET    /v1/threads/t/messages          refused
openai     POST   /v1/chatkit/sessions            refused
openai     GET    /v1/files/f/content             content
openai     GET    /v1/containers/c/files/f/content content
openai     GET    /v1/videos/v/content            content
openai     GET    /v1/evals/e/runs/r/output_items gated openai-chat quiet
openai     POST   /backend-api/codex/responses    gated openai-responses offers
chatgpt    POST   /responses                      gated openai-responses offers
chatgpt    POST   /responses/compact              gated openai-responses offers
chatgpt    GET    /models                         passes
chatgpt    POST   /realtime/calls                 refused
chatgpt    GET    /plugins/list                   unknown
codeassist POST   /v1internal:generateContent     gated gemini offers
codeassist POST   /v1internal:streamGenerateContent gated gemini offers
codeassist POST   /v1internal:countTokens         passes gemini offers
codeassist POST   /v1internal:loadCodeAssist      passes
codeassist GET    /v1internal/operations/o        passes
codeassist POST   /v1internal:anythingElse        unknown
openai     GET    /v1/organization/costs          unknown
xai        GET    /v1/chat/deferred-completion/d  gated openai-chat
xai        GET    /v1/batches/b/results           gated openai-chat quiet
xai        POST   /v1/realtime/client_secrets     refused
mistral    POST   /v1/agents/completions          gated openai-chat offers
mistral    POST   /v1/fim/completions             gated openai-chat
mistral    POST   /v1/agents                      refused
mistral    GET    /v1/conversations/c/history     refused
mistral    GET    /v1/files/f/url                 refused
mistral    POST   /v1/connectors/c/tools/t/call   refused
gemini,vertex POST /v1beta/models/m:generateContent       gated gemini offers
gemini,vertex GET /v1beta/models/m:generateContent        gated gemini offers
vertex     GET    /v1/projects/p/locations/l/publishers/anthropic/models/m:rawPredict gated anthropic offers
ollama     GET    /v1/models/llama3:8b             passes
openai     GET    /v1/models/ft:m:org::predict     passes
gemini     POST   /v1alpha/tunedModels/m:streamGenerateContent gated gemini offers
gemini     POST   /v1/models/m:countTokens         passes gemini offers
gemini     POST   /v1beta/models/m:embedContent    passes
gemini     POST   /v1beta/models/m:batchEmbedContents passes
gemini     POST   /v1beta/models/m:batchGenerateContent gated gemini offers quiet
gemini     GET    /v1beta/batches/b                gated gemini quiet
gemini     GET    /v1beta/models                   passes
gemini     GET    /v1beta/models/m                 passes
gemini     GET    /v1alpha/models                  passes
gemini     GET    /v1alpha/models/m                passes
gemini     GET    /v1beta/files                    passes
gemini     GET    /v1beta/files/f                  passes
gemini     DELETE /v1beta/files/f                  passes
gemini     GET    /v1beta/files/f:download         content
gemini     GET    /download/v1beta/files/f:download content
gemini     POST   /upload/v1beta/files             passes
gemini     GET    /v1beta/cachedContents           passes
gemini     POST   /v1beta/cachedContents           passes gemini offers
gemini     GET    /v1beta/cachedContents/c         passes
gemini     PATCH  /v1beta/cachedContents/c         passes gemini offers
gemini     DELETE /v1beta/cachedContents/c         passes
gemini     GET    /v1beta/openai/models            passes
gemini     GET    /v1beta/openai/models/m          passes
gemini     POST   /v1beta/openai/embeddings        passes
gemini     POST   /v1beta/openai/chat/completions  gated openai-chat offers
gemini     POST   /v1beta/interactions             refused
gemini     GET    /v1beta/interactions/i           refused
gemini     POST   /v1alpha/auth_tokens             refused
gemini     GET    /ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent refused
gemini     POST   /v1beta/agents                   refused
gemini,vertex POST /v1internal:generateContent     gated gemini offers
gemini,vertex POST /v1internal:streamGenerateContent gated gemini offers
gemini,vertex POST /v1internal:countTokens         passes gemini offers
gemini,vertex POST /v1internal:loadCodeAssist      passes
gemini,vertex POST /v1internal:onboardUser         passes
gemini,vertex POST /v1internal:fetchAdminControls  passes
gemini,vertex POST /v1internal:retrieveUserQuota   passes
gemini,vertex GET  /v1internal:getCodeAssistGlobalUserSetting passes
gemini,vertex POST /v1internal:setCodeAssistGlobalUserSetting passes
gemini,vertex POST /v1internal:listExperiments     passes
gemini,vertex POST /v1internal:recordCodeAssistMetrics passes
vertex     POST   /v1/projects/p/locations/l/publishers/google/models/m:streamGenerateContent gated gemini offers
vertex     POST   /v1/publishers/google/models/m:generateContent gated gemini offers
vertex     POST   /v1beta1/projects/p/locations/l/publishers/google/models/m:computeTokens passes gemini offers
vertex     POST   /v1/projects/p/locations/l/publishers/anthropic/models/m:rawPredict gated anthropic offers
vertex     POST   /v1/projects/p/locations/l/publishers/anthropic/models/m@1:streamRawPredict gated anthropic offers
vertex     POST   /v1/projects/p/locations/l/publishers/anthropic/models/count-tokens:rawPredict passes anthropic offers
vertex     POST   /v1/projects/p/locations/l/publishers/mistralai/models/m:streamRawPredict gated openai-chat offers
vertex     POST   /v1/projects/p/locations/l/endpoints/openapi/chat/completions gated openai-chat offers
vertex     POST   /v1/projects/p/locations/l/endpoints/7:generateContent gated gemini offers
vertex     POST   /v1/projects/p/locations/l/endpoints/7:serverStreamingPredict refused
vertex     POST   /v1/projects/p/locations/l/reasoningEngines/7:streamQuery refused
vertex     POST   /v1/projects/p/locations/l/batchPredictionJobs refused
vertex     GET    /v1/projects/p/locations/l/batchPredictionJobs passes
vertex     POST   /v1/projects/p/locations/l/cachedContents passes gemini offers
ollama     POST   /api/chat                        gated ollama offers
ollama     POST   /api/generate                    gated ollama
ollama     GET    /api/tags                        passes
ollama     GET    /api/ps                          passes
ollama     GET    /api/version                     passes
ollama     POST   /api/show                        passes
ollama     POST   /api/embed                       passes
ollama     POST   /api/embeddings                  passes
ollama     POST   /api/pull                        changes
ollama     POST   /api/push                        changes
ollama     POST   /api/create                      changes
ollama     POST   /api/copy                        changes
ollama     DELETE /api/delete                      changes
ollama     POST   /api/delete                      changes
ollama     POST   /api/blobs/sha256:0              changes
ollama     PUT    /api/blobs/sha256:0              changes
ollama     HEAD   /api/blobs/sha256:0              passes
ollama     DELETE /below/a/prefix/api/delete       changes
ollama     POST   /v1/responses                    gated openai-responses offers
bedrock    POST   /model/us.anthropic.claude-v1:0/converse gated bedrock offers
bedrock    POST   /model/arn:aws:bedrock:us-east-1:1:inference-profile%2Fp/converse-stream gated bedrock offers
bedrock    POST   /model/m/invoke                  gated anthropic offers quiet
bedrock    POST   /model/m/invoke-with-response-stream gated anthropic offers quiet
bedrock    POST   /model/m/count-tokens            passes bedrock offers
bedrock    POST   /model/m/invoke-with-bidirectional-stream refused
bedrock    POST   /async-invoke                    refused
bedrock    GET    /async-invoke/arn                refused
bedrock    POST   /guardrail/g/version/1/apply     passes
bedrock    GET    /foundation-models               passes
bedrock    GET    /inference-profiles/p            passes
bedrock    POST   /openai/v1/chat/completions      gated openai-chat offers
bedrock    POST   /anthropic/v1/messages           gated anthropic offers
bedrock    POST   /agents/a/agentAliases/b/sessions/s/text refused
bedrock    POST   /flows/f/aliases/a               refused
bedrock    POST   /knowledgebases/k/retrieve       refused
bedrock    POST   /retrieveAndGenerateStream       refused
bedrock    POST   /runtimes/arn/invocations        refused
bedrock    POST   /invocations                     refused
`
