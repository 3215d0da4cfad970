// Splits the real files of VIS_DATA into a folder for the first load and one for each later week, by the dates in the
// files. lab/README.md says what is real and what is rebuilt.
import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EPSS_RULE } from '../../service/src/domain/priority/epss-rule.ts'
import { readRecords } from '../../service/src/feeds/sources/nvd/container.ts'
import { readWeeks } from '../long/catalog/weekly-epss.ts'
import { type KevCatalog, type KevRelease, replayReleases } from './kev.ts'
import { listStates, type NvdRecord } from './nvd.ts'
import { createWeeks, toImportTime, type Weeks } from './weeks.ts'
import { LineParts, readLines, writeContainer, writeGzip } from './write-files.ts'

/** The first day of the model v2026.06.15; the weekly files name no model. */
const MODEL_DAY = '2026-06-15'
const NEW_MODEL = 'v2026.06.15'
/** The files are from this day, six days after the last scores. */
const LAST_DAY = '2026-08-22'

export interface Replay {
  readonly weeks: Weeks
  /** Folder with the files that are new in the week. */
  folder(day: string): string
}

interface Split {
  readonly data: string
  readonly more: string
  readonly target: string
  readonly weeks: Weeks
}

/** `root` contains `data` and `data-more`. `only` limits the number of weeks after the first load. */
export async function splitData(root: string, target: string, only = Number.POSITIVE_INFINITY): Promise<Replay> {
  const [data, more] = [join(root, 'data'), join(root, 'data-more')]
  const days = await splitEpss(more, target, only)
  const weeks = createWeeks(days.length > only ? days : [...days, LAST_DAY])
  const split = { data, more, target, weeks }
  await linkUnchanging(split)
  const published = await splitNvd(split)
  await splitKev(split)
  await splitEuKev(split)
  await splitNuclei(split, published)
  await splitRepositories(split)
  await splitGo(split)
  await splitModified(split)
  return { weeks, folder: (day) => join(target, day) }
}

/** Whole files of scores. A CVE whose score did not change keeps the percentile of the week in which it last changed. */
async function splitEpss(more: string, target: string, only: number): Promise<readonly string[]> {
  const scores = new Map<string, string>()
  const days: string[] = []
  for await (const { day, changed } of readWeeks(join(more, 'epss'))) {
    if (days.length > only) break
    for (const { id, score, percentile } of changed) scores.set(id, `${formatUnits(score)},${formatUnits(percentile)}`)
    const model = day < MODEL_DAY ? EPSS_RULE.referenceModel : NEW_MODEL
    const head = `#model_version:${model},score_date:${day}T12:00:00Z\ncve,epss,percentile\n`
    await writeGzip(join(target, day, `epss_scores-${day}.csv.gz`), joinScores(head, scores))
    days.push(day)
  }
  return days
}

const formatUnits = (units: number) => (units / 100_000).toFixed(5)

