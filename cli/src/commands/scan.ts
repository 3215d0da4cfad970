import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { SbomScan, ScanFormat, ScanOptions } from 'vis-sdk'
import { PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, FailedCheck, getErrorMessage, type OptionValues, UsageError } from '../command.ts'
import { formatComponentsCsv } from '../components/csv.ts'
import { renderFixPlan } from '../components/fix-plan.ts'
import { listUnjudged } from '../components/unjudged.ts'
import { MATCH_OPTIONS, readMatchOptions } from '../match-options.ts'
import { JSON_OPTION, OUTPUT_GROUP, toFlag } from '../options.ts'
import { readListFile } from '../read-ids.ts'
import { formatCredits } from '../render/credits.ts'
import { rankLevel } from '../render/priority.ts'
import type { Input, Terminal } from '../render/terminal.ts'
import { formatJson } from '../render/text.ts'
import { clearReport, writeReport } from '../report-file.ts'
import { type Finding, listFindings } from '../scan/findings.ts'
import { createGateOptions, readGateOptions, SCAN_EXIT_CODES } from '../scan/gate.ts'
import { type AnyScan, listGaps, listSkipped, renderScanSummary, type ScanRequest } from '../scan/report.ts'
import { renderRows } from '../scan/rows.ts'
import { toScanSarif } from '../scan/sarif.ts'
import { readVersion } from '../version.ts'
import { LEVELS } from './filters.ts'

/** Size of the largest document that the service accepts. */
const MAX_BYTES = 10 * 1024 * 1024
/** Maximum number of matches per component in one answer. */
const MAX_MATCHES = 500
const ADVICE =
  'Give a CycloneDX or SPDX document in JSON, also compressed with gzip: a file, or standard input as the argument -.'

/** VEX formats by their command-line name. */
const VEX_FORMATS: Readonly<Record<string, Exclude<ScanFormat, 'json'>>> = {
  openvex: 'openvex',
  'cyclonedx-vex': 'cyclonedx_vex',
}

const QUERY_PARAMETERS: readonly string[] = [
  'confidence_min',
  'priority_max',
  'format',
  'fail_on',
  'allow',
  'own',
  'max_data_age',
  'triage',
]

/** Options that print a report for programs, by their names in commander. */
const REPORTS = ['json', 'csv', 'sarif', 'format'] as const

const CHECK_GROUP = 'Check:'

const OPTIONS: readonly Option[] = [
  new Option(
    '--fail-on <level>',
    'Exit with 1 if a CVE of this level or a more urgent one affects a component, and with 2 if not everything was judged',
  )
    .choices(LEVELS)
    .helpGroup(CHECK_GROUP),
  new Option(
    '--suppress <file>',
    'Hide hits that you have judged: a JSON list of id, purl, reason and until, or OpenVEX',
  ).helpGroup(CHECK_GROUP),
  new Option('--triage <use>', 'Hide what the triage states of your account cover: apply or ignore (default: ignore)')
    .choices(['apply', 'ignore'])
    .helpGroup(CHECK_GROUP),
  ...createGateOptions(CHECK_GROUP),
  new Option('--allow-empty', 'Accept a document without components').helpGroup(CHECK_GROUP),
  ...MATCH_OPTIONS,
  new Option('--matches-per-component <n>', 'Maximum number of listed matches of a component, 1 to 500 (default: 100)')
    .argParser(parseMaxMatches)
    .helpGroup(OUTPUT_GROUP),
  new Option(
    '--rows',
    'Print a row for each match and each component that is not covered, after the fix plan',
  ).helpGroup(OUTPUT_GROUP),
  JSON_OPTION,
  new Option('--csv', 'Print CSV: a row for each match, and for each component without one')
    .conflicts('json')
    .helpGroup(OUTPUT_GROUP),
  new Option('--sarif', 'Print SARIF 2.1.0').conflicts(['json', 'csv']).helpGroup(OUTPUT_GROUP),
  new Option('--format <format>', 'Print a VEX document in this format')
    .choices(Object.keys(VEX_FORMATS))
    .conflicts(['json', 'csv', 'sarif'])
    .helpGroup(OUTPUT_GROUP),
  new Option('--output <file>', 'Write the JSON, CSV, SARIF or VEX to this file').helpGroup(OUTPUT_GROUP),
]

