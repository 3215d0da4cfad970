// Feed of the EPSS scores (Exploit Prediction Scoring System) of FIRST, which publishes all scores once a day.
import { address } from '../../../domain/setting.ts'
import {
  checkReleaseDate,
  downloadRelease,
  type ReleaseCursor,
  type ReleaseFile,
  readReleaseCursor,
} from '../../download/dated-release.ts'
import { type Delivery, type Feed, type FetchContext, NoFilesError, type Reading } from '../../feed.ts'
import { defineFeed, readSchedule } from '../../feed-definition.ts'
import { listFiles } from '../../formats/directory.ts'
import type { Guard } from '../../guard.ts'
import { type EpssRelease, type EpssRow, normaliseEpss, type RawEpssScore } from './normalise.ts'
import { type EpssHeader, type EpssLine, readHeader, readScores } from './parse.ts'
import { epssStore } from './store.ts'

const CURRENT = 'epss_scores-current.csv.gz'
const FILE_NAME = /^epss_scores-(?:current|\d{4}-\d{2}-\d{2})\.csv(?:\.gz)?$/
const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024

export const epssDefinition = defineFeed(
  { baseUrl: address('FEED_EPSS_URL', 'https://epss.empiricalsecurity.com/') },
  epssFeed,
)

export function epssFeed(settings: { readonly baseUrl: string }): Feed<RawEpssScore, EpssRow> {
  return {
    ...readSchedule('epss'),
    fetch: (context) => fetchScores(context, new URL(CURRENT, settings.baseUrl.replace(/\/?$/, '/'))),
    normalise: normaliseEpss,
    guards: [meanScoreDrift],
    store: epssStore,
  }
}

interface ScoreFile {
  readonly file: ReleaseFile
  readonly header: EpssHeader
}

async function* fetchScores(context: FetchContext, url: URL): AsyncGenerator<Delivery<RawEpssScore>> {
  const previous = readReleaseCursor(context.cursor)
  const scores =
    context.from === undefined ? await downloadScores(context, url, previous) : await findNewestFile(context.from)
  if (!scores) return
  const { modelVersion, scoredAt } = scores.header
  const releasedAt = checkReleaseDate(scoredAt, previous, context.now)
  if (previous && previous.version !== modelVersion)
    context.notice(
      `FIRST changed the EPSS model from ${previous.version} to ${modelVersion}; scores may differ for that reason alone.`,
    )
  yield buildDelivery(scores, releasedAt)
}

async function downloadScores(
  context: FetchContext,
  url: URL,
  previous: ReleaseCursor | undefined,
): Promise<ScoreFile | undefined> {
  // The URL of the current EPSS scores may redirect to the file of one day on the same host.
  const request = { name: CURRENT, url: url.href, maxBytes: MAX_DOWNLOAD_BYTES, redirectHosts: [url.host] }
  const file = await downloadRelease(context, request, previous)
  return file && { file, header: await readHeader(file.path) }
}

/** The newest dated file or the current one, whichever has the later score date inside. */
async function findNewestFile(directory: string): Promise<ScoreFile> {
  const files = await listFiles(directory, 'epss', FILE_NAME)
  const candidates: ScoreFile[] = []
  const dated = files.filter(({ name }) => !name.includes('current'))
  for (const { path, bytes } of [...files.filter((each) => !dated.includes(each)), ...dated.slice(-1)])
    candidates.push({ file: { path, bytes, validators: {} }, header: await readHeader(path) })
  const [newest] = candidates.toSorted((one, other) => other.header.scoredAt.getTime() - one.header.scoredAt.getTime())
  if (!newest) throw new NoFilesError(`${directory} contains no epss_scores-….csv.gz.`)
  return newest
}

function buildDelivery({ file, header }: ScoreFile, releasedAt: Date): Delivery<RawEpssScore> {
  const { modelVersion, columnCount } = header
  const scoredAt = releasedAt.toISOString()
  const cursor: ReleaseCursor = { releasedAt: scoredAt, version: modelVersion, validators: file.validators }
  return {
    label: `EPSS scores of ${scoredAt.slice(0, 10)}`,
    kind: 'snapshot',
    upstreamAt: releasedAt,
    cursor,
    bytes: { before: 0, own: file.bytes, total: file.bytes },
    records: (onBytes) => addRelease(readScores(file.path, columnCount, onBytes), { modelVersion, scoredAt }),
  }
}

async function* addRelease(
  lines: AsyncIterable<Reading<EpssLine>>,
  release: EpssRelease,
): AsyncGenerator<Reading<RawEpssScore>> {
  for await (const line of lines) yield 'raw' in line ? { raw: { line: line.raw, release } } : line
}

const MAX_DRIFT = 0.5
const MIN_ROWS_TO_JUDGE = 1000

/**
 * Single scores may jump, but the mean jumps only with a new version of the EPSS model, so means of two versions are
 * not compared.
 */
const meanScoreDrift: Guard = {
  name: 'scores-drifted',
  check: ({ drift, existing, staged }) => {
    if (!drift || Math.min(existing, staged) < MIN_ROWS_TO_JUDGE) return undefined
    const { before, after } = drift
    return Math.abs(after - before) > before * MAX_DRIFT
      ? `the mean score is ${after.toFixed(5)}, but the stored mean score of the same model is ${before.toFixed(5)}`
      : undefined
  },
}