function* joinScores(head: string, scores: ReadonlyMap<string, string>): Generator<string> {
  let chunk = head
  for (const [id, values] of scores) {
    chunk += `${id},${values}\n`
    if (chunk.length < 1_000_000) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

/** Files that end before the first load or have no dates at all. */
const UNCHANGING: Readonly<Record<'data' | 'more', readonly RegExp[]>> = {
  data: [/^cvelist5/, /^cwe\.csv$/, /^capec_attack/, /^kev_attack_mapping/, /^files_exploits/, /^metasploit_modules/],
  more: [/^ghsa-(?!withdrawn)/, /^rustsec/, /^pypa/, /^csaf-/, /^debian-tracker/],
}

async function linkUnchanging({ data, more, target, weeks }: Split): Promise<void> {
  const first = join(target, weeks.days[0] ?? '')
  for (const [folder, patterns] of [
    [data, UNCHANGING.data],
    [more, UNCHANGING.more],
  ] as const)
    for (const name of await readdir(folder)) {
      if (!patterns.some((each) => each.test(name))) continue
      await link(join(folder, name), join(first, name === 'csaf-redhat-vex.ndjson.gz' ? 'redhat-vex.ndjson.gz' : name))
    }
}

async function link(path: string, as: string): Promise<void> {
  await rm(as, { force: true })
  await symlink(path, as)
}

const YEAR_FILE = /^nvdcve-2\.0-\d{4}\.json\.gz$/

/** Returns the time of each CVE's publication. */
async function splitNvd({ data, target, weeks }: Split): Promise<ReadonlyMap<string, string>> {
  const folder = join(data, 'nvd')
  const parts = new LineParts(join(target, 'parts'))
  const published = new Map<string, string>()
  const firstLoad = toImportTime(weeks.days[0] ?? '')
  for (const name of (await readdir(folder)).filter((each) => YEAR_FILE.test(each)).toSorted())
    for await (const reading of readRecords({ path: join(folder, name), name }, () => {})) {
      if (!('raw' in reading)) continue
      // The type assertion is correct for NVD's own files.
      const record = (reading.raw as { readonly cve?: NvdRecord }).cve ?? (reading.raw as NvdRecord)
      published.set(record.id, record.published)
      for (const [week, state] of placeStates(record, firstLoad, weeks))
        await parts.add(
          week === 0 ? `${weeks.days[0]}/${name}` : `${weeks.days[week]}/nvdcve-2.0-modified.json.gz`,
          state,
        )
    }
  for await (const { name, count, lines } of parts.files()) {
    const timestamp = toImportTime(name.slice(0, 10)).slice(0, -1)
    await writeContainer(join(target, name), { count, timestamp: `${timestamp}.000`, records: lines() })
  }
  await rm(join(target, 'parts'), { recursive: true, force: true })
  return published
}

/** If a record changes twice in a week, only its last state is seen. */
function placeStates(record: NvdRecord, firstLoad: string, weeks: Weeks): ReadonlyMap<number, string> {
  const placed = new Map<number, string>()
  for (const { at, record: state } of listStates(record, firstLoad)) {
    const week = weeks.place(at)
    if (week !== undefined) placed.set(week, JSON.stringify(state))
  }
  return placed
}

/** The first load also gets the releases before it, as an operator would import them. */
async function splitKev({ more, target, weeks }: Split): Promise<void> {
  const lines = await Array.fromAsync(readLines(join(more, 'kev-history.ndjson.gz')))
  const releases = lines.map((line) => JSON.parse(line) as KevRelease)
  const earlier = lines.filter((_, at) => weeks.place(releases[at]?.dateReleased ?? '') === 0)
  await writeGzip(join(target, weeks.days[0] ?? '', 'kev-history.ndjson.gz'), [`${earlier.join('\n')}\n`])
  const newest = new Map<number, KevCatalog>()
  replayReleases(releases, (catalog) => {
    const week = weeks.place(catalog.dateReleased)
    if (week !== undefined) newest.set(week, catalog)
  })
  for (const [week, catalog] of newest)
    await writeFile(
      join(target, weeks.days[week] ?? '', 'known_exploited_vulnerabilities.json'),
      JSON.stringify(catalog),
    )
}

interface EuEntry {
  readonly dateReported: string
}

async function splitEuKev({ more, target, weeks }: Split): Promise<void> {
  const entries = JSON.parse(await readFile(join(more, 'eukev/eukev.json'), 'utf8')) as readonly EuEntry[]
  const at = entries.map(({ dateReported }) => weeks.place(dateReported.replaceAll('/', '-')))
  for (const [week, day] of weeks.days.entries()) {
    const listed = entries.filter((_, index) => (at[index] ?? Number.POSITIVE_INFINITY) <= week)
    if (listed.length > 0) await writeFile(join(target, day, 'eukev.json'), JSON.stringify(listed))
  }
}

/** Templates have no date: a template appears in the week of its CVE's publication. */
async function splitNuclei({ data, target, weeks }: Split, published: ReadonlyMap<string, string>): Promise<void> {
  const lines = await Array.fromAsync(readLines(join(data, 'nuclei_cves.ndjson.gz')))
  const at = lines.map((line) => weeks.place(published.get((JSON.parse(line) as { readonly ID: string }).ID) ?? ''))
  for (const [week, day] of weeks.days.entries()) {
    const known = lines.filter((_, index) => (at[index] ?? Number.POSITIVE_INFINITY) <= week)
    await writeGzip(join(target, day, 'nuclei_cves.ndjson.gz'), [`${known.join('\n')}\n`])
  }
}

interface Repositories {
  readonly cve: string
  readonly repos: readonly { readonly created_at: string }[]
}

async function splitRepositories({ data, target, weeks }: Split): Promise<void> {
  const lines = await Array.fromAsync(readLines(join(data, 'poc_in_github.ndjson.gz')))
  const all = lines.map((line) => JSON.parse(line) as Repositories)
  for (const day of weeks.days) {
    const known = all
      .map((each) => ({ ...each, repos: each.repos.filter(({ created_at: time }) => time <= toImportTime(day)) }))
      .filter(({ repos }) => repos.length > 0)
    await writeGzip(join(target, day, 'poc_in_github.ndjson.gz'), [
      `${known.map((each) => JSON.stringify(each)).join('\n')}\n`,
    ])
  }
}

async function splitGo({ more, target, weeks }: Split): Promise<void> {
  const byWeek = new Map<number, string[]>()
  for await (const line of readLines(join(more, 'go-vulndb.osv.ndjson.gz'))) {
    const week = weeks.place((JSON.parse(line) as { readonly published: string }).published)
    if (week !== undefined) byWeek.set(week, [...(byWeek.get(week) ?? []), line])
  }
  for (const [week, lines] of byWeek)
    await writeGzip(join(target, weeks.days[week] ?? '', 'go-vulndb.osv.ndjson.gz'), [`${lines.join('\n')}\n`])
}

interface Modified {
  readonly modified?: string
  readonly _annotation?: { readonly modified?: string }
}

/** Whole files whose records are dated by their last change: a week has the records that were changed by then. */
async function splitModified({ data, more, target, weeks }: Split): Promise<void> {
  for (const [folder, name] of [
    [more, 'bitnami.osv.ndjson.gz'],
    [more, 'almalinux.osv.ndjson.gz'],
    [data, 'nvd/nvd_overrides_anchore.ndjson.gz'],
  ] as const) {
    const lines = await Array.fromAsync(readLines(join(folder, name)))
    const at = lines.map((line) => {
      const record = JSON.parse(line) as Modified
      return weeks.place(record.modified ?? record._annotation?.modified ?? '')
    })
    for (const [week, day] of weeks.days.entries()) {
      if (!at.includes(week)) continue
      const known = lines.filter((_, index) => (at[index] ?? Number.POSITIVE_INFINITY) <= week)
      await writeGzip(join(target, day, name), [`${known.join('\n')}\n`])
    }
  }
}