export function createScanCommand(context: Context): Command {
  return createCommand({
    name: 'scan',
    summary: `Find the CVEs that affect the components of an SBOM (${formatCredits(PRICES.scanSbom)}). Exit codes: 0 scanned or passed, 1 --fail-on found a CVE, 2 not everything was judged, or not scanned`,
    options: OPTIONS,
    examples: [
      'visctl scan sbom.json',
      'visctl scan sbom.json --rows',
      'npm sbom --sbom-format cyclonedx | visctl scan - --fail-on P1',
      'visctl scan sbom.spdx.json.gz --sarif --output scan.sarif',
      'visctl scan sbom.json --format openvex > vex.json',
      'visctl scan sbom.json --suppress judged.json --priority-max P2',
      "visctl scan sbom.json --fail-on P1 --own 'pkg:npm/@acme/*' --allow 'uncovered:pkg:generic/*'",
    ],
  })
    .argument('[file]', 'CycloneDX or SPDX document in JSON; without a file, or for -, it is read from standard input')
    .action(async (file: string | undefined, values: OptionValues) => {
      try {
        await runScan(context, file, values)
      } catch (error) {
        throw new FailedCheck(error, nameParameter)
      }
    })
}

/** Query parameters are options. All others are members of the document or of the file with suppressed hits. */
function nameParameter(parameter: string): string {
  if (QUERY_PARAMETERS.includes(parameter)) return toFlag(parameter)
  const [, rest] = /^suppress(.*)$/.exec(parameter) ?? []
  if (rest !== undefined) return rest === '' ? '--suppress' : `--suppress, ${rest}`
  const path = parameter.replace(/^(body|document)(\.|$)/, '')
  return path === '' ? 'the document' : `the document, ${path}`
}

async function runScan(context: Context, file: string | undefined, values: OptionValues): Promise<void> {
  const { terminal, input, connect, setExitCode } = context
  const { format, output } = values
  const request = readRequest(values)
  const gateOptions = readGateOptions(values)
  if (output !== undefined && REPORTS.every((name) => values[name] === undefined)) {
    throw new UsageError('--output requires --json, --csv, --sarif or --format.')
  }
  if (typeof output === 'string') await clearReport(output)
  const document = await readDocument(file, input)
  const suppress = await readSuppressions(values['suppress'])
  const client = await connect(values)
  const scan: AnyScan = await client.scanSbom<ScanFormat>(document, {
    ...readMatchOptions(values),
    // The cast is safe: parseMaxMatches returns a number.
    ...(values['matchesPerComponent'] !== undefined && {
      matches_per_component: values['matchesPerComponent'] as number,
    }),
    ...(typeof format === 'string' && { format: VEX_FORMATS[format] ?? 'openvex' }),
    ...(request.failOn !== undefined && { fail_on: request.failOn }),
    ...(values['triage'] !== undefined && { triage: values['triage'] as NonNullable<ScanOptions['triage']> }),
    ...gateOptions,
    ...(suppress !== undefined && { suppress }),
  })
  if (values['allowEmpty'] !== true) rejectEmpty(scan)
  const exitCode = scan.gate === undefined ? 0 : SCAN_EXIT_CODES[scan.gate.result]
  const findings = listFindings(scan.components ?? [], scan.fix_plan ?? [])
  const report = createReport(scan, values, { findings, request, exitCode, origin: toOrigin(file) })
  if (typeof output === 'string') await writeReport(output, report ?? '')
  const isText = report === undefined || output !== undefined
  await terminal.write(isText ? renderText(terminal, scan, findings, values['rows'] === true) : report)
  terminal.printNote(renderScanSummary(scan, request))
  setExitCode(exitCode)
}

