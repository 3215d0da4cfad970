// The victim of an attack: sends mixed calls at a constant rate, whether or not earlier calls have been answered.
import { Agent, request as sendRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildVictimCall, type Call, type VictimIds } from './calls.ts'

export interface VictimTask {
  readonly role: 'victim'
  readonly port: number
  readonly key: string
  readonly ids: VictimIds
  readonly perSecond: number
  readonly ms: number
  /** Number of the first call, so that each phase of a measurement reads other cold ids. */
  readonly firstCall: number
}

export interface VictimAnswer {
  readonly kind: string
  /** HTTP status, or 0 if the connection broke. */
  readonly status: number
  /** Time from the moment at which the call was due to the last byte of the answer. */
  readonly ms: number
  /** Body of an answer that is not 2xx. */
  readonly problem?: string
}

export async function runVictim({ port, key, ids, perSecond, ms, firstCall }: VictimTask): Promise<VictimAnswer[]> {
  const agent = new Agent({ keepAlive: true })
  const calls: Promise<VictimAnswer>[] = []
  const [startedAt, count] = [performance.now(), Math.round((ms / 1000) * perSecond)]
  for (let sent = 0; sent < count; sent += 1) {
    const dueAt = startedAt + (sent / perSecond) * 1000
    const wait = dueAt - performance.now()
    if (wait > 0) await sleep(wait)
    calls.push(measure({ agent, port, key, call: buildVictimCall(ids, firstCall + sent) }, dueAt))
  }
  const answers = await Promise.all(calls)
  agent.destroy()
  return answers
}

interface Sending {
  readonly agent: Agent
  readonly port: number
  readonly key: string
  readonly call: Call
}

async function measure(sending: Sending, dueAt: number): Promise<VictimAnswer> {
  const { status, body } = await send(sending)
  const ms = performance.now() - dueAt
  return { kind: sending.call.kind, status, ms, ...(status >= 200 && status < 300 ? {} : { problem: body }) }
}

/** Sends a call. A call is repeated if the server closed an idle connection at the moment when the call was sent. */
function send({ agent, port, key, call }: Sending): Promise<{ status: number; body: string }> {
  return new Promise((resolve) => {
    const type = call.body === undefined ? {} : { 'Content-Type': 'application/json' }
    const options = { agent, port, host: '127.0.0.1', method: call.method, path: call.path }
    const outgoing = sendRequest({ ...options, headers: { 'X-API-Key': key, ...type } }, (response) => {
      const [chunks, status]: [Buffer[], number] = [[], response.statusCode ?? 0]
      response.on('data', (chunk: Buffer) => status >= 300 && chunks.push(chunk))
      response.on('error', (error) => resolve({ status: 0, body: error.message }))
      response.on('end', () => resolve({ status, body: Buffer.concat(chunks).toString() }))
    })
    outgoing.on('error', (error) => {
      if (outgoing.reusedSocket) resolve(send({ agent, port, key, call }))
      else resolve({ status: 0, body: error.message })
    })
    outgoing.end(call.body)
  })
}
