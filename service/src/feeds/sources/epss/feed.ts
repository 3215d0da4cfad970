// Feed of EPSS (Exploit Prediction Scoring System) scores. FIRST publishes all scores once a day.
import { address } from '../../../domain/setting.ts'
import { type CollectRequest, collectFile } from '../../collect.ts'
import { checkReleaseDate, fetchRelease } from '../../download/dated-release.ts'
import { type Delivery, type Feed, type FetchContext, mapReadings, NoFilesError } from '../../feed.ts'
import { createFeed, defineFeed } from '../../feed-definition.ts'
import { type FoundFile, listFiles } from '../../formats/directory.ts'
import type { Guard } from '../../guard.ts'
import { type EpssRelease, type EpssRow, normaliseEpss, type RawEpssScore } from './normalise.ts'
import { readHeader, readScores } from './parse.ts'
import { epssStore } from './store.ts'

const CURRENT = 'epss_scores-current.csv.gz'
const FILE_NAME = /^epss_scores-(?:current|\d{4}-\d{2}-\d{2})\.csv(?:\.gz)?$/
const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024

export const epssDefinition = defineFeed(
  { baseUrl: address('FEED_EPSS_URL', 'https://epss.empiricalsecurity.com/') },
  epssFeed,
)

export function epssFeed(settings: { readonly baseUrl: string }): Feed<RawEpssScore, EpssRow> {
  const url = new URL(CURRENT, settings.baseUrl.replace(/\/?$/, '/'))
  // The URL of the current EPSS scores may redirect to the file of one day on the same host.
  const request = { name: CURRENT, url: url.href, maxBytes: MAX_DOWNLOAD_BYTES, redirectHosts: [url.host] }
  return createFeed('epss', {
    fetch: (context) => fetchScores(context, request),
    collect: collectFile(request),
    normalise: normaliseEpss,
    guards: [meanScoreDrift],
    store: epssStore,
  })
}

function fetchScores(context: FetchContext, request: CollectRequest): AsyncGenerator<Delivery<RawEpssScore>> {
  return fetchRelease(context, {
    ...request,
    find: findNewestFile,
    open: async ({ path }, held) => {
      const { modelVersion, scoredAt: at, columnCount } = await readHeader(path)
      const scoredAt = checkReleaseDate(at, held, context.now).toISOString()
      if (held && held.version !== modelVersion)
        context.notice(
          `FIRST changed the EPSS model from ${held.version} to ${modelVersion}; scores may differ for that reason alone.`,
        )
      const release: EpssRelease = { modelVersion, scoredAt }
      return {
        label: `EPSS scores of ${scoredAt.slice(0, 10)}`,
        release: { version: modelVersion, at },
        records: (onBytes) => mapReadings(readScores(path, columnCount, onBytes), (line) => ({ line, release })),
      }
    },
  })
}

/** Returns the newest dated file or the current one, whichever contains the later score date. */
async function findNewestFile(directory: string): Promise<FoundFile> {
  const files = await listFiles(directory, 'epss', FILE_NAME)
  const dated = files.filter(({ name }) => !name.includes('current'))
  const candidates: { readonly file: FoundFile; readonly at: Date }[] = []
  for (const file of [...files.filter((each) => !dated.includes(each)), ...dated.slice(-1)])
    candidates.push({ file, at: (await readHeader(file.path)).scoredAt })
  const [newest] = candidates.toSorted((one, other) => other.at.getTime() - one.at.getTime())
  if (!newest) throw new NoFilesError(`${directory} contains no epss_scores-….csv.gz.`)
  return newest.file
}

const MAX_DRIFT = 0.5
const MIN_ROWS_TO_JUDGE = 1000

/**
 * Single scores may jump at any time, but the mean jumps only with a new version of the EPSS model. Means from
 * different versions are therefore not compared.
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
