// Builds CWE catalogs as XML and as CSV, and a harness that imports them. The ids are real, the texts are invented.
import type { RunDependencies } from '../../../../src/feeds/engine/run.ts'
import { cweFeed } from '../../../../src/feeds/sources/cwe/feed.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { createZip } from '../../formats/zip-builder.ts'

export const CSV_HEADER = 'id,kind,name,abstraction,status,description'

export function buildWeakness(
  id: number,
  name = `Weakness ${id}`,
  more = 'Abstraction="Base" Status="Stable"',
): string {
  return `<Weakness ID="${id}" Name="${name}" ${more}><Description>About ${name}.</Description></Weakness>`
}

export function buildWeaknesses(count: number): string {
  return Array.from({ length: count }, (_, index) => buildWeakness(index + 1)).join('\n')
}

export interface CatalogOptions {
  readonly version?: string
  readonly date?: string
  readonly categories?: string
  readonly views?: string
}

export function buildCatalog(weaknesses: string, options: CatalogOptions = {}): string {
  const { version = '4.16', date = '2024-11-19' } = options
  const category =
    '<Category ID="310" Name="Cryptographic Issues" Status="Draft"><Summary>Weaknesses of cryptography.</Summary></Category>'
  const view =
    '<View ID="1000" Name="Research Concepts" Type="Graph" Status="Draft"><Objective>Supports research.</Objective></View>'
  return `<?xml version="1.0" encoding="UTF-8"?>
    <Weakness_Catalog xmlns="http://cwe.mitre.org/cwe-7" Name="CWE" Version="${version}" Date="${date}">
      <Weaknesses>${weaknesses}</Weaknesses>
      <Categories>${options.categories ?? category}</Categories>
      <Views>${options.views ?? view}</Views>
      <External_References/>
    </Weakness_Catalog>`
}

export function zipCatalog(xml: string): Buffer {
  return createZip([{ name: 'cwec_v4.16.xml', content: xml }])
}

export async function createCweHarness() {
  const harness = await createFeedHarness()
  const feed = cweFeed({ url: 'https://cwe.example/' })
  const importFile = (name: string, content: string | Buffer, changed?: Partial<RunDependencies>) =>
    harness.importFiles(feed, { [name]: content }, changed)
  return {
    ...harness,
    importFile,
    /** Runs the CWE feed on a directory that contains only the given XML catalog in a zip file, as MITRE publishes it. */
    importXml: (xml: string) => importFile('cwec_latest.xml.zip', zipCatalog(xml)),
    /** Runs the CWE feed on a directory that contains only a CSV table of the given lines. */
    importCsv: (lines: readonly string[], changed?: Partial<RunDependencies>) =>
      importFile(
        'cwe.csv',
        lines
          .map(
            (line) => `${line}
`,
          )
          .join(''),
        changed,
      ),
    listStored: () =>
      harness.selectRows<Record<string, unknown>>(`
        select cwe_id, kind, name, abstraction, status, is_deprecated, description, removed_at
          from source.weakness
         order by length(cwe_id), cwe_id
      `),
  }
}
