import { Command } from 'commander'
import { readProductNames } from '../catalog/publish/names/product-names.ts'
import { publish } from '../catalog/publish/publish.ts'
import { readReferenceData } from '../catalog/publish/read/read-reference-data.ts'
import { readSourceData } from '../catalog/publish/read/read-source-data.ts'
import { rebuild } from '../catalog/publish/rebuild.ts'
import { findTechniques } from '../catalog/render/techniques.ts'
import { ADVISORY_IDS, explainAdvisory, findAdvisory, isAdvisoryId } from '../catalog/reports/advisories.ts'
import { explain } from '../catalog/reports/explain.ts'
import { explainEuKev } from '../catalog/reports/explain-eu-kev.ts'
import { explainUnpublished, readUnpublished } from '../catalog/reports/unpublished.ts'
import { resolve } from '../catalog/resolve/resolve.ts'
import { parseCanonicalCveId } from '../domain/cve-id.ts'
import { UsageError } from '../domain/usage-error.ts'
import { listenForStop } from '../runtime/stop-signal.ts'
import { configureAuditCommand } from './catalog-audit.ts'
import { configureCoverageCommand } from './catalog-coverage.ts'
import { chooseClock, NOW_OPTION } from './input/clock-option.ts'
import { type CommandIo, readConfig } from './io.ts'
import { printHeading, printJson, printLine, printTable } from './output/print.ts'
import { showPriorities } from './priorities.ts'
import { describePublication, publishNow, withCatalogSession } from './publish-now.ts'
import { snapshotCatalog } from './snapshot.ts'
import { verifyCatalog } from './verify-catalog.ts'

interface Options {
  readonly json?: boolean
  readonly now?: string
}

interface RebuildOptions extends Options {
  readonly verify?: boolean
  readonly repair?: boolean
}

export function catalogCommand(io: CommandIo): Command {
  const catalog = new Command('catalog').description('Publish and inspect the catalog of CVEs merged from all sources')
  const command = (usage: string, description: string) =>
    catalog.command(usage).description(description).option('--json', 'Print JSON')
  command('publish', 'Publish queued changes now; sync and worker publish them automatically')
    .option(...NOW_OPTION)
    .action((options: Options) => publishCatalog(io, options, publish))
  command('rebuild', 'Merge every CVE again from the stored source data and publish the differences')
    .option(
      '--verify',
      'Only report the CVEs whose published bytes differ from the newly merged ones; exit code 1 if any',
    )
    .option('--repair', 'With --verify: publish the differing CVEs again')
    .option(...NOW_OPTION)
    .action((options: RebuildOptions) => rebuildCatalog(io, options))
  command(
    'explain <id>',
    `Show every value of a CVE with its source and the values of other sources, or the content of an advisory (${ADVISORY_IDS})`,
  ).action((id: string, options: Options) =>
    isAdvisoryId(id) ? showAdvisory(io, id, options) : explainCve(io, id, options),
  )
  command(
    'priorities',
    'Count the CVEs of each priority, compare the policy with simpler rules, and measure derived SSVC values and deadlines',
  ).action((options: Options) => showPriorities(io, options))
  command('snapshot', 'Make a snapshot of every record now; worker makes one each night')
    .option(...NOW_OPTION)
    .action((options: Options) => snapshotCatalog(io, options))
  configureAuditCommand(
    command('audit', 'Count each kind of doubtful value in the served records, with examples and the coverage by year'),
    io,
  )
  configureCoverageCommand(
    command('coverage', 'Count the CVEs that have a score, products, a fix and other values, by year or by source'),
    io,
  )
  return catalog
}

async function rebuildCatalog(io: CommandIo, options: RebuildOptions): Promise<void> {
  if (options.verify) return verifyCatalog(io, options)
  if (options.repair) throw new UsageError('--repair requires --verify.')
  return publishCatalog(io, options, rebuild)
}

async function publishCatalog(io: CommandIo, options: Options, work: typeof publish): Promise<void> {
  const config = readConfig(io)
  const [clock, stop] = [chooseClock(config, options.now), listenForStop()]
  const publication = await publishNow(config, { clock, signal: stop.signal, screen: io.stderr, work }).finally(() =>
    stop.dispose(),
  )
  if (options.json) printJson(io, publication)
  else printLine(io, describePublication(publication))
}

async function explainCve(io: CommandIo, text: string, { json = false }: Options): Promise<void> {
  const cveId = parseCanonicalCveId(text)
  if (!cveId)
    throw new UsageError(
      `${JSON.stringify(text)} is neither a CVE id nor the id of an advisory. A CVE id looks like CVE-2021-44228.`,
    )
  const { sourceData, referenceData, productNames, unpublished } = await withCatalogSession(
    readConfig(io),
    async ({ db }) => ({
      sourceData: (await readSourceData(db, [cveId]))[0],
      referenceData: await readReferenceData(db),
      productNames: (await readProductNames(db)).productNames,
      unpublished: await readUnpublished(db, cveId),
    }),
  )
  const resolved = sourceData && resolve(sourceData, productNames)
  if (!resolved) throw new UsageError(`No source has a record of ${cveId}, so it is not published.`)
  const techniques = findTechniques(sourceData, resolved, referenceData)
  const values = [
    ...explain({ sourceData, resolved, techniques }),
    explainEuKev(sourceData.euKev),
    ...explainUnpublished(unpublished),
  ]
  if (json) return printJson(io, { cve_id: cveId, values })
  printHeading(io, cveId)
  printTable(io, {
    headings: ['field', 'value', 'source', 'time', 'other sources'],
    rows: values.map(({ name, value, by, time, runnersUp }) => [name, value, by, time, runnersUp.join('; ')]),
  })
}

async function showAdvisory(io: CommandIo, id: string, { json = false }: Options): Promise<void> {
  const advisory = await withCatalogSession(readConfig(io), ({ db }) => findAdvisory(db, id))
  if (!advisory) throw new UsageError(`No advisory ${id} is stored. vis-server feeds shows which feeds have run.`)
  const fields = explainAdvisory(advisory)
  if (json) return printJson(io, { advisory_id: advisory.id, fields })
  printHeading(io, advisory.id)
  printTable(io, { headings: ['field', 'value'], rows: fields.map(({ name, value }) => [name, value]) })
}
