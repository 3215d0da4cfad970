import { type Command, Option } from 'commander'
import type { Component, MatchedComponent, MatchResult, PlannedFix } from 'vis-sdk'
import { PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues, UsageError } from '../command.ts'
import { formatComponentsCsv } from '../components/csv.ts'
import { describeCoverage, describeVerdicts, listFixedVersions } from '../components/describe.ts'
import { indexFixPlan } from '../components/fix-plan.ts'
import { describeUnjudged, explainSilence, listUnjudged } from '../components/unjudged.ts'
import { MATCH_OPTIONS, readMatchOptions } from '../match-options.ts'
import { CSV_OPTION, INPUT_GROUP, JSON_OPTION } from '../options.ts'
import { readListFile } from '../read-ids.ts'
import { formatCredits } from '../render/credits.ts'
import { formatLeftOut } from '../render/left-out.ts'
import { type Column, renderTable } from '../render/table.ts'
import type { Input } from '../render/terminal.ts'
import { cleanLine, formatJson } from '../render/text.ts'

/** Maximum number of components that the service matches in one call. */
const MAX_COMPONENTS = 100
const ADVICE =
  'Give package URLs (pkg:npm/lodash@4.17.20) or CPE names (cpe:2.3:a:…) as arguments, with --file FILE, or on standard input.'

const OPTIONS: readonly Option[] = [
  new Option('--file <file>', 'Read components from this file, one per line').helpGroup(INPUT_GROUP),
  ...MATCH_OPTIONS,
  JSON_OPTION,
  CSV_OPTION,
]

export function createMatchCommand(context: Context): Command {
  return createCommand({
    name: 'match',
    summary: `Find the CVEs that affect up to 100 packages or products (${formatCredits(PRICES.match)})`,
    options: OPTIONS,
    examples: [
      'visctl match pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
      "visctl match 'cpe:2.3:a:apache:http_server:2.4.59:*:*:*:*:*:*:*'",
      'visctl match --file components.txt --priority-max P2 --json',
    ],
  })
    .argument('[component...]', 'package URLs or CPE names; without any and --file, they are read from standard input')
    .action((words: readonly string[], values: OptionValues) => printMatches(context, words, values))
}

async function printMatches(
  { terminal, input, connect }: Context,
  words: readonly string[],
  values: OptionValues,
): Promise<void> {
  const { file, json, csv } = values
  const names = await readNames(words, typeof file === 'string' ? file : undefined, input)
  const components = names.map(toComponent)
  const client = await connect(values)
  const result = await client.match(components, readMatchOptions(values))
  if (json === true) return terminal.write(formatJson(result))
  const { components: matched, fix_plan } = result
  await terminal.write(
    csv === true ? formatComponentsCsv(matched, fix_plan) : renderTable(terminal, COLUMNS, listRows(result, names)),
  )
  terminal.printNote(renderSummary(result, names))
}

/** Checks the list before the call, because a call costs credits. */
async function readNames(words: readonly string[], file: string | undefined, input: Input): Promise<readonly string[]> {
  const text = file === undefined ? undefined : await readListFile(file)
  const isStandardInput = words.length === 0 && file === undefined
  if (isStandardInput && input.isTerminal) throw new UsageError('There are no components.', ADVICE)
  const lines = (text ?? (isStandardInput ? await input.readText() : '')).split('\n')
  const names = [...words, ...lines].map((each) => each.trim()).filter((each) => each !== '' && !each.startsWith('#'))
  if (names.length === 0) throw new UsageError('There are no components.', ADVICE)
  if (names.length > MAX_COMPONENTS)
    throw new UsageError(`At most ${MAX_COMPONENTS} components can be given, but there are ${names.length}.`)
  return names
}

function toComponent(name: string): Component {
  if (/^pkg:/i.test(name)) return { purl: name }
  if (/^cpe:/i.test(name)) return { cpe: name }
  throw new UsageError(`${cleanLine(name)} is neither a package URL nor a CPE name.`, ADVICE)
}

interface Row {
  readonly level: string
  readonly id: string
  readonly component: string
  readonly verdict: string
  readonly fixed: string
  readonly reason: string
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'LEVEL', text: ({ level }) => level },
  { title: 'ID', text: ({ id }) => id, style: () => 'bold' },
  { title: 'COMPONENT', maxWidth: 48, text: ({ component }) => component },
  { title: 'VERDICT', text: ({ verdict }) => verdict },
  { title: 'FIXED IN', maxWidth: 24, text: ({ fixed }) => fixed },
  { title: 'REASON', text: ({ reason }) => reason },
]

/** Returns one row per match. A component without a listed match gets a row with its verdict. */
function listRows({ components }: MatchResult, names: readonly string[]): readonly Row[] {
  return components.flatMap((component) => {
    const name = names[component.index] ?? ''
    const none = { level: '-', id: '-', component: name, verdict: component.verdict, fixed: '-' }
    if (component.matches.length === 0) return [{ ...none, reason: explainSilence(component) }]
    return component.matches.map(({ id, verdict, statement, fixed_in, priority_level }) => ({
      level: priority_level ?? '-',
      id,
      component: name,
      verdict,
      fixed: listFixedVersions(fixed_in),
      reason: statement.text,
    }))
  })
}

function renderSummary({ components, overview, fix_plan, timestamp }: MatchResult, names: readonly string[]): string {
  const findFix = indexFixPlan(fix_plan)
  const notes = components.flatMap((each) => {
    const name = names[each.index] ?? ''
    return [...renderUpgrade(each, findFix(each), name), ...renderLeftOut(each, name)]
  })
  const lines = [
    `${describeVerdicts(overview)}. Cost: ${formatCredits(PRICES.match)}.`,
    describeCoverage(overview, timestamp),
    ...listUnjudged(components).map((each) => describeUnjudged(each)),
  ]
  return [...lines.map((line) => `${cleanLine(line)}\n`), ...notes].join('')
}

function renderUpgrade({ upgrade_to }: MatchedComponent, fix: PlannedFix | undefined, name: string): readonly string[] {
  if (upgrade_to === undefined) return []
  const version =
    upgrade_to.version === null ? 'no version without a match is known' : `upgrade to ${upgrade_to.version}`
  const { clean_version: clean } = upgrade_to
  const lower = clean === null || clean === upgrade_to.version ? '' : `; ${clean} has no match at P0 to P2`
  const plan =
    fix === undefined || fix.to_version === upgrade_to.version
      ? ''
      : `; the next step ${fix.to_version} (${fix.kind}) resolves ${fix.resolves_total} and leaves ${fix.remains_total}`
  return [`${cleanLine(name)}: ${cleanLine(`${version}${lower}${plan}`)}\n`]
}

/** Describes which matches of a component the table does not show. */
function renderLeftOut(component: MatchedComponent, name: string): readonly string[] {
  const { matches, matches_total, weaker_total, unordered_total } = component
  const leftOut = formatLeftOut({ unlisted: matches_total - matches.length, weaker_total, unordered_total })
  return leftOut === '' ? [] : [`${cleanLine(name)}: not listed: ${leftOut}\n`]
}
