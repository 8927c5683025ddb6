// What clients of the Responses API have in common: how a response is told, and how its calls are run.

// turnOf tells what a response says, in words that all clients share.
export const turnOf = ({ status, output }) => ({ status, items: output.map(told) });

// listOf tells what a list of items says.
export const listOf = (items) => ({ status: "", items: items.map(told) });

// The built-in tools that clients run, and where their items have the arguments.
const builtIns = {
  shell_call: ({ action }) => action,
  local_shell_call: ({ action }) => action,
  apply_patch_call: ({ operation }) => operation,
  computer_call: ({ action, actions }) => (actions ? { actions } : { action }),
  tool_search_call: ({ arguments: input }) => input,
};

export function told(item) {
  const { type } = item;
  switch (type) {
    case "message":
      return { type, role: item.role, text: textOf(item.content), ...noticeOf(item.id) };
    case "reasoning":
      return { type, text: item.summary.map(({ text }) => text).join("") };
    case "function_call":
      return { type, id: item.call_id, name: nameOf(item), input: JSON.parse(item.arguments) };
    case "custom_tool_call":
      return { type, id: item.call_id, name: nameOf(item), input: { input: item.input } };
    case "mcp_approval_request":
    case "mcp_call":
      return { type, id: item.id, name: item.name, input: JSON.parse(item.arguments) };
    case "web_search_call":
      return { type, id: item.id, name: "web_search", input: item.action };
  }
  if (type in builtIns) {
    return { type, id: item.call_id, name: type.replace(/_call$/, ""), input: builtIns[type](item) };
  }
  if (type.endsWith("_output")) return { type, id: item.call_id, text: String(item.output) };
  return { type, id: item.call_id, name: type, input: item };
}

export const textOf = (content) =>
  typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("");

// noticeOf shows the ids that weir made up.
export const noticeOf = (id) => (id?.startsWith("msg_weir_") ? { notice: id } : {});

const nameOf = ({ namespace, name }) => (namespace ? `${namespace}.${name}` : name);

// answers runs the calls of an output, which here means to note them, and returns the items that follow it.
export function answers(output, result) {
  const items = output.map((item) => answer(item, result)).filter((item) => item !== null);
  return items.length > 0 ? items : [{ role: "user", content: "Go on." }];
}

const pixel = "data:image/png;base64,iVBORw0KGgo=";

function answer(item, result) {
  const { call_id, type } = item;
  const run = () => {
    const { name, input } = told(item);
    result.executed.push({ name, input });
    return "done";
  };
  switch (type) {
    case "function_call":
    case "custom_tool_call":
    case "robot_call":
      return { type: `${type}_output`, call_id, output: run() };
    case "shell_call":
      return {
        type: "shell_call_output",
        call_id,
        output: [{ stdout: run(), stderr: "", outcome: { type: "exit", exit_code: 0 } }],
      };
    case "local_shell_call":
      return { type: "local_shell_call_output", id: call_id, output: JSON.stringify({ stdout: run() }) };
    case "apply_patch_call":
      return { type: "apply_patch_call_output", call_id, status: "completed", output: run() };
    case "computer_call":
      run();
      return { type: "computer_call_output", call_id, output: { type: "computer_screenshot", image_url: pixel } };
    case "tool_search_call":
      run();
      return { type: "tool_search_output", call_id, execution: "client", status: "completed", tools: [] };
    case "mcp_approval_request":
      run();
      return { type: "mcp_approval_response", approval_request_id: item.id, approve: true };
    default:
      return null;
  }
}

// tell tells of progress: the first text, and the first call that is done.
export function tell(progress, event) {
  if (event.type === "response.output_text.delta") progress("text");
  if (event.type === "response.output_item.done" && event.item.type.endsWith("_call")) progress("call");
}
