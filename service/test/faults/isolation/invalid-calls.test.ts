// Invalid calls get 400 and 401 no matter how many there are, and cost the node no more than a cheap call: the key
// comes from the cache, then the parameters are checked, before a body is read or a turn is taken. They do not keep
// valid calls out.
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { createTestKey } from '../../support/builders.ts'
import { generateCatalog } from '../../support/catalog/generated-catalog.ts'
import { buildGetRequest, buildPostRequest, type Connection, openConnection } from '../../support/load/connection.ts'
import { readCpuSeconds } from '../../support/load/cpu.ts'
import { median } from '../../support/load/percentile.ts'
import { NODE_ARGUMENTS } from '../../support/processes/deployed-node.ts'
import { startProcess } from '../../support/processes/server-process.ts'
import { chooseBySize } from '../../support/size.ts'
import { createNodesSetup, PATIENT_SETTINGS } from '../nodes/setup.ts'
import { ATTACKER_ADDRESS, toVictimAddress } from './loopback-clients.ts'

/**
 * MAX_RATIO: how much more processor time an invalid call may take than a get-cve from the record cache. In a short
 * run, V8 is still compiling the code, so only a much more expensive call is noticed.
 */
const { CALLS, CALLS_PER_TURN, TURNS, MAX_RATIO } = chooseBySize({
  short: { CALLS: 2100, CALLS_PER_TURN: 300, TURNS: 3, MAX_RATIO: 3 },
  long: { CALLS: 72_100, CALLS_PER_TURN: 2000, TURNS: 9, MAX_RATIO: 1.5 },
})
/** Number of connections of the attackers, and of each side of the comparison. */
const CONNECTIONS = 14
const VALID_CALLS = 20

const setup = await createNodesSetup()
await fillCatalog()
// An overloaded node may refuse calls with 503, and a busy machine could overload it.
const environment = { ...setup.environment, ...PATIENT_SETTINGS }
const node = await startProcess({ environment, execArgs: NODE_ARGUMENTS })
const attackerKey = setup.key
const [neighbourKey = ''] = await setup.createKeys(1)

async function fillCatalog(): Promise<void> {
  const limits = { poolSize: 1, statementTimeoutMs: 60_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
  const pool = openPool(setup.databaseUrl, 'invalid-calls', limits, () => {})
  await generateCatalog(pool.db, 200)
  await pool.close()
}

const GET_CVE = '/api/v1/cve/CVE-2001-1001'
const wrongKey = () => `vis_live_${randomBytes(40).toString('hex').slice(0, 49)}`

/** Invalid calls by type of mistake, with the status that each must get. */
const INVALID: Readonly<Record<string, { readonly status: number; readonly build: () => string }>> = {
  'a bad parameter': { status: 400, build: () => buildGetRequest('/api/v1/cves?severity=worst', attackerKey) },
  'a bad path': { status: 400, build: () => buildGetRequest('/api/v1/cve/CVE-1', attackerKey) },
  'an unknown parameter': { status: 400, build: () => buildGetRequest(`${GET_CVE}?colour=red`, attackerKey) },
  'a malformed body': { status: 400, build: () => buildPostRequest('/api/v1/cve/batch', attackerKey, '{"cve_ids":') },
  'an empty list': { status: 400, build: () => buildPostRequest('/api/v1/match', attackerKey, '{"components":[]}') },
  'a text that is no key': { status: 401, build: () => buildGetRequest(GET_CVE, wrongKey()) },
  'a key that nobody issued': { status: 401, build: () => buildGetRequest(GET_CVE, createTestKey().key) },
}

interface Counted {
  readonly statuses: Readonly<Record<string, number>>
}

/** Sends calls over several connections from one address. Each connection waits for an answer before its next call. */
async function sendCalls(address: string, count: number, build: (index: number) => string): Promise<Counted> {
  const connections = await openConnections(address)
  const statuses: Record<string, number> = {}
  let next = 0
  const run = async (connection: Connection) => {
    while (next < count) {
      next += 1
      const status = await connection.send(build(next))
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(connections.map(run))
  for (const connection of connections) connection.close()
  return { statuses }
}

const openConnections = (address: string) =>
  Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(node.port, address)))

describe(`${CALLS} invalid calls`, () => {
  it('get 400 or 401, while valid calls from the same network and from others succeed', {
    timeout: 600_000,
  }, async () => {
    const kinds = Object.values(INVALID)
    const attacks = kinds.map(({ build }) => sendCalls(ATTACKER_ADDRESS, CALLS / kinds.length, build))
    const sendValid = (address: string) => sendCalls(address, VALID_CALLS, () => buildGetRequest(GET_CVE, neighbourKey))
    const valid = [await sendValid(ATTACKER_ADDRESS), await sendValid(toVictimAddress(1))]
    const invalid = await Promise.all(attacks)

    expect(valid.map(({ statuses }) => statuses)).toEqual([{ 200: VALID_CALLS }, { 200: VALID_CALLS }])
    const byKind = Object.keys(INVALID).map((name, index) => [name, invalid[index]?.statuses])
    const expected = Object.entries(INVALID).map(([name, { status }]) => [name, { [status]: CALLS / kinds.length }])
    expect(Object.fromEntries(byKind)).toEqual(Object.fromEntries(expected))
  })
})

/** Returns the node's processor time per call, in microseconds. */
async function measureCost(build: () => string): Promise<number> {
  const before = readCpuSeconds(node.pid)
  await sendCalls(ATTACKER_ADDRESS, CALLS_PER_TURN, build)
  return ((readCpuSeconds(node.pid) - before) / CALLS_PER_TURN) * 1e6
}

describe('An invalid call', () => {
  const bad = Object.entries(INVALID).filter(([, { status }]) => status === 400)

  it(`takes at most ${MAX_RATIO} times the processor time of a get-cve from the cache`, {
    timeout: 600_000,
  }, async () => {
    const sides = [
      ['get-cve', () => buildGetRequest(GET_CVE, attackerKey)] as const,
      ...bad.map(([name, { build }]) => [name, build] as const),
    ]
    const costs = new Map<string, number[]>(sides.map(([name]) => [name, []]))
    // The first turn compiles the code and fills the caches.
    for (let turn = 0; turn <= TURNS; turn += 1)
      for (const [name, build] of sides) {
        const cost = await measureCost(build)
        if (turn > 0) costs.get(name)?.push(cost)
      }
    const cheap = median(costs.get('get-cve') ?? [])
    const ratios = bad.map(([name]) => [name, median(costs.get(name) ?? []) / cheap] as const)
    process.stdout.write(
      `get-cve ${cheap.toFixed(0)} µs of processor time; ${ratios.map(([name, ratio]) => `${name} × ${ratio.toFixed(2)}`).join(', ')}\n`,
    )
    expect(ratios.filter(([, ratio]) => ratio > MAX_RATIO)).toEqual([])
  })
})
