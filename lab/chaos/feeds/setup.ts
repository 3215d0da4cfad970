// Creates databases that contain the first edition of the test data, and computes the content that is expected after an
// import of the second edition.
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { type FeedsProcess, type ProcessResult, startFeeds } from '../../../service/test/faults/feeds/process.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { createNthFaultProxy } from '../../../service/test/support/network/nth-fault-proxy.ts'
import { startUpstream } from '../../../service/test/support/network/upstream.ts'
import { buildDatabaseUrl, runStatements } from '../../../service/test/support/run-statements.ts'
import { COUNTED, type Content, type Expected, type Inspector, readContent } from './content.ts'
import { runOnce } from './run.ts'
import {
  buildEdition,
  buildSettings,
  type EditionNumber,
  getEditionTime,
  type Slice,
  serveEdition,
  writeEdition,
} from './slice.ts'

export const FEEDS = ['nvd', 'kev', 'epss'] as const

export interface FeedsSetup {
  readonly slice: Slice
  readonly expected: Expected
  /** Database calls of an import of the second edition without faults, in order. */
  readonly calls: readonly string[]
  /** Duration in milliseconds of an import without faults, measured from its first database call. */
  readonly runMs: number
  /** Creates a database that contains the first edition of the test data. */
  clone(): Promise<ClonedDatabase>
  /** Location of the second edition of the test data. */
  readonly location: EditionLocation
  /** Imports the second edition of the test data in a separate process. */
  sync(url: string, feeds?: readonly string[]): FeedsProcess
}

export interface ClonedDatabase {
  readonly url: string
  drop(): Promise<void>
}

export async function createFeedsSetup(slice: Slice, source: EditionSource): Promise<FeedsSetup> {
  const start = await createTestDatabase()
  await importFirstEdition(await source(1), start.url, slice)
  const location = await source(2)
  const sync = (url: string, feeds: readonly string[] = FEEDS) => startSync({ slice, url, location, feeds })
  const clone = () => cloneDatabase(start.name)
  const reference = await clone()
  const proxy = await createNthFaultProxy(reference.url)
  let startedAt = 0
  proxy.arm({
    call: 1,
    moment: 'before',
    trigger: ({ forward }) => {
      startedAt = performance.now()
      forward()
    },
  })
  expectSuccess(await sync(proxy.url).ended)
  const runMs = performance.now() - startedAt
  const [before, after] = [await readContent(start.url, slice), await readContent(reference.url, slice)]
  await reference.drop()
  assertEditionsDiffer(before, after)
  return {
    slice,
    runMs,
    clone,
    calls: proxy.calls,
    expected: { slice, before, after },
    location,
    sync,
  }
}

/** Location of an edition of the test data: a directory, or an upstream server whose address is in the settings. */
interface EditionLocation {
  readonly from?: string
  readonly settings?: Readonly<Record<string, string>>
}

/** Makes an edition of the test data available and returns its location. */
export type EditionSource = (edition: EditionNumber) => Promise<EditionLocation>

export function fromDirectory(slice: Slice): EditionSource {
  return async (edition) => ({ from: await writeEdition(buildEdition(slice, edition)) })
}

/**
 * Test data for downloads must contain every year from 2002 to `now`, because the NVD feed downloads one file per year.
 */
export async function fromNetwork(slice: Slice): Promise<EditionSource> {
  const upstream = await startUpstream()
  return async (edition) => {
    serveEdition(upstream, buildEdition(slice, edition), getEditionTime(slice, edition))
    return { settings: buildSettings(upstream) }
  }
}

interface SyncOptions {
  readonly slice: Slice
  readonly url: string
  readonly location: EditionLocation
  readonly feeds?: readonly string[]
}

export function startSync({ slice, url, location: { from, settings = {} }, feeds = FEEDS }: SyncOptions): FeedsProcess {
  const where = from === undefined ? [] : ['--from', from]
  return startFeeds(['sync', ...feeds, '--no-publish', '--now', slice.now.toISOString(), ...where], {
    DATABASE_URL: url,
    ...settings,
  })
}

export function expectSuccess({ code, stdout, stderr }: ProcessResult): void {
  if (code !== 0) throw new Error(`An undisturbed run ended with exit code ${code}:\n${stdout}\n${stderr}`)
}

async function importFirstEdition(location: EditionLocation, url: string, { now }: Slice): Promise<void> {
  for (const feed of FEEDS) {
    const { outcome, error } = await runOnce({ ...location, feed, url, now })
    if (outcome !== 'succeeded') throw new Error(`The first edition of ${feed} was not imported: ${error}`)
  }
}

/**
 * Throws if a part of the data (an NVD file, KEV or EPSS) is equal in both editions of the test data, because a test
 * could not tell whether the part was imported.
 */
function assertEditionsDiffer(before: Content, after: Content): void {
  const equalParts = [...after].filter(([part, fingerprint]) =>
    part.endsWith(' count') ? fingerprint !== COUNTED : before.get(part) === fingerprint,
  )
  if (equalParts.length > 0)
    throw new Error(
      `These parts are equal in both editions or miscounted: ${equalParts.map(([part]) => part).join(', ')}`,
    )
}

export async function cloneDatabase(template: string): Promise<ClonedDatabase> {
  const { serverUrl, runId } = inject('database')
  const name = `vis_test_${runId}_${randomBytes(4).toString('hex')}`
  // Asynchronous commits are faster, and safe in tests that kill only clients: the database server loses no data.
  await runStatements(
    serverUrl,
    `create database ${name} template ${template} strategy file_copy`,
    `alter database ${name} set synchronous_commit = off`,
  )
  const drop = () => runStatements(serverUrl, `drop database if exists ${name} with (force)`)
  cleanUpAfterTests(drop)
  return { url: buildDatabaseUrl(serverUrl, name), drop }
}

/**
 * Expires all feed leases (which let only one process run a feed), as if a minute had passed since the process died.
 */
export async function expireLeases({ query }: Pick<Inspector, 'query'>): Promise<void> {
  await query("update source.feed set lease_until = '-infinity' where lease_until >= now()")
}
