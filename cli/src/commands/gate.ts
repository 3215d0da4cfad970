import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Level, SearchFilters, Severity } from 'vis-sdk'
import { PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, FailedCheck, type OptionValues, UsageError } from '../command.ts'
import { checkIds, checkSearch, type GateReport, MAX_IDS_PER_CALL } from '../gate/check.ts'
import { type Conditions, MIN_SCORES } from '../gate/conditions.ts'
import { GATE_EXIT_CODES, getResult, renderMatches, renderSummary, toJsonReport } from '../gate/report.ts'
import { toSarif } from '../gate/sarif.ts'
import { FILE_OPTION, INPUT_GROUP, JSON_OPTION, OUTPUT_GROUP } from '../options.ts'
import { readIds } from '../read-ids.ts'
import { formatCredits } from '../render/credits.ts'
import { formatJson } from '../render/text.ts'
import { clearReport, writeReport } from '../report-file.ts'
import { readVersion } from '../version.ts'
import { addEnrichment, LEVELS, SEVERITIES } from './filters.ts'

const CONDITION_GROUP = 'Conditions (a CVE is found if it meets one of them):'

const OPTIONS: readonly Option[] = [
  new Option('--kev', 'The CVE is in the KEV catalog').helpGroup(CONDITION_GROUP),
  new Option('--epss-min <score>', 'The EPSS score is at least this, 0.0 to 1.0')
    .argParser(parseEpssMin)
    .helpGroup(CONDITION_GROUP),
  new Option('--severity <level>', 'The severity is at least this: high means high and critical')
    .choices(SEVERITIES)
    .argParser(parseLevel)
    .helpGroup(CONDITION_GROUP),
  new Option('--priority <level>', 'The priority is at least this urgent: P1 means P0 and P1')
    .choices(LEVELS)
    .argParser(parsePriority)
    .helpGroup(CONDITION_GROUP),
  FILE_OPTION,
  new Option(
    '--search <query>',
    'Check the CVEs that a search finds: words, or parameters of /api/v1/cves such as "q=openssl&published_after=2026-01-01"',
  ).helpGroup(INPUT_GROUP),
  new Option('--allow-unknown', 'Accept CVE ids that the service does not know').helpGroup(INPUT_GROUP),
  new Option('--allow-unscored', 'Accept CVEs without a value that a condition needs').helpGroup(INPUT_GROUP),
  new Option('--allow-stale', 'Accept data that is older than its maximum age').helpGroup(INPUT_GROUP),
  new Option('--allow-empty', 'Accept an empty list of CVEs').helpGroup(INPUT_GROUP),
  JSON_OPTION,
  new Option('--sarif', 'Print SARIF 2.1.0').conflicts('json').helpGroup(OUTPUT_GROUP),
  new Option('--output <file>', 'Write the JSON or SARIF to this file and print the table').helpGroup(OUTPUT_GROUP),
]

export function createGateCommand(context: Context): Command {
  return createCommand({
    name: 'gate',
    summary: `Fail if a CVE meets a condition (${formatCredits(PRICES.searchCves)} per ${MAX_IDS_PER_CALL} CVEs). Exit codes: 0 none found, 1 found, 2 not everything was compared`,
    options: OPTIONS,
    examples: [
      'visctl gate --kev --file cves.txt',
      'scanner | visctl gate --kev --epss-min 0.5 --severity critical',
      'visctl gate --priority P1 --file cves.txt',
      'visctl gate --kev --file cves.txt --sarif --output gate.sarif',
      "visctl gate --kev --search 'q=openssl&published_after=2026-01-01'",
    ],
  })
    .argument('[cve...]', 'CVE ids; without ids, --file and --search, ids are read from standard input')
    .action(async (words: readonly string[], values: OptionValues) => {
      try {
        await runGate(context, words, values)
      } catch (error) {
        throw new FailedCheck(error)
      }
    })
}

