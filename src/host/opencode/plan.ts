// plan for opencode: shows the agent its plan.md, and asks it to continue when it stops too early. It only passes on the
// answers of `plan hook opencode`: {"context"} for the next request or summary, {"push"} to continue with, {"notice"} for the person.
import { spawn } from "node:child_process"

const PLAN = "plan"
const LIMIT_MS = 5000
const STOP_LIMIT_MS = 300000      // a loop's judge may be asked

function ask(event: any, cwd: string): Promise<any> {
  const timeout = event.hook_event_name === "session.idle" ? STOP_LIMIT_MS : LIMIT_MS
  return new Promise((answered) => {
    try {
      const child = spawn(PLAN, ["hook", "opencode"], { cwd, stdio: ["pipe", "pipe", "ignore"], timeout, killSignal: "SIGKILL" })
      let said = ""
      child.on("error", () => answered({}))
      child.stdin.on("error", () => {})
      child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text))
      child.on("close", () => {
        try { answered(JSON.parse(said) ?? {}) } catch { answered({}) }
      })
      child.stdin.end(JSON.stringify(event))
    } catch { answered({}) }
  })
}

// What happened is told once, though the plugin may stand in the project and in the person's own folder.
const told: Set<string> = ((globalThis as any)[Symbol.for("plan.told")] ??= new Set())
const isNew = (key: string) => {
  if (told.size > 1000) told.clear()
  return !told.has(key) && !!told.add(key)
}

// Of what a tool said, only the mark of a review is passed on.
const asking = (said: any) => {
  const text = JSON.stringify(said) ?? ""
  return text.includes("plan_review_pending") ? text : undefined
}

export const Plan = async ({ client, directory }: any) => {
  if (process.env.PLAN_JUDGE_SESSION || process.env.PLAN_DISABLED === "1") return {}
  const roots = new Map<string, boolean>()      // false: a subagent's session
  const replies = new Map<string, string>()     // the last text of each session's agent
  const broken = new Set<string>()              // ended by an error
  const summaries = new Set<string>()           // the next request is for a summary

  const isRoot = async (id: string) => {
    if (!roots.has(id)) {
      const { data } = await client.session.get({ path: { id } }).catch(() => ({}))
      if (!data) return false      // may be a subagent's; the next event asks again
      roots.set(id, !data.parentID)
    }
    return roots.get(id)
  }
  const tell = async (name: string, id: string, more: object = {}) => {
    if (!id || !(await isRoot(id))) return {}
    const answer = await ask({ hook_event_name: name, session_id: id, cwd: directory, ...more }, directory)
    if (answer.notice) client.tui.showToast({ body: { message: answer.notice, variant: "info" } }).catch(() => {})
    return answer
  }
  const model = (info: any) => info?.model && `${info.model.providerID}/${info.model.modelID}`

  return {
    "chat.message": async (_: any, { message, parts }: any) => {
      const prompt = parts.filter((part: any) => part.type === "text" && !part.synthetic).map((part: any) => part.text).join("\n")
      broken.delete(message.sessionID)
      replies.delete(message.sessionID)      // a turn without text has said nothing
      if (prompt && isNew(message.id)) {
        await tell("chat.message", message.sessionID, { prompt, model: model(message) })
      }
    },
    // Last, for this request alone: nothing before it changes, nothing piles up.
    "experimental.chat.messages.transform": async (_: any, { messages }: any) => {
      const last = messages.findLast((message: any) => message.info.role === "user")
      if (!last || summaries.delete(last.info.sessionID) || last.parts.some((part: any) => part.type === "compaction")) return
      if (messages.some((message: any) => message.info.id?.endsWith("_plan"))) return
      const { sessionID } = last.info
      const { context } = await tell("experimental.chat.messages.transform", sessionID, { model: model(last.info) })
      const id = last.info.id + "_plan"
      if (context) messages.push({ info: { ...last.info, id }, parts: [{ id: "prt_plan", sessionID, messageID: id, type: "text", text: context, synthetic: true }] })
    },
    // An addition to the client's own request for a summary.
    "experimental.session.compacting": async ({ sessionID }: any, output: any) => {
      summaries.add(sessionID)
      const { context } = await tell("experimental.session.compacting", sessionID)
      if (context) output.context.push(context)
    },
    "experimental.text.complete": async ({ sessionID }: any, { text }: any) => { replies.set(sessionID, text) },
    "tool.execute.after": async ({ tool, sessionID, callID, args }: any, output: any) => {
      if (isNew(callID)) await tell("tool.execute.after", sessionID, { tool_name: tool, tool_input: args, tool_response: asking(output) })
    },
    // So that `plan`, called by the agent, knows whose session it is.
    "shell.env": async ({ sessionID }: any, { env }: any) => { if (sessionID) env.OPENCODE_SESSION_ID = sessionID },
    event: async ({ event }: any) => {
      const id = event.properties?.sessionID
      if (event.type === "session.error" && id) {
        broken.add(id)
        if (event.properties.error?.name === "MessageAbortedError" && isNew(event.id)) await tell("session.error", id)
      } else if (event.type === "session.compacted" && isNew(event.id)) {
        summaries.delete(id)
        await tell("session.compacted", id)
      } else if (event.type === "session.idle" && !broken.has(id) && isNew(event.id)) {
        const { push } = await tell("session.idle", id, { last_assistant_message: replies.get(id) ?? "" })
        if (push) await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text: push }] } }).catch(() => {})
      }
    },
  }
}
