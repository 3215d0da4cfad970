import { Command } from 'commander'
import { publish } from '../catalog/publish/publish.ts'
import { readSourceData } from '../catalog/publish/read-source-data.ts'
import { rebuild } from '../catalog/publish/rebuild.ts'
import { COVERED, type Coverage, measureCoverage, type YearCoverage } from '../catalog/reports/coverage.ts'
import { explain } from '../catalog/reports/explain.ts'
import { resolve } from '../catalog/resolve/resolve.ts'
import { loadConfig, loadEnvironment } from '../config.ts'
import { parseCanonicalCveId } from '../domain/cve-id.ts'
import { UsageError } from '../domain/usage-error.ts'
import { stopSignal } from '../runtime/stop-signal.ts'
import { chooseClock } from './input/clock-option.ts'
import { facts as factLines, heading, number, remark, say, sayJson, table } from './output/print.ts'
import { publishProgress } from './output/publish-progress.ts'
import { publicationLine, publishNow, withCatalogSession } from './publish-now.ts'

interface Wish {
  readonly json?: boolean
  readonly now?: string
}

export function catalogCommand(): Command {
  const catalog = new Command('catalog').description('what we conclude from all sources, and serve')
  const command = (words: string, description: string) =>
    catalog.command(words).description(description).option('--json', 'print JSON, for scripts')
  const now: [string, string] = ['--now <time>', 'pretend that it is this time (for demonstrations and tests)']
  command('publish', 'publish what waits for it; sync and worker do so by themselves')
    .option(...now)
    .action((wish: Wish) => bringUpToDate(wish, publish))
  command('rebuild', 'conclude every record again from what the sources said, and publish what is different')
    .option(...now)
    .action((wish: Wish) => bringUpToDate(wish, rebuild))
  command('explain <cve-id>', 'of one CVE: every value, who said it, and what else was said').action(explainOne)
  command('coverage', 'how much is known, by year: from NVD alone and merged; and whose scores are wrong').action(cover)
  return catalog
}

async function bringUpToDate(wish: Wish, work: typeof publish): Promise<void> {
  const config = loadConfig(loadEnvironment())
  const [clock, stop] = [chooseClock(config, wish.now), stopSignal()]
  const publication = await publishNow(config, clock, stop.signal, work).finally(() => stop.forget())
  if (wish.json) sayJson(publication)
  else say(publicationLine(publication))
}

async function explainOne(text: string, { json = false }: Wish): Promise<void> {
  const cveId = parseCanonicalCveId(text)
  if (!cveId) throw new UsageError(`${JSON.stringify(text)} is not a CVE id; it should look like CVE-2021-44228.`)
  const [facts] = await withCatalogSession(loadConfig(loadEnvironment()), ({ db }) => readSourceData(db, [cveId]))
  const resolved = facts && resolve(facts)
  if (!resolved) throw new UsageError(`No source has a record of ${cveId}, so none is published.`)
  const values = explain(facts, resolved)
  if (json) return sayJson({ cve_id: cveId, values })
  say(heading(cveId))
  say(
    table(
      ['value', 'is', 'says', 'otherwise'],
      values.map(({ name, value, by, runnersUp }) => [name, value, by, runnersUp.join('; ')]),
    ),
  )
}

async function cover({ json = false }: Wish): Promise<void> {
  const line = publishProgress(process.stderr)
  const coverage = await withCatalogSession(loadConfig(loadEnvironment()), (session) =>
    measureCoverage(session, (done) => line.show({ done, total: undefined })),
  )
  line.clear()
  if (json) return sayJson({ ...coverage, disagreements: Object.fromEntries(coverage.disagreements) })
  say(coverageTable(coverage.years))
  sayScores(coverage)
}

function coverageTable(years: readonly YearCoverage[]): string {
  const share = (part: number, whole: number) => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)}`)
  return table(
    ['year', 'in nvd', 'all', ...COVERED.map((name) => `${name} %`)],
    years.map(({ year, inNvd, all, having }) => [
      year,
      inNvd,
      all,
      ...COVERED.map((name) => {
        const { nvdAlone, nvdMerged, allMerged } = having[name]
        return `${share(nvdAlone, inNvd)} → ${share(nvdMerged, inNvd)}; ${share(allMerged, all)}`
      }),
    ]),
  )
}

function sayScores({ ratings, disagreements, examples }: Coverage): void {
  const total = [...disagreements.values()].reduce((sum, each) => sum + each, 0)
  remark('Shares: of the ids that NVD has, by NVD alone → merged; of all ids, merged. Rejected ones are left out.')
  say(heading(`\n${number(total)} of ${number(ratings)} scores are not what their vector gives`))
  const byCount = [...disagreements].sort(([, a], [, b]) => b - a)
  say(factLines(Object.fromEntries(byCount.map(([group, count]) => [group, number(count)]))))
  for (const { cveId, rating } of examples)
    say(`${cveId}  ${rating.by} said ${rating.statedScore}, it is ${rating.score}: ${rating.vector}`)
}
