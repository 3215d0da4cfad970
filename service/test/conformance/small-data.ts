// Writes the small data set of the conformance run: generated records and the sample of the demonstration, merged into
// one folder of upstream files. KEV and EPSS are snapshots, so loading two folders in sequence would keep only the
// second.
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { writeUpstreamFiles } from '../support/generator/upstream-files.ts'

const SAMPLE = fileURLToPath(new URL('../../sample', import.meta.url))
/** The suite needs a period of 120 days in which at least 150 CVEs were published; with 2500 CVEs there is one. */
const GENERATED = { records: 2500, seed: 1, today: '2026-08-22' } as const
/**
 * Time on the service's clock. The newest generated event is at most 30 hours older, and the sample has events from the
 * day before.
 */
export const SMALL_NOW = `${GENERATED.today}T06:00:00Z`

/**
 * Files of the sample that are merged with generated ones, or not used. The NVD feed imports nvdcve-2.0-modified.json
 * after the generated year files.
 */
const MERGED_OR_UNUSED = [
  'README.md',
  'cvelist5.ndjson',
  'earlier',
  'epss-history',
  'epss_scores-2026-08-15.csv',
  'known_exploited_vulnerabilities.json',
  'poc_in_github.ndjson',
]

const CVE_ID = /CVE-\d{4}-\d+/

export async function writeSmallData(folder: string): Promise<void> {
  await writeUpstreamFiles(folder, GENERATED)
  for (const name of await readdir(SAMPLE))
    if (!MERGED_OR_UNUSED.includes(name)) await cp(join(SAMPLE, name), join(folder, name), { recursive: true })
  const sampleIds = await findSampleIds()
  await mergeKev(folder, sampleIds)
  const [, , ...scores] = await readSampleLines('epss_scores-2026-08-15.csv')
  await mergeLines(join(folder, `epss_scores-${GENERATED.today}.csv.gz`), sampleIds, scores)
  for (const name of ['cvelist5.ndjson', 'poc_in_github.ndjson'])
    await mergeLines(join(folder, `${name}.gz`), sampleIds, await readSampleLines(name))
}

function readSample(name: string): Promise<string> {
  return readFile(join(SAMPLE, name), 'utf8')
}

async function readSampleLines(name: string): Promise<readonly string[]> {
  return (await readSample(name)).trimEnd().split('\n')
}

/**
 * Finds the CVE ids of the sample. Four generated ids are also in the sample; the sample replaces the generated
 * entries.
 */
async function findSampleIds(): Promise<ReadonlySet<string>> {
  const names = ['nvdcve-2.0-modified.json', 'cvelist5.ndjson', 'known_exploited_vulnerabilities.json']
  const lines = (await Promise.all(names.map(readSampleLines))).flat()
  return new Set(lines.flatMap((line) => CVE_ID.exec(line) ?? []))
}

/**
 * Appends the lines of a sample file to a generated file. Removes generated lines whose first CVE id is also in the
 * sample.
 */
async function mergeLines(path: string, sampleIds: ReadonlySet<string>, lines: readonly string[]): Promise<void> {
  const generated = gunzipSync(await readFile(path))
    .toString()
    .trimEnd()
    .split('\n')
  const kept = generated.filter((line) => !sampleIds.has(CVE_ID.exec(line)?.[0] ?? ''))
  await writeFile(path, gzipSync(`${[...kept, ...lines].join('\n')}\n`))
}

interface KevCatalog {
  readonly count: number
  readonly vulnerabilities: readonly { readonly cveID: string }[]
}

async function mergeKev(folder: string, sampleIds: ReadonlySet<string>): Promise<void> {
  const path = join(folder, 'known_exploited_vulnerabilities.json')
  const generated: KevCatalog = JSON.parse(await readFile(path, 'utf8'))
  const sample: KevCatalog = JSON.parse(await readSample('known_exploited_vulnerabilities.json'))
  const kept = generated.vulnerabilities.filter(({ cveID }) => !sampleIds.has(cveID))
  const vulnerabilities = [...kept, ...sample.vulnerabilities]
  await writeFile(path, JSON.stringify({ ...generated, count: vulnerabilities.length, vulnerabilities }))
}
