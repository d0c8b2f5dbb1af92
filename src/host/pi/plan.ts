// plan for pi: shows the agent its plan.md, and asks it to continue when it stops too early. It only passes on the answers of
// `plan hook pi`: {"context"} for the next request or summary, {"push"} to continue with, {"notice"} for the person.
import { spawn } from "node:child_process";

const PLAN = "plan";
const LIMIT_MS = 5000;
const STOP_LIMIT_MS = 300000;      // a loop's judge may be asked
const LOADED = "PLAN_PI_PROCESS";

function ask(event: any): Promise<any> {
  const timeout = event.hook_event_name === "agent_before_settle" ? STOP_LIMIT_MS : LIMIT_MS;
  return new Promise((answered) => {
    try {
      const child = spawn(PLAN, ["hook", "pi"], { stdio: ["pipe", "pipe", "ignore"], timeout, killSignal: "SIGKILL" });
      let said = "";
      child.on("error", () => answered({}));
      child.stdin.on("error", () => {});
      child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
      child.on("close", () => {
        try { answered(JSON.parse(said) ?? {}); } catch { answered({}); }
      });
      child.stdin.end(JSON.stringify(event));
    } catch { answered({}); }
  });
}

// Of what a tool said, only the mark of a review is passed on.
const asking = (said: any) => {
  const text = JSON.stringify(said) ?? "";
  return text.includes("plan_review_pending") ? text : undefined;
};

export default function (pi: any) {
  if (process.env.PLAN_JUDGE_SESSION || process.env.PLAN_DISABLED === "1") return;
  // Installed twice, or the pi of a subagent that the pi with a plan started.
  if ([process.pid, process.ppid].map(String).includes(process.env[LOADED] ?? "")) return;
  process.env[LOADED] = String(process.pid);
  let reply = "";

  const tell = async (name: string, ctx: any, more: object = {}) => {
    const model = ctx.model && `${ctx.model.provider}/${ctx.model.id}`;
    const event = { hook_event_name: name, session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, model, ...more };
    const answer = await ask(event);
    if (answer.notice && ctx.hasUI) ctx.ui.notify(answer.notice, "info");
    return answer;
  };

  pi.on("session_start", async (event: any, ctx: any) => { await tell("session_start", ctx, { source: event.reason }); });
  // An addition to what the client has summed up: a summary of ours would take the place of its own.
  pi.on("session_before_compact", async (event: any, ctx: any) => {
    const { context } = await tell("session_before_compact", ctx);
    // In the middle of a turn there may be its own beginning alone to sum up.
    const lists = [event.preparation?.messagesToSummarize, event.preparation?.turnPrefixMessages];
    if (context) lists.find((list) => list?.length)?.push({ role: "user", content: [{ type: "text", text: context }], timestamp: Date.now() });
  });
  pi.on("session_compact", async (_: any, ctx: any) => { await tell("session_compact", ctx); });
  pi.on("session_shutdown", async (_: any, ctx: any) => {
    delete process.env[LOADED];
    await tell("session_shutdown", ctx);
  });
  pi.on("input", async (event: any, ctx: any) => {
    if (event.source !== "extension") await tell("input", ctx, { prompt: event.text });
  });
  // Last, for this request alone: nothing before it changes, nothing piles up.
  pi.on("context", async (event: any, ctx: any) => {
    const { context } = await tell("context", ctx);
    if (context) return { messages: [...event.messages, { role: "user", content: [{ type: "text", text: context }], timestamp: Date.now() }] };
  });
  pi.on("turn_end", async (event: any, ctx: any) => {
    const parts: any[] = Array.isArray(event.message?.content) ? event.message.content : [];
    reply = parts.filter((part) => part.type === "text").map((part) => part.text).join("");
    const calls = parts.filter((part) => part.type === "toolCall");
    if (calls.length) {
      const results: any[] = event.toolResults ?? [];
      const said = (call: any) => asking(results.find((result) => result.toolCallId === call.id)?.content);
      const tool_calls = calls.map((call) => ({ tool_name: call.name, tool_input: call.arguments, tool_response: said(call) }));
      await tell("turn_end", ctx, { tool_calls });
    } else if (!("continue" in event) && event.message?.stopReason === "stop") {
      // Older than 0.87, without `agent_before_settle`.
      const { push } = await tell("agent_before_settle", ctx, { last_assistant_message: reply });
      if (push) pi.sendMessage({ customType: "plan", content: push, display: true }, { deliverAs: "followUp", triggerTurn: true });
    }
  });
  pi.on("agent_before_settle", async (event: any, ctx: any) => {
    if (event.outcome !== "completed" || event.continue) return;
    const { push } = await tell("agent_before_settle", ctx, { last_assistant_message: reply });
    if (push) return { entries: [...event.entries, { type: "custom_message", customType: "plan", content: push, display: true }], continue: true };
  });
}
