import { setImmediate as yieldToEvents } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { openPool } from '../../../src/database/postgres.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { freshDatasets, publishExamples } from '../../support/catalog/example-catalog.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { createDice, type Dice } from '../../support/generator/dice.ts'
import { startTestService } from '../../support/service.ts'
import { chooseBySize } from '../../support/size.ts'
import { type HostileCall, LIST_PATHS } from './calls.ts'
import { type Answer, createAnswerCheck, findWrongCharges } from './checks.ts'
import { type HostileConnection, openConnection } from './connection.ts'
import { createHostileCall, MUTATIONS } from './mutations.ts'

const CALLS = chooseBySize({ short: 1500, long: 200_000 })
const CONNECTIONS = 6
/**
 * A key is no member. Exports are sent in chunks of unknown length, which this test's connections do not read. The accounts
 * of this test have no watches, and so no feeds.
 */
const NOT_CALLED = [
  '/api/v1/members/me',
  '/api/v1/cves/export',
  '/api/v1/audit/export',
  '/api/v1/watches/{watch-id}',
  '/feeds/{token}.atom',
  '/feeds/{token}.json',
]
const reads: ReadonlySet<string> = new Set(LIST_PATHS)
/** The same seed sends the same calls. Set CHAOS_SEED to repeat a run. */
const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000)

const { api, database, given, logLines } = await startTestService()
const keys = Array.from({ length: CONNECTIONS }, createTestKey)
await given(
  ...keys.map((key) =>
    account('pro')
      .withKey(key, { scopes: ['read', 'manage', 'watch', 'triage'] })
      .withQuota(100_000_000),
  ),
  ...freshDatasets,
)
await publishExamples(database.url)
const limits = { poolSize: 1, statementTimeoutMs: 60_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
const ledger = openPool(database.url, 'hostile-calls', limits, () => {})
cleanUpAfterTests(() => ledger.close())
const checkAnswer = createAnswerCheck(endpoints)

const [answers, violations]: [Answer[], string[]] = [[], []]
let [sent, nextBatch, opened] = [0, 0, 0]

/** Reads log lines as they arrive, to find the endpoint that answered a request. */
const endpointNames = new Map<string, string>()
let readLines = 0
async function findEndpointName(correlationId: string): Promise<string> {
  for (let turn = 0; turn < 100; turn++) {
    for (; readLines < logLines.length; readLines++) {
      const { correlationId: id, endpoint, msg } = JSON.parse(logLines[readLines] ?? '{}')
      if (msg === 'request') endpointNames.set(id, endpoint)
    }
    const found = endpointNames.get(correlationId)
    if (found !== undefined) return found
    await yieldToEvents()
  }
  throw new Error('The request has no log line.')
}

/** Plans up to four calls for one write. Only the last call of a write may close the connection. */
function planCalls(dice: Dice, key: string): HostileCall[] {
  const calls: HostileCall[] = []
  const count = dice.below(3) > 0 ? 1 : 2 + dice.below(3)
  while (calls.length < count) {
    const call = createHostileCall(dice, key)
    calls.push(call)
    if (call.mayClose) break
  }
  return calls
}

/** One time in six, splits the bytes into up to four pieces. */
function cut(dice: Dice, bytes: string): string[] {
  if (dice.below(6) > 0) return [bytes]
  const cuts = Array.from({ length: 1 + dice.below(3) }, () => dice.below(bytes.length)).sort((a, b) => a - b)
  return [0, ...cuts].map((start, index) => bytes.slice(start, cuts[index])).filter((piece) => piece !== '')
}

async function sendBatch(connection: HostileConnection, key: string): Promise<void> {
  const number = nextBatch++
  const dice = createDice(seed, number)
  const calls = planCalls(dice, key)
  sent += calls.length
  const report = (text: string, call = calls[0]) =>
    violations.push(`write ${number}, ${calls.length} calls, ${call?.kind}: ${text}`)
  try {
    const responses = await connection.send(calls, cut(dice, calls.map(({ bytes }) => bytes).join('')))
    if (responses.length !== calls.length) report(`${responses.length} responses`, calls.at(-1))
    for (const [index, response] of responses.entries()) {
      const call = calls[index]
      const id = response.headers['x-correlation-id'] ?? 'none'
      try {
        const endpoint = await findEndpointName(id)
        answers.push({
          kind: call?.kind ?? '',
          requestId: id.replace(/^req_/, ''),
          status: response.status,
          endpoint,
          isMissing: response.headers['x-blob-status'] === 'missing',
        })
        checkAnswer(response, call?.method ?? '', endpoint)
      } catch (error) {
        report(`${response.status}: ${String(error)}\n${JSON.stringify(call?.bytes.slice(0, 400))}`, call)
      }
    }
    if (responses.some(({ headers }) => headers['connection'] === 'close')) connection.close()
    // The service may close the connection at any time after such a call, so no call follows on the connection.
    else if (calls.at(-1)?.mayClose) await connection.finish()
  } catch (error) {
    report(String(error))
    connection.close()
  }
}

async function sendCalls(key: string): Promise<void> {
  let connection = openConnection(api.port)
  opened += 1
  while (sent < CALLS) {
    await sendBatch(connection, key)
    if (!connection.isClosed) continue
    connection = openConnection(api.port)
    opened += 1
  }
  connection.close()
}

function summarize(): string {
  const statuses = Map.groupBy(answers, ({ status }) => status)
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, list]) => `${status}: ${list.length}`)
  return (
    `hostile calls, seed ${seed}: ${sent} calls of ${Object.keys(MUTATIONS).length - 1} kinds in ${nextBatch} writes ` +
    `on ${opened} connections, ${answers.length} answers (${counts.join(', ')}), ${violations.length} violations`
  )
}

describe('API node under hostile calls', () => {
  it('answers each call with exactly one valid envelope, never 5xx, and repeats no key', async () => {
    const startedAt = performance.now()
    await Promise.all(keys.map(({ key }) => sendCalls(key)))
    console.log(`${summarize()}, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    expect(violations.slice(0, 10)).toEqual([])
    expect(answers.length).toBe(sent)
    expect(new Set(answers.map(({ requestId }) => requestId)).size).toBe(sent)
  })

  it('receives every type of mutation and serves every endpoint that changes no account', () => {
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(Object.keys(MUTATIONS)))
    const served = new Set(answers.filter(({ status }) => status === 200).map(({ endpoint }) => endpoint))
    const readers = endpoints.filter(({ method, path }) =>
      method === 'GET' ? !NOT_CALLED.includes(path) : reads.has(path),
    )
    expect(served).toEqual(new Set(readers.map(({ name }) => name)))
  })

  it('charges the price for 2xx responses and nothing for others', async () => {
    await expect
      .poll(async () => (await findWrongCharges(ledger.db, answers, endpoints)).slice(0, 10), { timeout: 100_000 })
      .toEqual([])
  })

  it('writes one log line per call, without any key', () => {
    expect(logLines.filter((line) => line.includes('"msg":"request"')).length).toBe(sent)
    const secrets = keys.map(({ key }) => key.slice(9, 25).toLowerCase())
    const leaks = logLines.filter((line) => {
      const text = line.replaceAll(/%(?:25)*([0-9a-f]{2})/gi, (_escape, hex: string) => decodeHex(hex)).toLowerCase()
      return secrets.some((secret) => text.includes(secret))
    })
    expect(leaks.slice(0, 5)).toEqual([])
  })
})

const decodeHex = (hex: string) => String.fromCharCode(Number.parseInt(hex, 16))
