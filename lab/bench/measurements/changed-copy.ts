// Creates a copy of the real upstream files in which one record in a hundred is changed.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, gunzipSync, gzipSync } from 'node:zlib'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'

export interface ChangedCopy {
  readonly folder: string
  /** Number of changed records per feed. */
  readonly counts: Readonly<Record<'nvd' | 'cve' | 'kev' | 'epss', number>>
}

const isChanged = (index: number) => index % 100 === 50

export async function createChangedCopy(from: string): Promise<ChangedCopy> {
  const folder = mkdtempSync(join(tmpdir(), 'vis-changed-'))
  cleanUpAfterTests(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(`${folder}/nvd`)
  const years = readdirSync(`${from}/nvd`).filter((name) => /^nvdcve-2\.0-\d{4}\.json\.gz$/.test(name))
  const nvd = years.reduce((sum, name) => sum + changeYear(`${from}/nvd/${name}`, `${folder}/nvd/${name}`), 0)
  const cve = changeCveList(`${from}/cvelist5.ndjson.gz`, `${folder}/cvelist5.ndjson.gz`)
  const kevName = 'known_exploited_vulnerabilities.json'
  const kev = changeKev(`${from}/${kevName}`, `${folder}/${kevName}`)
  const epssName = readdirSync(from).find((name) => name.startsWith('epss_scores-')) ?? ''
  const epss = changeEpss(`${from}/${epssName}`, `${folder}/${epssName}`)
  return { folder, counts: { nvd, cve, kev, epss } }
}

const readGzip = (file: string) => gunzipSync(readFileSync(file)).toString('utf8')
const writeGzip = (file: string, text: string) => writeFileSync(file, gzipSync(text, { level: constants.Z_BEST_SPEED }))

function changeYear(from: string, to: string): number {
  const container: { vulnerabilities: { cve: Record<string, unknown> }[] } = JSON.parse(readGzip(from))
  const chosen = container.vulnerabilities.filter((_, index) => isChanged(index))
  for (const { cve } of chosen) cve['vulnStatus'] = 'Changed for a test'
  writeGzip(to, JSON.stringify(container))
  return chosen.length
}

function changeCveList(from: string, to: string): number {
  const lines = readGzip(from).trimEnd().split('\n')
  const changed = lines.map((line, index) => (isChanged(index) ? line.replace('{', '{"changedForATest":true,') : line))
  writeGzip(to, `${changed.join('\n')}\n`)
  return lines.filter((_, index) => isChanged(index)).length
}

function changeKev(from: string, to: string): number {
  const catalog: { vulnerabilities: { notes: string }[] } = JSON.parse(readFileSync(from, 'utf8'))
  const chosen = catalog.vulnerabilities.filter((_, index) => isChanged(index))
  for (const entry of chosen) entry.notes = 'Changed for a test'
  writeFileSync(to, JSON.stringify(catalog))
  return chosen.length
}

function changeEpss(from: string, to: string): number {
  const [head = '', names = '', ...lines] = readGzip(from).trimEnd().split('\n')
  const changed = lines.map((line, index) => (isChanged(index) ? line.replace(/,[^,]+$/, ',0.12345') : line))
  writeGzip(to, `${[head, names, ...changed].join('\n')}\n`)
  return changed.filter((line, index) => line !== lines[index]).length
}
