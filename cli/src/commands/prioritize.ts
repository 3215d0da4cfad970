import { type Command, InvalidArgumentError, Option } from 'commander'
import type { PriorityContext, RankedCve, Ranking } from 'vis-sdk'
import { PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues, UsageError } from '../command.ts'
import { FILE_OPTION, JSON_OPTION, listMembers, OUTPUT_GROUP } from '../options.ts'
import { readIds } from '../read-ids.ts'
import { formatCredits } from '../render/credits.ts'
import { describeDeadline, findLevelStyle } from '../render/priority.ts'
import { type Column, renderTable } from '../render/table.ts'
import { cleanLine, formatJson } from '../render/text.ts'

const CONTEXT_GROUP = 'Affected systems:'

/** Maximum number of ids that the service ranks in one call. */
const MAX_IDS = 500

type Exposure = RankedCve['exposure']
type Mission = NonNullable<NonNullable<PriorityContext['context']>['mission']>

const EXPOSURES = listMembers<Exposure>({ exposed: true, internal: true, unknown: true })
const MISSIONS = listMembers<Mission>({ low: true, medium: true, high: true })

const OPTIONS: readonly Option[] = [
  FILE_OPTION,
  new Option('--exposure <exposure>', 'Whether the systems can be reached from the internet (default: unknown)')
    .choices(EXPOSURES)
    .helpGroup(CONTEXT_GROUP),
  new Option('--mission <effect>', 'Effect of the systems on your mission, for the SSVC decision (default: medium)')
    .choices(MISSIONS)
    .helpGroup(CONTEXT_GROUP),
  new Option('--limit <n>', 'Maximum number of CVEs to print, most urgent first (default: all)')
    .argParser(parseLimit)
    .helpGroup(OUTPUT_GROUP),
  JSON_OPTION,
]

const COLUMNS: readonly Column<RankedCve>[] = [
  { title: 'LEVEL', text: ({ priority }) => priority.level ?? '-', style: ({ priority }) => findLevelStyle(priority) },
  { title: 'CVE', text: ({ cve_id }) => cve_id, style: () => 'bold' },
  { title: 'DEADLINE', maxWidth: 38, text: ({ priority }) => describeDeadline(priority) || '-' },
  { title: 'REASON', text: ({ priority }) => priority.reasons[0] ?? '' },
]

export function createPrioritizeCommand(context: Context): Command {
  return createCommand({
    name: 'prioritize',
    summary: `Rank up to 500 CVEs by urgency, with reasons (${formatCredits(PRICES.prioritize)})`,
    options: OPTIONS,
    examples: [
      'visctl prioritize CVE-2021-44228 CVE-2014-0160',
      'visctl prioritize --file cves.txt --limit 12',
      'scanner | visctl prioritize --exposure internal --json',
    ],
  })
    .argument('[cve...]', 'CVE ids; without ids and --file, ids are read from standard input')
    .action((words: readonly string[], values: OptionValues) => printRanking(context, words, values))
}

async function printRanking(
  { terminal, input, connect, setExitCode }: Context,
  words: readonly string[],
  values: OptionValues,
): Promise<void> {
  const { file, json } = values
  const { ids, origin } = await readIds(words, typeof file === 'string' ? file : undefined, input)
  rejectCount(ids.length, origin)
  const client = await connect(values)
  const ranking = await client.prioritize(
    ids.map(({ id }) => id),
    readContext(values),
  )
  await terminal.write(json === true ? formatJson(ranking) : renderTable(terminal, COLUMNS, ranking.ranked))
  if (json !== true) terminal.printNote(renderSummary(ranking))
  if (ranking.not_found.length > 0) {
    const unknown = ranking.not_found.map(cleanLine).join(' ')
    terminal.printNote(`error: Unknown to the service (${ranking.not_found.length}): ${unknown}\n`)
    setExitCode(1)
  }
}

/** Checks the list before the call, because a ranking costs credits. */
function rejectCount(count: number, origin: string): void {
  if (count === 0) throw new UsageError(`There are no CVE ids in ${origin}.`)
  if (count > MAX_IDS) {
    throw new UsageError(
      `At most ${MAX_IDS} CVEs can be ranked together, but there are ${count.toLocaleString('en')}.`,
      'Rank them in parts, or keep the urgent ones first: visctl gate --priority P2 --file FILE.',
    )
  }
}

function readContext({ exposure, mission, limit }: OptionValues): PriorityContext {
  // The casts are safe: commander checks the choices, and parseLimit returns a number.
  return {
    context: {
      ...(exposure !== undefined && { exposure: exposure as Exposure }),
      ...(mission !== undefined && { mission: mission as Mission }),
    },
    ...(limit !== undefined && { limit: limit as number }),
  }
}

function renderSummary({ by_level, policy_version }: Ranking): string {
  const levels = Object.entries(by_level).map(
    ([level, count]) => `${level === 'none' ? 'without level' : level} ${count}`,
  )
  return `${levels.join(', ')}. Policy ${policy_version}. Cost: ${formatCredits(PRICES.prioritize)}.\n`
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!/^\d{1,3}$/.test(text) || limit < 1 || limit > MAX_IDS)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_IDS}.`)
  return limit
}
