// CISA's catalogue of vulnerabilities known to be exploited.
import { address } from '../../domain/setting.ts'
import { type Delivery, type Feed, NothingThere, type Reading, type Visit } from '../feed.ts'
import { feedPlan } from '../plan.ts'
import { filesIn } from '../reading/directory.ts'
import { believeRelease, downloadRelease, type ReleaseCursor, type ReleaseFile, readReleaseCursor } from '../release.ts'
import { type KevRow, normaliseKev, type RawKevEntry } from './normalise.ts'
import { readCatalogueHead, readEntries } from './parse.ts'
import { kevStore } from './store.ts'

const FILE = 'known_exploited_vulnerabilities.json'
const MOST_DOWNLOAD_BYTES = 64 * 1024 * 1024

export const kevPlan = feedPlan(
  {
    url: address('FEED_KEV_URL', 'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json'),
  },
  kevFeed,
)

export function kevFeed(settings: { readonly url: string }): Feed<RawKevEntry, KevRow> {
  return {
    name: 'kev',
    title: 'CISA Known Exploited Vulnerabilities',
    // It changes on working days, and then it matters; mostly the answer is that nothing changed.
    everySeconds: 30 * 60,
    staleAfterSeconds: 24 * 60 * 60,
    fetch: (visit) => fetchCatalogue(visit, settings.url),
    normalise: normaliseKev,
    guards: [],
    store: kevStore,
  }
}

async function* fetchCatalogue(visit: Visit, url: string): AsyncGenerator<Delivery<RawKevEntry>> {
  const held = readReleaseCursor(visit.cursor)
  const file =
    visit.from === undefined
      ? await downloadRelease(visit, { name: FILE, url, mostBytes: MOST_DOWNLOAD_BYTES }, held)
      : await findIn(visit.from)
  if (file) yield await openCatalogue(file, held, visit.now)
}

async function findIn(directory: string): Promise<ReleaseFile> {
  const [file] = await filesIn(directory, 'kev', /^known_exploited_vulnerabilities\.json(\.gz)?$/)
  if (!file) throw new NothingThere(`${directory} has no ${FILE}.`)
  return { path: file.path, bytes: file.bytes, validators: {} }
}

async function openCatalogue(
  file: ReleaseFile,
  held: ReleaseCursor | undefined,
  now: Date,
): Promise<Delivery<RawKevEntry>> {
  const { version, releasedAt: said } = await readCatalogueHead(file.path)
  const releasedAt = believeRelease(said, held, now)
  const cursor: ReleaseCursor = { releasedAt: releasedAt.toISOString(), version, validators: file.validators }
  return {
    label: `${FILE} ${version}`,
    kind: 'snapshot',
    upstreamAt: releasedAt,
    cursor,
    bytes: { before: 0, own: file.bytes, total: file.bytes },
    records: (onBytes) => inCatalogue(readEntries(file.path, onBytes), releasedAt),
  }
}

async function* inCatalogue(
  entries: AsyncIterable<Reading<unknown>>,
  releasedAt: Date,
): AsyncGenerator<Reading<RawKevEntry>> {
  for await (const each of entries) yield 'raw' in each ? { raw: { entry: each.raw, releasedAt } } : each
}
