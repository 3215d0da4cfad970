// MITRE's Common Weakness Enumeration: what is behind the CWE ids that CVE records name.
import { address } from '../../../domain/setting.ts'
import { datedBy, downloadRelease, type ReleaseFile, readReleaseCursor } from '../../download/dated-release.ts'
import { type Delivery, type Feed, NoFilesError, type FetchContext } from '../../feed.ts'
import { feedPlan } from '../../feed-definition.ts'
import { filesIn } from '../../formats/directory.ts'
import { normaliseWeakness, type RawWeakness, type WeaknessRow } from './normalise.ts'
import { readCsvCatalogue } from './read-csv.ts'
import { readXmlCatalogue } from './read-xml.ts'
import { weaknessStore } from './store.ts'

const FILE = 'cwec_latest.xml.zip'
const IN_DIRECTORY = /^(?:cwec_latest\.xml\.zip|cwe\.csv(?:\.gz)?)$/
const MAX_DOWNLOAD_BYTES = 32 * 1024 * 1024

export const cwePlan = feedPlan(
  { url: address('FEED_CWE_URL', 'https://cwe.mitre.org/data/xml/cwec_latest.xml.zip') },
  cweFeed,
)

export function cweFeed(settings: { readonly url: string }): Feed<RawWeakness, WeaknessRow> {
  return {
    name: 'cwe',
    title: 'Common Weakness Enumeration',
    // Three or four releases a year.
    everySeconds: 24 * 60 * 60,
    staleAfterSeconds: 30 * 24 * 60 * 60,
    fetch: (context) => fetchCatalogue(context, settings.url),
    normalise: normaliseWeakness,
    guards: [],
    store: weaknessStore,
  }
}

async function* fetchCatalogue(context: FetchContext, url: string): AsyncGenerator<Delivery<RawWeakness>> {
  const held = readReleaseCursor(context.cursor)
  const file =
    context.from === undefined
      ? await downloadRelease(context, { name: FILE, url, maxBytes: MAX_DOWNLOAD_BYTES }, held)
      : await findIn(context.from)
  if (!file) return
  const { entries, release } = file.path.endsWith('.zip')
    ? await readXmlCatalogue(file.path)
    : await readCsvCatalogue(file.path)
  yield {
    label: release ? `CWE ${release.version}` : 'cwe.csv',
    kind: 'snapshot',
    ...datedBy(file, release, held, context.now),
    records: async function* (onBytes) {
      yield* entries
      onBytes(file.bytes)
    },
  }
}

/** MITRE's own file before a table made from it: only that one says of when it is. */
async function findIn(directory: string): Promise<ReleaseFile> {
  const files = await filesIn(directory, 'cwe', IN_DIRECTORY)
  const file = files.find(({ name }) => name === FILE) ?? files[0]
  if (!file) throw new NoFilesError(`${directory} has neither ${FILE} nor cwe.csv.`)
  return { path: file.path, bytes: file.bytes, validators: {} }
}