async function runGate(context: Context, words: readonly string[], values: OptionValues): Promise<void> {
  const { terminal, setExitCode } = context
  const conditions = readConditions(values)
  const output = values['output']
  if (output !== undefined && !values['json'] && !values['sarif']) {
    throw new UsageError('--output requires --json or --sarif.')
  }
  if (typeof output === 'string') await clearReport(output)
  const report = await check(context, words, values, conditions)
  const allowed = {
    unknown: values['allowUnknown'] === true,
    unscored: values['allowUnscored'] === true,
    stale: values['allowStale'] === true,
  }
  const result = getResult(report, allowed)
  const table = renderMatches(terminal, report)
  const document = values['json']
    ? formatJson(toJsonReport(report, result))
    : values['sarif']
      ? formatJson(toSarif(report, allowed, readVersion()))
      : undefined
  if (typeof output === 'string') await writeReport(output, document ?? '')
  await terminal.write(document === undefined || output !== undefined ? table : document)
  terminal.printNote(renderSummary(report, allowed))
  setExitCode(GATE_EXIT_CODES[result])
}

function readConditions({ kev, epssMin, severity, priority }: OptionValues): Conditions {
  if ([kev, epssMin, severity, priority].every((condition) => condition === undefined)) {
    throw new UsageError('There is no condition.', 'Pass at least one of --kev, --epss-min, --severity and --priority.')
  }
  // The casts are safe: parseEpssMin returns a number, parseLevel a severity, and parsePriority a level.
  return {
    kev: kev === true,
    epssMin: epssMin as number | undefined,
    severity: severity as Severity | undefined,
    priority: priority as Level | undefined,
  }
}

async function check(
  { connect, input }: Context,
  words: readonly string[],
  values: OptionValues,
  conditions: Conditions,
): Promise<GateReport> {
  const { search, file, allowEmpty } = values
  const rejectEmpty = (checked: number, text: string) => {
    if (checked === 0 && allowEmpty !== true) throw new UsageError(text, 'Pass --allow-empty if this is expected.')
  }
  if (typeof search === 'string') {
    if (words.length > 0 || file !== undefined) throw new UsageError('Give either CVE ids or --search, not both.')
    const report = await checkSearch(await connect(values), parseQuery(search), conditions)
    rejectEmpty(report.checked, 'The search finds no CVE, so nothing was checked.')
    return report
  }
  const list = await readIds(words, typeof file === 'string' ? file : undefined, input)
  rejectEmpty(list.ids.length, `There are no CVE ids in ${list.origin}, so nothing was checked.`)
  return checkIds(await connect(values), list, conditions)
}

const OWN_PARAMETERS = ['ids', 'limit', 'after', 'fields', 'include']

/** Parses `q=openssl&kev=true`. Text without `=` is treated as search words. The service validates names and values. */
function parseQuery(query: string): SearchFilters {
  const parameters = new URLSearchParams(query.includes('=') ? query : { q: query })
  const own = OWN_PARAMETERS.find((name) => parameters.has(name))
  if (own !== undefined) throw new UsageError(`--search cannot contain ${own}.`)
  if ([...parameters.values()].every((value) => value.trim() === '')) throw new UsageError('--search is empty.')
  return addEnrichment(
    Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name).join(',')])),
  )
}

function parseEpssMin(text: string): number {
  const score = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || score > 1) {
    throw new InvalidArgumentError('It must be a number from 0.0 to 1.0.')
  }
  return score
}

function parseLevel(text: string): Severity {
  const level = text.toLowerCase()
  if (Object.hasOwn(MIN_SCORES, level)) return level as Severity
  throw new InvalidArgumentError(`It must be one of ${SEVERITIES.join(', ')}; high means high and critical.`)
}

function parsePriority(text: string): Level {
  const level = LEVELS.find((each) => each === text.toUpperCase())
  if (level !== undefined) return level as Level
  throw new InvalidArgumentError(`It must be one of ${LEVELS.join(', ')}; P1 means P0 and P1.`)
}
