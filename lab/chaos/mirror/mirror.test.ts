// Follows publications with `visctl mirror` while publisher, node, replica and mirror are killed, and compares every
// record of the copy with the record of the service. CHAOS_SEED=622695 repeats the changes and faults of an earlier run.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { deleteExpiredChanges } from '../../../service/src/catalog/changes/retention.ts'
import { makeSnapshot } from '../../../service/src/catalog/snapshot/make.ts'
import { createCatalogHarness } from '../../../service/test/catalog/catalog-setup.ts'
import { startFeeds } from '../../../service/test/faults/feeds/process.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { createDice } from '../../../service/test/support/generator/dice.ts'
import { migrateAll } from '../../../service/test/support/migrate-all.ts'
import { createNthFaultProxy } from '../../../service/test/support/network/nth-fault-proxy.ts'
import {
  type PrivatePostgres,
  postgresMissingReason,
  startPrivatePostgres,
  startPrivateReplica,
} from '../../../service/test/support/processes/private-postgres.ts'
import { type ServiceProcess, startProcess } from '../../../service/test/support/processes/server-process.ts'
import { readRows } from '../../../service/test/support/run-statements.ts'
import { EXTENDED_TIMEOUTS, startTestService, type TestService } from '../../../service/test/support/service.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'
import { freePort } from '../../../tools/free-port.ts'
import { createChanges } from './changes.ts'
import { createMirror } from './mirror-process.ts'

const PUBLICATIONS = chooseBySize({ short: 10, long: 200 })
const DAYS_OFFLINE = chooseBySize({ short: 3, long: 14 })
const PUBLICATIONS_PER_DAY = chooseBySize({ short: 1, long: 10 })
const PUBLICATIONS_PER_SNAPSHOT = chooseBySize({ short: 5, long: 40 })
const TEST_TIMEOUT_MS = chooseBySize({ short: 400_000, long: 7_200_000 })
const POLL = { timeout: chooseBySize({ short: 100_000, long: 300_000 }), interval: 100 }
const FAULT_ORDER = [
  'mirror killed',
  'publisher killed',
  'node killed',
  'replica killed',
  'mirror killed',
  'mirror killed',
]
/** Database calls of a publication, at one of which the publisher is killed. */
const PUBLISHER_CALLS = 60
const MAX_DELAY_MS = 400
const ADD_ONS = 'acsc,enrichment,attack,configurations,sources,exploits,priority,fixes,remediations,aliases'

const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000))
const dice = createDice(seed)

/** An API node that reads the replica, on a port that stays the same after a restart. */
async function createNode(primary: PrivatePostgres, replica: PrivatePostgres) {
  const port = await freePort()
  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: primary.url,
    DATABASE_READ_URL: replica.url,
    PORT: String(port),
    DRAIN_DELAY_MS: '0',
    CURSOR_SECRET: 'mirror-test-secret-of-at-least-32-characters',
    ...EXTENDED_TIMEOUTS,
  }
  let node: ServiceProcess = await startProcess({ environment })
  const restart = async () => {
    await node.kill()
    node = await startProcess({ environment })
  }
  return { url: `http://127.0.0.1:${port}`, restart }
}

