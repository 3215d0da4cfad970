// A publisher, and readers on two nodes that remember records: one reads the primary, one a replica that lags behind.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type CatalogWorld, catalogWorld } from '../../catalog/catalog-setup.ts'
import { nvdSaid } from '../../catalog/source-fixtures.ts'
import { administer } from '../../support/administer.ts'
import { type FaultyLink, faultyLink } from '../../support/network/faulty-proxy.ts'
import { privatePostgres, privateReplica } from '../../support/processes/private-postgres.ts'
import { migrateAll } from '../credits/setup.ts'
import { type Reading, startNode, type WatchedNode } from './stale-cache-node.ts'
import { EPSS_STEP, PARTS, type Sightings, type Versions } from './stale-cache-sightings.ts'

/** What happens to the node that reads the replica: its follower of changes is cut off or hears nothing, or the replica stands still. */
export type Trouble = 'follower cut' | 'follower silenced' | 'replay paused'

export interface StalePlan {
  readonly troubles: readonly Trouble[]
  /** Before each trouble and after the last. */
  readonly calmMs: number
}

export interface StaleOutcome {
  readonly nodes: readonly Reading[]
  /** What each node said of the CVEs when nothing had changed for long enough. */
  readonly last: readonly Readonly<Record<string, Versions>>[]
  readonly published: Readonly<Record<string, Versions>>
  /** By how much the replica was behind the primary, for every version that was seen in both. */
  readonly lagsMs: readonly number[]
}

const IDS = ['CVE-2026-1000', 'CVE-2026-1001', 'CVE-2026-1002']
const APPLY_DELAY_MS = 1500
const PROMISED_MS = 2000
const PUBLISH_EVERY_MS = 120
const SILENT_FOR_MS = 3500
const PAUSED_FOR_MS = 5000
/** The name of the follower's connection. */
const FOLLOWER = 'vis-changes'

export async function readWhilePublishing({ troubles, calmMs }: StalePlan): Promise<StaleOutcome> {
  const primary = await privatePostgres()
  await migrateAll(primary.url)
  const replica = await privateReplica(primary, APPLY_DELAY_MS)
  const link = await faultyLink(replica.url)
  const world = await catalogWorld(primary.url)
  await publishFirst(world)
  const nodes = [
    await startNode('primary', { primary: primary.url, read: primary.url, watched: primary.url }),
    await startNode('replica', { primary: primary.url, read: link.url, watched: replica.url }),
  ] as const
  await expect.poll(() => nodes.every(({ sightings }) => hasSeen(sightings, FIRST)), PATIENCE).toBe(true)
  const publisher = keepPublishing(world)
  for (const node of nodes) node.startReading(IDS)
  for (const trouble of troubles) {
    await sleep(calmMs)
    await TROUBLES[trouble](link, replica.url)
  }
  await sleep(calmMs)
  const published = await publisher.stop()
  await expect.poll(() => nodes.every(({ sightings }) => hasSeen(sightings, published)), PATIENCE).toBe(true)
  await sleep(PROMISED_MS)
  const last: Record<string, Versions>[] = []
  for (const node of nodes) last.push(await askAll(node))
  const readings = [await nodes[0].stop(), await nodes[1].stop()] as const
  return { nodes: readings, last, published, lagsMs: lagsOf(readings[0].sightings, readings[1].sightings) }
}

async function askAll(node: WatchedNode): Promise<Record<string, Versions>> {
  return Object.fromEntries(await Promise.all(IDS.map(async (id) => [id, await node.ask(id)] as const)))
}

const PATIENCE = { timeout: 30_000, interval: 50 }
const FIRST = Object.fromEntries(IDS.map((id) => [id, { description: 1, epss: 0, kev: 0 }]))

function hasSeen(sightings: Sightings, wanted: Readonly<Record<string, Versions>>): boolean {
  return Object.entries(wanted).every(([id, versions]) =>
    PARTS.every((part) => sightings.newest(id)[part] >= versions[part]),
  )
}

const TROUBLES: Readonly<Record<Trouble, (link: FaultyLink, replicaUrl: string) => Promise<void>>> = {
  'follower cut': async (link) => link.cut(FOLLOWER),
  'follower silenced': async (link) => {
    const callOff = link.silence(FOLLOWER)
    await sleep(SILENT_FOR_MS)
    callOff()
  },
  'replay paused': async (_link, replicaUrl) => {
    await administer(replicaUrl, 'select pg_wal_replay_pause()')
    await sleep(PAUSED_FOR_MS)
    await administer(replicaUrl, 'select pg_wal_replay_resume()')
  },
}