function renderText(
  terminal: Terminal,
  { components = [], fix_plan = [] }: AnyScan,
  findings: readonly Finding[],
  hasRows: boolean,
): string {
  const plan = renderFixPlan(terminal, fix_plan, components)
  const rows = hasRows ? renderRows(terminal, findings, components) : ''
  return [plan, rows].filter((text) => text !== '').join('\n')
}

/** A level that is not listed cannot fail the check, so --fail-on must be one of the listed levels. */
function readRequest({ failOn, priorityMax }: OptionValues): ScanRequest {
  // The casts are safe: commander checks the choices.
  const request = { failOn: failOn as MaxLevel | undefined, priorityMax: priorityMax as MaxLevel | undefined }
  if (request.failOn !== undefined && rankLevel(request.failOn) > rankLevel(request.priorityMax ?? 'P4')) {
    throw new UsageError(
      `--fail-on ${request.failOn} needs levels that --priority-max ${request.priorityMax} leaves out.`,
      `Leave --priority-max out, or give at least ${request.failOn}.`,
    )
  }
  return request
}

function parseMaxMatches(text: string): number {
  const count = Number(text)
  if (!/^\d{1,3}$/.test(text) || count < 1 || count > MAX_MATCHES) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_MATCHES}.`)
  }
  return count
}

function toOrigin(file: string | undefined): string {
  return file === undefined || file === '-' ? 'stdin' : file
}

async function readDocument(file: string | undefined, input: Input): Promise<Uint8Array> {
  const isStandardInput = file === undefined || file === '-'
  if (isStandardInput && input.isTerminal) throw new UsageError('There is no document.', ADVICE)
  const bytes = isStandardInput ? await input.readBytes() : await readDocumentFile(file)
  if (bytes.length === 0) throw new UsageError(`The document in ${toOrigin(file)} is empty.`, ADVICE)
  if (bytes.length > MAX_BYTES) throw new UsageError('The document has more than 10 MiB.', ADVICE)
  return bytes
}

async function readDocumentFile(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new UsageError(`The file ${file} could not be read: ${getErrorMessage(error)}.`, ADVICE)
  }
}

async function readSuppressions(file: unknown): Promise<ScanOptions['suppress']> {
  if (typeof file !== 'string') return undefined
  const json = parseJson(await readListFile(file))
  // The cast is needed because the list comes from a file. The service validates it.
  if (typeof json === 'object' && json !== null) return json as ScanOptions['suppress']
  throw new UsageError(`The file ${file} is neither a JSON list of hits nor an OpenVEX document.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

/** A check of an empty document must not look like a check without findings. */
function rejectEmpty({ sbom }: AnyScan): void {
  if (sbom.components_read > 0) return
  const text = ['The document has no component that can be checked', ...listSkipped(sbom)].join('. ')
  throw new UsageError(`${text}.`, 'Pass --allow-empty if this is expected.')
}

type MaxLevel = NonNullable<ScanOptions['fail_on']>

interface ReportParts {
  readonly findings: readonly Finding[]
  readonly request: ScanRequest
  readonly exitCode: number
  readonly origin: string
}

/** Returns the machine-readable report, if one was requested. */
function createReport(
  scan: AnyScan & { readonly document?: SbomScan<'openvex'>['document'] },
  { json, csv, sarif, format }: OptionValues,
  { findings, request, exitCode, origin }: ReportParts,
): string | undefined {
  if (json === true) return formatJson(scan)
  const { components = [], fix_plan = [], gate } = scan
  if (format !== undefined) return formatJson(scan.document)
  if (csv === true) return formatComponentsCsv(components, fix_plan)
  if (sarif !== true) return undefined
  const [unjudged, gaps] = [listUnjudged(components), listGaps(scan, request)]
  return formatJson(toScanSarif({ findings, unjudged, gaps, gate, origin, exitCode, version: readVersion() }))
}
