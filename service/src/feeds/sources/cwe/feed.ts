// Feed of MITRE's Common Weakness Enumeration (CWE): names and descriptions of the CWE ids in CVE records.
import { sql } from 'kysely'
import { address } from '../../../domain/setting.ts'
import {
  downloadRelease,
  type ReleaseFile,
  readReleaseCursor,
  toReleaseDelivery,
} from '../../download/dated-release.ts'
import { type Delivery, type Feed, type FetchContext, NoFilesError } from '../../feed.ts'
import { defineFeed, readSchedule } from '../../feed-definition.ts'
import { listFiles } from '../../formats/directory.ts'
import { extractIds } from '../../stores/extract-ids.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import { normaliseWeakness, type RawWeakness, type WeaknessRow } from './normalise.ts'
import { readCsvCatalog, readXmlCatalog } from './parse.ts'

const FILE = 'cwec_latest.xml.zip'
const FILE_NAME = /^(?:cwec_latest\.xml\.zip|cwe\.csv(?:\.gz)?)$/
const MAX_DOWNLOAD_BYTES = 32 * 1024 * 1024

export const cweDefinition = defineFeed(
  { url: address('FEED_CWE_URL', 'https://cwe.mitre.org/data/xml/cwec_latest.xml.zip') },
  cweFeed,
)

export function cweFeed(settings: { readonly url: string }): Feed<RawWeakness, WeaknessRow> {
  return {
    ...readSchedule('cwe'),
    fetch: (context) => fetchCatalog(context, settings.url),
    normalise: normaliseWeakness,
    guards: [],
    store: weaknessStore,
  }
}

async function* fetchCatalog(context: FetchContext, url: string): AsyncGenerator<Delivery<RawWeakness>> {
  const previous = readReleaseCursor(context.cursor)
  const file =
    context.from === undefined
      ? await downloadRelease(context, { name: FILE, url, maxBytes: MAX_DOWNLOAD_BYTES }, previous)
      : await findCatalogFile(context.from)
  if (!file) return
  const { entries, release } = file.path.endsWith('.zip')
    ? await readXmlCatalog(file.path)
    : await readCsvCatalog(file.path)
  yield {
    label: release ? `CWE ${release.version}` : 'cwe.csv',
    kind: 'snapshot',
    ...toReleaseDelivery(file, release, previous, context.now),
    records: async function* (onBytes) {
      yield* entries
      onBytes(file.bytes)
    },
  }
}

/** Only MITRE's XML file contains its release date. */
async function findCatalogFile(directory: string): Promise<ReleaseFile> {
  const files = await listFiles(directory, 'cwe', FILE_NAME)
  const file = files.find(({ name }) => name === FILE) ?? files[0]
  if (!file) throw new NoFilesError(`${directory} contains neither ${FILE} nor cwe.csv.`)
  return { path: file.path, bytes: file.bytes, validators: {} }
}

/** Names are looked up when a record is shown, so no CVE is published again. */
const weaknessStore = stagedStore<WeaknessRow>({
  table: 'weakness',
  key: ['cwe_id'],
  columns: {
    cwe_id: (row) => row.cweId,
    kind: (row) => row.kind,
    name: (row) => row.name,
    abstraction: (row) => row.abstraction,
    status: (row) => row.status,
    is_deprecated: (row) => row.isDeprecated,
    description: (row) => row.description,
  },
  removal: { rule: 'mark', rejected: { column: sql`held.cwe_id`, ids: extractIds(/CWE-\d+/) } },
})
