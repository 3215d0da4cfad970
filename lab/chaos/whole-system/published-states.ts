// A publisher that changes CVEs all the time, and the states that it has published. Every text of a CVE contains the
// version of the CVE, so that a test can tell which state an answer shows and whether it mixes two states.
import { setTimeout as sleep } from 'node:timers/promises'
import { type CatalogHarness, createCatalogHarness } from '../../../service/test/catalog/catalog-setup.ts'
import { nvdRecord } from '../../../service/test/catalog/source-fixtures.ts'

export const CVE_IDS: readonly string[] = Array.from({ length: 60 }, (_, n) => `CVE-2026-${1000 + n}`)
export const KEV_IDS: readonly string[] = CVE_IDS.slice(0, 8)
/** CVE id that is never published. */
export const UNKNOWN_ID = 'CVE-2026-9999'

const PUBLISH_INTERVAL_MS = 150
const CHANGES_PER_PUBLICATION = 3
const DAY_MS = 86_400_000

export interface Publisher {
  /** Newest version of each CVE that may have been published, even if its commit was not confirmed. */
  readonly newest: ReadonlyMap<string, number>
  /** Newest version of each CVE whose publication was confirmed. */
  readonly confirmed: ReadonlyMap<string, number>
  readonly publications: number
  readonly failures: number
  stop(): Promise<void>
}

/** Publishes the first version of every CVE, then changes some CVEs several times a second. */
export async function startPublisher(url: string): Promise<Publisher> {
  const catalog = await createCatalogHarness(url)
  // The nodes use the real time, so the publisher must not be months behind.
  catalog.clock.advance({ seconds: (Date.now() - catalog.clock.now().getTime()) / 1000 })
  const [newest, confirmed] = [new Map<string, number>(), new Map<string, number>()]
  const counts = { publications: 0, failures: 0 }
  const publish = async (ids: readonly string[], version: number) => {
    for (const id of ids) newest.set(id, version)
    for (const id of ids) await catalog.storeRecord('nvd', id, buildRecord(id, version), new Date().toISOString())
    await catalog.publish()
    for (const id of ids) confirmed.set(id, version)
    counts.publications += 1
  }
  await storeKev(catalog)
  await publish(CVE_IDS, 1)
  const stopping = new AbortController()
  const publishing = publishRepeatedly(stopping.signal, (ids, version) =>
    publish(ids, version).catch(() => {
      counts.failures += 1
    }),
  )
  return {
    newest,
    confirmed,
    get publications() {
      return counts.publications
    },
    get failures() {
      return counts.failures
    },
    stop: async () => {
      stopping.abort()
      await publishing
      // The last publication may have failed, and its changes must not stay unpublished.
      await publish(CVE_IDS, Math.max(...newest.values()) + 1)
    },
  }
}

async function publishRepeatedly(
  signal: AbortSignal,
  publish: (ids: readonly string[], version: number) => Promise<void>,
): Promise<void> {
  for (let version = 2; !signal.aborted; version += 1) {
    const first = (version * CHANGES_PER_PUBLICATION) % CVE_IDS.length
    await publish(CVE_IDS.slice(first, first + CHANGES_PER_PUBLICATION), version)
    await sleep(PUBLISH_INTERVAL_MS)
  }
}

const storeKev = (catalog: CatalogHarness) => catalog.storeKev(KEV_IDS.map((cveId) => ({ cveId })))

/** Builds a CVE of the last days, so that the list of recent CVEs is not empty. */
function buildRecord(id: string, version: number): object {
  return nvdRecord(id, {
    published: toNvdTime(Date.now() - DAY_MS),
    lastModified: toNvdTime(Date.now()),
    descriptions: [{ lang: 'en', value: `Version ${version} of ${id}.` }],
    references: [{ url: `https://router.example/${id}/${version}`, source: 'nvd@nist.gov', tags: [] }],
  })
}

/** NVD writes times in UTC without a time zone. */
const toNvdTime = (ms: number) => new Date(ms).toISOString().slice(0, -1)

const STATE =
  /Version (?<inText>\d+) of (?<textId>CVE-\d+-\d+)\.|router\.example\/(?<linkId>CVE-\d+-\d+)\/(?<inLink>\d+)/g

/** Finds the versions of every CVE in the text of an answer. */
export function findStates(text: string): ReadonlyMap<string, ReadonlySet<number>> {
  const states = new Map<string, Set<number>>()
  for (const { groups = {} } of text.matchAll(STATE)) {
    const id = groups['textId'] ?? groups['linkId'] ?? ''
    states.set(id, (states.get(id) ?? new Set()).add(Number(groups['inText'] ?? groups['inLink'])))
  }
  return states
}