const described = (id: string, version: number) =>
  nvdSaid(id, { descriptions: [{ lang: 'en', value: `Version ${version}.` }] })

async function publishFirst(world: CatalogWorld): Promise<void> {
  for (const id of IDS) await world.say('nvd', id, described(id, 1))
  await world.publish()
}

/** Each time one thing changes: mostly words, sometimes the scores of a day, sometimes CISA's catalogue. */
function keepPublishing(world: CatalogWorld): { stop(): Promise<Readonly<Record<string, Versions>>> } {
  const published: Record<string, Versions> = { ...FIRST }
  const over = new AbortController()
  const put = (ids: readonly string[], changed: Partial<Versions>) => {
    for (const id of ids) published[id] = { description: 1, epss: 0, kev: 0, ...published[id], ...changed }
  }
  const publish = async () => {
    for (let version = 2; !over.signal.aborted; version += 1) {
      put(...(await sayOne(world, version)))
      await world.publish()
      await sleep(PUBLISH_EVERY_MS)
    }
  }
  const publishing = publish()
  return {
    stop: async () => {
      over.abort()
      await publishing
      return published
    },
  }
}

async function sayOne(world: CatalogWorld, version: number): Promise<[readonly string[], Partial<Versions>]> {
  if (version % 5 === 0) {
    const day = new Date(Date.UTC(2026, 0, version)).toISOString()
    await world.sayEpss(day, Object.fromEntries(IDS.map((id) => [id, version * EPSS_STEP])))
    return [IDS, { epss: version }]
  }
  if (version % 7 === 0) {
    await world.sayKev(IDS.map((cveId) => ({ cveId, product: `Teapot ${version}` })))
    return [IDS, { kev: version }]
  }
  const ids = IDS.slice(version % IDS.length).slice(0, 1)
  for (const id of ids) await world.say('nvd', id, described(id, version))
  return [ids, { description: version }]
}

function lagsOf(primary: Sightings, replica: Sightings): readonly number[] {
  const pairs = IDS.flatMap((id) =>
    PARTS.flatMap((part) => {
      const first = new Map(primary.of(id, part).map(({ version, atMs }) => [version, atMs]))
      // The first version was there before anybody looked.
      const later = replica.of(id, part).filter(({ version }) => version > 1 && first.has(version))
      return later.map(({ version, atMs }) => atMs - (first.get(version) ?? atMs))
    }),
  )
  return pairs.toSorted((a, b) => a - b)
}

export function expectNeverStale({ nodes, last, published, lagsMs }: StaleOutcome): void {
  for (const { node, answers, sightings } of nodes) {
    expect(
      answers.filter(({ versions }) => versions === undefined).slice(0, 5),
      `failures of the ${node} node`,
    ).toEqual([])
    const ages = agesOf({ node, answers, sightings })
    expect(ages.at(-1), `the oldest answer of the ${node} node`).toBeLessThanOrEqual(PROMISED_MS)
    // Otherwise nothing was remembered, and nothing was proven.
    expect(ages.filter((ms) => ms > 100).length, `answers of the ${node} node from memory`).toBeGreaterThan(10)
    expect(answers.filter(({ status }) => status === 304).length).toBeGreaterThan(10)
  }
  expect(last, 'no old value for good').toEqual(nodes.map(() => published))
  expect(lagsMs[0], 'the replica lagged behind').toBeGreaterThan(APPLY_DELAY_MS / 2)
}

/** By how much each answer was older than what its own database had shown when the request began; in order. */
function agesOf({ answers, sightings }: Reading): readonly number[] {
  return answers
    .map(({ id, versions, sentAtMs }) => (versions ? sightings.ageMs(id, versions, sentAtMs) : 0))
    .toSorted((a, b) => a - b)
}

export function summaryOf({ nodes, published, lagsMs }: StaleOutcome): string {
  const lines = nodes.map((reading) => {
    const [ages, notModified] = [agesOf(reading), reading.answers.filter(({ status }) => status === 304).length]
    return `${reading.node}: ${ages.length} answers, ${notModified} of them 304, behind their own database by p50 ${at(ages, 0.5)}, p99 ${at(ages, 0.99)}, at most ${at(ages, 1)}`
  })
  const newest = Math.max(...Object.values(published).flatMap((versions) => Object.values(versions)))
  return [
    `${newest - 1} publications; the replica behind by p50 ${at(lagsMs, 0.5)}, at most ${at(lagsMs, 1)}`,
    ...lines,
  ].join('; ')
}

function at(sorted: readonly number[], share: number): string {
  return `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0)} ms`
}
