// MITRE's Common Weakness Enumeration: what is behind the CWE ids that CVE records name.
import { address } from '../../domain/setting.ts'
import { type Delivery, type Feed, NothingThere, type Visit } from '../feed.ts'
import { feedPlan } from '../plan.ts'
import { filesIn } from '../reading/directory.ts'
import { datedBy, downloadRelease, type ReleaseFile, readReleaseCursor } from '../release.ts'
import { normaliseWeakness, type RawWeakness, type WeaknessRow } from './normalise.ts'
import { readCsvCatalogue } from './read-csv.ts'
import { readXmlCatalogue } from './read-xml.ts'
import { weaknessStore } from './store.ts'

const FILE = 'cwec_latest.xml.zip'
const IN_DIRECTORY = /^(?:cwec_latest\.xml\.zip|cwe\.csv(?:\.gz)?)$/
const MOST_DOWNLOAD_BYTES = 32 * 1024 * 1024

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
    fetch: (visit) => fetchCatalogue(visit, settings.url),
    normalise: normaliseWeakness,
    guards: [],
    store: weaknessStore,
  }
}

async function* fetchCatalogue(visit: Visit, url: string): AsyncGenerator<Delivery<RawWeakness>> {
  const held = readReleaseCursor(visit.cursor)
  const file =
    visit.from === undefined
      ? await downloadRelease(visit, { name: FILE, url, mostBytes: MOST_DOWNLOAD_BYTES }, held)
      : await findIn(visit.from)
  if (!file) return
  const { entries, release } = file.path.endsWith('.zip')
    ? await readXmlCatalogue(file.path)
    : await readCsvCatalogue(file.path)
  yield {
    label: release ? `CWE ${release.version}` : 'cwe.csv',
    kind: 'snapshot',
    ...datedBy(file, release, held, visit.now),
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
  if (!file) throw new NothingThere(`${directory} has neither ${FILE} nor cwe.csv.`)
  return { path: file.path, bytes: file.bytes, validators: {} }
}
