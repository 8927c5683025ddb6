// The Anthropic SDK for Bedrock, with a key and without.
import AnthropicBedrock from "@anthropic-ai/bedrock-sdk";
import { helper, raw, settings, whole } from "./anthropic.mjs";

const withKey = (job, tools) => new AnthropicBedrock({ ...settings(job, tools), apiKey: job.api_key });
const withoutAuth = (job, tools) => new AnthropicBedrock({ ...settings(job, tools), skipAuth: true });

export const kinds = {
  "claude-raw": raw(withKey),
  "claude-helper": helper(withoutAuth),
  "claude-whole": whole(withKey),
};
