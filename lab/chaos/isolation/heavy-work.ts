// Heavy calls of one account: many at once, and many whose client leaves. What a node did for them must have ended when
// their clients have gone: its main thread is idle, and it holds no turn, slot or memory for them.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints } from '../../../service/src/api/endpoints/index.ts'
import { ATTACKER_ADDRESS } from '../../../service/test/faults/isolation/loopback-clients.ts'
import { createDice } from '../../../service/test/support/generator/dice.ts'
import { type Answer, openConnection } from '../../../service/test/support/load/connection.ts'
import { readMainThreadSeconds } from '../../../service/test/support/load/cpu.ts'
import { countFacets, matchVersions, type PrepareAttack, prioritizeMany, scanDocuments } from './attack-calls.ts'
import type { Subjects } from './subjects.ts'

/** Heavy calls by the name of their endpoint. */
export const HEAVY_CALLS = {
  match: matchVersions('largest'),
  'scan-sbom': scanDocuments,
  'facet-cves': countFacets,
  prioritize: prioritizeMany,
} as const satisfies Record<string, PrepareAttack>

export type HeavyCall = keyof typeof HEAVY_CALLS

export const CALLS_AT_ONCE = 16
const ABANDON_AFTER_MS = 100
const WINDOW_MS = 250
/** Share of a processor below which the main thread is idle. An idle node polls the change log and keeps its ledger. */
const IDLE_SHARE = 0.2

/** Returns the price of a heavy call in half credits. */
export function readPriceHalf(name: HeavyCall): number {
  const endpoint = endpoints.find((each) => each.name === name)
  if (!endpoint) throw new Error(`There is no endpoint ${name}.`)
  return endpoint.credits * 2
}

export interface Target {
  readonly port: number
  readonly key: string
  readonly subjects: Subjects
}

function buildRequests(name: HeavyCall, { key, subjects }: Target, count: number): readonly string[] {
  const build = HEAVY_CALLS[name](subjects)
  return Array.from({ length: count }, (_, index) => build({ key, dice: createDice(1, 0, index) }))
}

/** Sends calls at the same time and waits for all answers. */
export async function sendAtOnce(name: HeavyCall, target: Target, count = CALLS_AT_ONCE): Promise<readonly Answer[]> {
  return Promise.all(buildRequests(name, target, count).map((request) => sendOne(target.port, request)))
}

/** Sends one call over a connection of its own. */
export async function sendOne(port: number, request: string): Promise<Answer> {
  const connection = await openConnection(port, ATTACKER_ADDRESS)
  const answer = await connection.exchange(request)
  connection.close()
  return answer
}

/** Sends calls at the same time and closes their connections after 100 ms. */
export async function abandonAtOnce(name: HeavyCall, target: Target, count = CALLS_AT_ONCE): Promise<void> {
  await Promise.all(buildRequests(name, target, count).map((request) => abandon(target.port, request)))
}

async function abandon(port: number, request: string): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: ATTACKER_ADDRESS })
  socket.on('error', () => {})
  socket.write(request)
  await sleep(ABANDON_AFTER_MS)
  socket.destroy()
}

/** Waits until the main thread of a process is idle. Returns how long that took, and the processor time until then. */
export async function waitUntilIdle(pid: number): Promise<{ readonly ms: number; readonly cpuSeconds: number }> {
  const [startedAt, startedSeconds] = [performance.now(), readMainThreadSeconds(pid)]
  for (;;) {
    const [at, seconds] = [performance.now(), readMainThreadSeconds(pid)]
    await sleep(WINDOW_MS)
    const share = (readMainThreadSeconds(pid) - seconds) / ((performance.now() - at) / 1000)
    if (share < IDLE_SHARE) return { ms: at - startedAt, cpuSeconds: seconds - startedSeconds }
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Gauges of what a node holds for calls. They are 0 when it works for nobody. */
const HELD = [
  'vis_unsent_bytes',
  'vis_unsent_bytes_waiting_calls',
  'vis_documents_waiting',
  'vis_documents_bytes',
  'vis_refunds_pending',
  'vis_database_connections{pool="reads",state="waiting"}',
  'vis_database_connections{pool="accounts",state="waiting"}',
]

/** Returns what a node holds for calls: every gauge that is not 0, and the connections that are in use. */
export async function listHeld(opsPort: number): Promise<readonly string[]> {
  const lines = (await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()).split('\n')
  const read = (series: string) => {
    const line = lines.find((each) => each.startsWith(`${series} `))
    if (line === undefined) throw new Error(`The node has no metric ${series}.`)
    return Number(line.slice(series.length + 1))
  }
  const readState = (state: string) => read(`vis_database_connections{pool="reads",state="${state}"}`)
  const inUse = readState('total') - readState('idle')
  const held = HELD.filter((series) => read(series) !== 0).map((series) => `${series} ${read(series)}`)
  return inUse === 0 ? held : [...held, `${inUse} connections of the catalog in use`]
}

/** Whether an answer is a refusal of more than the share of an account: 503 with Retry-After. */
const isShareRefusal = ({ status, retryAfter }: Answer): boolean => status === 503 && retryAfter !== undefined

/** Returns the answers that a heavy call may not get, with their bodies. */
export function listWrongAnswers(answers: readonly Answer[]): readonly Answer[] {
  return answers.filter((answer) => answer.status !== 200 && !isShareRefusal(answer))
}
