// A database that has taken over the first edition, and what it looks like when it has taken over the second as well.
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { administer, databaseUrl } from '../../support/administer.ts'
import { atEnd } from '../../support/cleanup.ts'
import { testDatabase } from '../../support/database.ts'
import { nthFaultLink } from '../../support/network/nth-fault-proxy.ts'
import { startUpstream } from '../../support/network/upstream.ts'
import { COUNTED, type Content, contentOf, type Expected, type Inspector } from './content.ts'
import { type Ended, type FeedsProcess, startFeeds } from './process.ts'
import { runOnce } from './run.ts'
import {
  type EditionNumber,
  editionAt,
  makeEdition,
  type Slice,
  serveEdition,
  settingsFor,
  writeEdition,
} from './slice.ts'

export const FEEDS = ['nvd', 'kev', 'epss'] as const

export interface FeedsWorld {
  readonly slice: Slice
  readonly expected: Expected
  /** What an uninterrupted run asks of the database, in order, and how long it takes from its first call on. */
  readonly calls: readonly string[]
  readonly runMs: number
  /** A new database with the first edition in it. */
  clone(): Promise<ClonedDatabase>
  /** Where the second edition is. */
  readonly offer: Offer
  /** Takes it over, in a process of its own. */
  sync(url: string, feeds?: readonly string[]): FeedsProcess
}

export interface ClonedDatabase {
  readonly url: string
  drop(): Promise<void>
}

export async function feedsWorld(slice: Slice, source: Source): Promise<FeedsWorld> {
  const start = await testDatabase()
  await takeOver(await source(1), start.url, slice)
  const offer = await source(2)
  const sync = (url: string, feeds: readonly string[] = FEEDS) => startSync({ slice, url, offer, feeds })
  const clone = () => cloneOf(start.name)
  const reference = await clone()
  const link = await nthFaultLink(reference.url)
  let startedAt = 0
  link.arm({
    call: 1,
    moment: 'before',
    strike: ({ passOn }) => {
      startedAt = performance.now()
      passOn()
    },
  })
  expectSuccess(await sync(link.url).ended)
  const runMs = performance.now() - startedAt
  const [before, after] = [await contentOf(start.url, slice), await contentOf(reference.url, slice)]
  await reference.drop()
  refuseToProveNothing(before, after)
  return {
    slice,
    runMs,
    clone,
    calls: link.calls,
    expected: { slice, before, after },
    offer,
    sync,
  }
}

/** How an edition is reached: in a directory, or at an upstream that the settings name. */
interface Offer {
  readonly from?: string
  readonly settings?: Readonly<Record<string, string>>
}

export type Source = (edition: EditionNumber) => Promise<Offer>

export function fromDirectory(slice: Slice): Source {
  return async (edition) => ({ from: await writeEdition(makeEdition(slice, edition)) })
}

/** NVD has a file for every year since 2002, so there the years of the slice must be all of them until its now. */
export async function fromNetwork(slice: Slice): Promise<Source> {
  const upstream = await startUpstream()
  return async (edition) => {
    serveEdition(upstream, makeEdition(slice, edition), editionAt(slice, edition))
    return { settings: settingsFor(upstream) }
  }
}

interface SyncWish {
  readonly slice: Slice
  readonly url: string
  readonly offer: Offer
  readonly feeds?: readonly string[]
}

export function startSync({ slice, url, offer: { from, settings = {} }, feeds = FEEDS }: SyncWish): FeedsProcess {
  const where = from === undefined ? [] : ['--from', from]
  return startFeeds(['sync', ...feeds, '--no-publish', '--now', slice.now.toISOString(), ...where], {
    DATABASE_URL: url,
    ...settings,
  })
}

export function expectSuccess({ code, stdout, stderr }: Ended): void {
  if (code !== 0) throw new Error(`an undisturbed run ended with ${code}:\n${stdout}\n${stderr}`)
}

async function takeOver(offer: Offer, url: string, { now }: Slice): Promise<void> {
  for (const feed of FEEDS) {
    const { outcome, words } = await runOnce({ ...offer, feed, url, now })
    if (outcome !== 'succeeded') throw new Error(`the first edition of ${feed} was not taken over: ${words}`)
  }
}

/** If a part looked the same in both editions, nobody could tell whether it was applied; counts are always right. */
function refuseToProveNothing(before: Content, after: Content): void {
  const wrong = [...after].filter(([part, fingerprint]) =>
    part.endsWith(' count') ? fingerprint !== COUNTED : before.get(part) === fingerprint,
  )
  if (wrong.length > 0) throw new Error(`these parts prove nothing: ${wrong.map(([part]) => part).join(', ')}`)
}

export async function cloneOf(template: string): Promise<ClonedDatabase> {
  const { serverUrl, runId } = inject('database')
  const name = `vis_test_${runId}_${randomBytes(4).toString('hex')}`
  // A killed client, unlike a killed server, loses nothing that was committed: the disk need not be waited for.
  await administer(
    serverUrl,
    `create database ${name} template ${template}`,
    `alter database ${name} set synchronous_commit = off`,
  )
  const drop = () => administer(serverUrl, `drop database if exists ${name} with (force)`)
  atEnd(drop)
  return { url: databaseUrl(serverUrl, name), drop }
}

/** What a minute does to the leases of a process that died. */
export async function expireLeases({ look }: Pick<Inspector, 'look'>): Promise<void> {
  await look("update source.feed set lease_until = '-infinity' where lease_until >= now()")
}
