// npm run conformance [-- --verbose]: runs the suite of conformance/ against a service that this program starts.
//
// The service holds the real upstream files from the folder VIS_DATA, or a copy of the database WHOLE_CATALOG, into
// which the real files were loaded earlier because loading takes minutes. Without either setting, the service holds a
// small data set of generated records and the sample.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printReport } from '../../../conformance/lib/report.mjs'
import { type Result, runSuite, selectChecks } from '../../../conformance/lib/suite.mjs'
import { loadCatalog, loadFolder, REAL_DATA_NOW } from '../support/catalog/load-catalog.ts'
import { findRealData } from '../support/real-data.ts'
import {
  askForCheck,
  type ExpectedSkips,
  findDifferences,
  REAL_DATA_SKIPS,
  SMALL_DATA_SKIPS,
  WHOLE_CATALOG_SKIPS,
} from './expectations.ts'
import { type Catalog, startService } from './service-setup.ts'
import { SMALL_NOW, writeSmallData } from './small-data.ts'

const { values } = parseArgs({ options: { verbose: { type: 'boolean', default: false } } })
const { data, catalog, expectedSkips } = chooseData()
const started = performance.now()
process.stdout.write(`Loading ${data} …\n`)
const service = await startService(catalog)
try {
  const loadSeconds = secondsSince(started)
  const { results, calls, unanswered } = await runSuite(service)
  process.stdout.write(`${calls} calls; loading took ${loadSeconds} s, the whole run ${secondsSince(started)} s\n`)
  report(results, unanswered)
} finally {
  await service.stop()
}

function chooseData(): { data: string; catalog: Catalog; expectedSkips: ExpectedSkips } {
  const template = process.env['WHOLE_CATALOG']
  const files = findRealData()
  if (template === undefined && files === undefined)
    return { data: 'the small data', catalog: { now: SMALL_NOW, load: loadSmallData }, expectedSkips: SMALL_DATA_SKIPS }
  const load = (url: string) => loadCatalog(url, files ?? '')
  const expectedSkips = template === undefined ? REAL_DATA_SKIPS : WHOLE_CATALOG_SKIPS
  return { data: 'the real data', catalog: { now: REAL_DATA_NOW, template, load }, expectedSkips }
}

async function loadSmallData(url: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vis-conformance-'))
  try {
    await writeSmallData(folder)
    await loadFolder(url, folder, SMALL_NOW)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Prints the differences from the expected results first, so that the last line of the run always shows the counts. */
function report(results: readonly Result[], unanswered: readonly string[]): void {
  for (const { section, name } of values.verbose ? results.filter(({ status }) => status === 'passed') : [])
    process.stdout.write(`passed  ${section}: ${name}\n`)
  const differences = [...findDifferences(selectChecks(), results, expectedSkips), ...unanswered.map(askForCheck)]
  for (const sentence of differences) process.stderr.write(`${sentence}\n`)
  if (differences.length > 0) process.exitCode = 1
  printReport(results)
}

function secondsSince(time: number): string {
  return ((performance.now() - time) / 1000).toFixed(1)
}
