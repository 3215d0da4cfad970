// CISA's catalogue of vulnerabilities known to be exploited.
import { address } from '../../../domain/setting.ts'
import {
  believeRelease,
  downloadRelease,
  type ReleaseCursor,
  type ReleaseFile,
  readReleaseCursor,
} from '../../download/dated-release.ts'
import { type Delivery, type Feed, NoFilesError, type Reading, type FetchContext } from '../../feed.ts'
import { feedPlan } from '../../feed-definition.ts'
import { filesIn } from '../../formats/directory.ts'
import { type KevRow, normaliseKev, type RawKevEntry } from './normalise.ts'
import { readCatalogueHead, readEntries } from './parse.ts'
import { kevStore } from './store.ts'

const FILE = 'known_exploited_vulnerabilities.json'
const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024

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
    fetch: (context) => fetchCatalogue(context, settings.url),
    normalise: normaliseKev,
    guards: [],
    store: kevStore,
  }
}

async function* fetchCatalogue(context: FetchContext, url: string): AsyncGenerator<Delivery<RawKevEntry>> {
  const held = readReleaseCursor(context.cursor)
  const file =
    context.from === undefined
      ? await downloadRelease(context, { name: FILE, url, maxBytes: MAX_DOWNLOAD_BYTES }, held)
      : await findIn(context.from)
  if (file) yield await openCatalogue(file, held, context.now)
}

async function findIn(directory: string): Promise<ReleaseFile> {
  const [file] = await filesIn(directory, 'kev', /^known_exploited_vulnerabilities\.json(\.gz)?$/)
  if (!file) throw new NoFilesError(`${directory} has no ${FILE}.`)
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
