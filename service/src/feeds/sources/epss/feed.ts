// FIRST's Exploit Prediction Scoring System: all scores, once a day.
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
import { refuseDrift } from './guard.ts'
import { type EpssRelease, type EpssRow, normaliseEpss, type RawEpssScore } from './normalise.ts'
import { type EpssHead, type EpssLine, readHead, readScores } from './parse.ts'
import { epssStore } from './store.ts'

const CURRENT = 'epss_scores-current.csv.gz'
const IN_DIRECTORY = /^epss_scores-(?:current|\d{4}-\d{2}-\d{2})\.csv(?:\.gz)?$/
const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024

export const epssPlan = feedPlan({ baseUrl: address('FEED_EPSS_URL', 'https://epss.empiricalsecurity.com/') }, epssFeed)

export function epssFeed(settings: { readonly baseUrl: string }): Feed<RawEpssScore, EpssRow> {
  return {
    name: 'epss',
    title: 'FIRST EPSS',
    // It comes once a day, at noon or some hours later; mostly the answer is that nothing changed.
    everySeconds: 60 * 60,
    staleAfterSeconds: 2 * 24 * 60 * 60,
    fetch: (context) => fetchScores(context, new URL(CURRENT, settings.baseUrl.replace(/\/?$/, '/'))),
    normalise: normaliseEpss,
    guards: [refuseDrift],
    store: epssStore,
  }
}

/** A file with scores, and what its first lines say. */
interface Opened {
  readonly file: ReleaseFile
  readonly head: EpssHead
}

async function* fetchScores(context: FetchContext, url: URL): AsyncGenerator<Delivery<RawEpssScore>> {
  const held = readReleaseCursor(context.cursor)
  const opened = context.from === undefined ? await download(context, url, held) : await newestIn(context.from)
  if (!opened) return
  const { modelVersion, scoredAt } = opened.head
  const believedAt = believeRelease(scoredAt, held, context.now)
  if (held && held.version !== modelVersion)
    context.notice(`FIRST changed its model from ${held.version} to ${modelVersion}: scores moved for that reason alone`)
  yield deliver(opened, believedAt)
}

async function download(context: FetchContext, url: URL, held: ReleaseCursor | undefined): Promise<Opened | undefined> {
  // The current scores may be a redirect to those of a day, on the same host.
  const request = { name: CURRENT, url: url.href, maxBytes: MAX_DOWNLOAD_BYTES, redirectHosts: [url.host] }
  const file = await downloadRelease(context, request, held)
  return file && { file, head: await readHead(file.path) }
}

/** Of those with a date in their name the last one, and the current one: what they say inside decides. */
async function newestIn(directory: string): Promise<Opened> {
  const files = await filesIn(directory, 'epss', IN_DIRECTORY)
  const candidates: Opened[] = []
  const dated = files.filter(({ name }) => !name.includes('current'))
  for (const { path, bytes } of [...files.filter((each) => !dated.includes(each)), ...dated.slice(-1)])
    candidates.push({ file: { path, bytes, validators: {} }, head: await readHead(path) })
  const [newest] = candidates.toSorted((one, other) => other.head.scoredAt.getTime() - one.head.scoredAt.getTime())
  if (!newest) throw new NoFilesError(`${directory} has no epss_scores-….csv.gz.`)
  return newest
}

function deliver({ file, head }: Opened, at: Date): Delivery<RawEpssScore> {
  const { modelVersion, columnCount } = head
  const scoredAt = at.toISOString()
  const cursor: ReleaseCursor = { releasedAt: scoredAt, version: modelVersion, validators: file.validators }
  return {
    label: `EPSS scores of ${scoredAt.slice(0, 10)}`,
    kind: 'snapshot',
    upstreamAt: at,
    cursor,
    bytes: { before: 0, own: file.bytes, total: file.bytes },
    records: (onBytes) => ofRelease(readScores(file.path, columnCount, onBytes), { modelVersion, scoredAt }),
  }
}

async function* ofRelease(
  lines: AsyncIterable<Reading<EpssLine>>,
  release: EpssRelease,
): AsyncGenerator<Reading<RawEpssScore>> {
  for await (const each of lines) yield 'raw' in each ? { raw: { line: each.raw, release } } : each
}
