// Feed of MITRE's Common Weakness Enumeration (CWE): names and descriptions of the CWE ids in CVE records.
import { sql } from 'kysely'
import { address } from '../../../domain/setting.ts'
import { collectFile } from '../../collect.ts'
import { fetchRelease } from '../../download/dated-release.ts'
import { type Feed, NoFilesError } from '../../feed.ts'
import { createFeed, defineFeed } from '../../feed-definition.ts'
import { type FoundFile, listFiles } from '../../formats/directory.ts'
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
  const request = { name: FILE, url: settings.url, maxBytes: MAX_DOWNLOAD_BYTES }
  return createFeed('cwe', {
    fetch: (context) =>
      fetchRelease(context, {
        ...request,
        find: findCatalogFile,
        open: async ({ path, bytes }) => {
          const { entries, release } = path.endsWith('.zip') ? await readXmlCatalog(path) : await readCsvCatalog(path)
          return {
            label: release ? `CWE ${release.version}` : 'cwe.csv',
            release,
            records: async function* (onBytes) {
              yield* entries
              onBytes(bytes)
            },
          }
        },
      }),
    collect: collectFile(request),
    normalise: normaliseWeakness,
    store: weaknessStore,
  })
}

/** Only MITRE's XML file contains its release date. */
async function findCatalogFile(directory: string): Promise<FoundFile> {
  const files = await listFiles(directory, 'cwe', FILE_NAME)
  const file = files.find(({ name }) => name === FILE) ?? files[0]
  if (!file) throw new NoFilesError(`${directory} contains neither ${FILE} nor cwe.csv.`)
  return file
}

/** Names are looked up when a record is shown, so a changed name does not require publishing any CVE again. */
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