describe.skipIf(postgresMissingReason !== undefined)(`visctl mirror, seed ${seed}`, async () => {
  const primary = await startPrivatePostgres()
  await migrateAll(primary.url)
  const [replica, catalog] = [await startPrivateReplica(primary, 0), await createCatalogHarness(primary.url)]
  const service = await startTestService({ environment: { DATABASE_URL: primary.url } })
  const [node, key] = [await createNode(primary, replica), createTestKey()]
  await service.given(account('enterprise').withKey(key))
  const [mirror, changes] = [createMirror(node.url, key.key), createChanges(catalog, dice)]
  const faults: Record<string, number> = {}

  /** Starts a publisher in a process of its own and kills it at a database call; another one completes its work. */
  async function killPublisher(): Promise<void> {
    const proxy = await createNthFaultProxy(primary.url)
    const publisher = startFeeds(['catalog', 'publish'], { DATABASE_URL: proxy.url })
    proxy.arm({
      call: 1 + dice.below(PUBLISHER_CALLS),
      moment: dice.share() < 0.5 ? 'before' : 'answered',
      trigger: ({ disconnect }) => {
        publisher.signal('SIGKILL')
        disconnect()
      },
    })
    await publisher.ended
    proxy.close()
  }

  const FAULTS: Readonly<Record<string, () => Promise<void>>> = {
    'mirror killed': async () => {
      await sleep(dice.below(MAX_DELAY_MS))
      await mirror.kill()
      mirror.start()
    },
    'node killed': async () => {
      await sleep(dice.below(MAX_DELAY_MS))
      await node.restart()
    },
    'replica killed': async () => {
      await sleep(dice.below(MAX_DELAY_MS))
      await replica.stop('killed')
      await sleep(dice.below(MAX_DELAY_MS))
      await replica.start()
    },
    'publisher killed': killPublisher,
  }

  /** Every second publication has a fault. The mirror is the part under test, so it is killed most often. */
  function chooseFault(number: number): string | undefined {
    return number % 2 === 1 ? FAULT_ORDER[((number - 1) / 2) % FAULT_ORDER.length] : undefined
  }

  async function publishWithFault(number: number): Promise<void> {
    await changes.store()
    const name = chooseFault(number)
    if (name !== undefined) faults[name] = (faults[name] ?? 0) + 1
    const fault = name === undefined ? undefined : FAULTS[name]
    await (name === 'publisher killed' ? fault?.() : Promise.all([fault?.(), catalog.publish()]))
    await catalog.publish()
    if (number % PUBLICATIONS_PER_SNAPSHOT === 0) await snapshot()
  }

  async function snapshot(): Promise<void> {
    catalog.clock.advance({ seconds: 1 })
    const { session, clock, signal } = catalog.context
    expect(await makeSnapshot({ session, clock, signal })).toBeDefined()
  }

  async function waitUntilCurrent(): Promise<void> {
    const [newest] = await readRows(
      primary.url,
      "select seq || ':' || lpad(to_hex(tag), 16, '0') as position from catalog.change order by seq desc limit 1",
    )
    await expect.poll(() => mirror.readPosition(), POLL).toBe(newest?.position)
  }

  it(
    `has every record after ${PUBLICATIONS} publications during which it is killed`,
    async () => {
      mirror.start()
      for (let number = 1; number <= PUBLICATIONS; number += 1) {
        mirror.start()
        await publishWithFault(number)
      }
      mirror.start()
      await waitUntilCurrent()
      expect(await mirror.stop(), mirror.notes).toBe(0)
      const compared = await compare(service, mirror.readRecords(), changes.ids, withoutEpss)
      expect(compared).toMatchObject({ missing: [], extra: [], different: [] })
      console.log(JSON.stringify({ seed, publications: PUBLICATIONS, faults, changes: changes.counts(), ...compared }))
    },
    TEST_TIMEOUT_MS,
  )

  it(
    `catches up after ${DAYS_OFFLINE} days, and has every EPSS score after the next snapshot`,
    async () => {
      for (let day = 0; day < DAYS_OFFLINE; day += 1) {
        catalog.clock.advance({ days: 1 })
        await changes.storeEpss()
        for (let number = 0; number < PUBLICATIONS_PER_DAY; number += 1) {
          await changes.store()
          await catalog.publish()
        }
      }
      expect(await mirror.runOnce(), mirror.notes).toBe(0)
      const before = await compare(service, mirror.readRecords(), changes.ids, withoutEpss)
      expect(before).toMatchObject({ missing: [], extra: [], different: [] })
      await snapshot()
      expect(await mirror.runOnce('--refresh-epss'), mirror.notes).toBe(0)
      const after = await compare(service, mirror.readRecords(), changes.ids)
      expect(after).toMatchObject({ missing: [], extra: [], different: [] })
    },
    TEST_TIMEOUT_MS,
  )

  it('loads a new full copy if retention has deleted the changes after its position', async () => {
    catalog.clock.advance({ days: 500 })
    await changes.store()
    await catalog.publish()
    // Three newer snapshots replace the one that protects the rows after the position of the copy.
    for (let count = 0; count < 3; count += 1) await snapshot()
    await deleteExpiredChanges(catalog.context, [BigInt(Number.MAX_SAFE_INTEGER)])
    expect(await mirror.runOnce(), mirror.notes).toBe(0)
    expect(mirror.notes).toContain('A new full copy is taken')
    const compared = await compare(service, mirror.readRecords(), changes.ids)
    expect(compared).toMatchObject({ missing: [], extra: [], different: [] })
  })
})

type CveRecord = Readonly<Record<string, unknown>>

/** Compares the copy with the records of the service. `prepare` removes what is not compared. */
async function compare(
  { api, given }: TestService,
  copy: ReadonlyMap<string, string>,
  ids: ReadonlySet<string>,
  prepare: (record: CveRecord) => CveRecord = (record) => record,
) {
  const key = createTestKey()
  await given(account('enterprise').withKey(key))
  const served = new Map<string, readonly string[]>()
  for (const id of ids) {
    const { status, json } = await api.get(`/api/v1/cve/${id}?include=${ADD_ONS}`, { key: key.key })
    if (status === 200) served.set(id, hashMembers(prepare(json.data.cve)))
    else expect([id, status]).toEqual([id, 404])
  }
  const copied = new Map([...copy].map(([id, text]) => [id, hashMembers(prepare(JSON.parse(text)))]))
  return {
    records: served.size,
    missing: [...served.keys()].filter((id) => !copied.has(id)),
    extra: [...copied.keys()].filter((id) => !served.has(id)),
    different: [...served].flatMap(([id, members]) => describeDifference(id, members, copied.get(id) ?? members)),
  }
}

/** Returns a hash of each member, in the order of the record. */
const hashMembers = (record: CveRecord) =>
  Object.entries(record).map(
    ([name, value]) => `${name} ${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`,
  )

/**
 * Removes what an EPSS release changes in every record without a change of its own: the score, its day among the sources,
 * and the reasons of the priority, which quote the score and the rule that it meets. The level stays.
 */
function withoutEpss({ epss: _epss, sources, priority, ...others }: CveRecord): CveRecord {
  const { epss: _source, ...otherSources } = Object(sources)
  const { reasons: _reasons, ...otherPriority } = Object(priority)
  return { ...others, sources: otherSources, priority: otherPriority }
}

/** Names the members that differ; `order` if only their order does. */
function describeDifference(id: string, served: readonly string[], copied: readonly string[]): readonly string[] {
  if (served.join() === copied.join()) return []
  const differing = [...new Set([...served, ...copied])].filter(
    (each) => !served.includes(each) || !copied.includes(each),
  )
  const names = new Set(differing.map((each) => each.split(' ')[0]))
  return [`${id}: ${[...names].join(', ') || 'order'}`]
}
