import { type Command, Option } from 'commander'
import type { Cve, Field, Include, Selection } from 'vis-sdk'
import { PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues, UsageError } from '../command.ts'
import {
  type CveRequest,
  type FetchPlan,
  fetchCves,
  MAX_BATCH_PRICE,
  MAX_BATCH_SIZE,
  planFetch,
} from '../fetch-cves.ts'
import {
  CSV_OPTION,
  FILE_OPTION,
  JSON_OPTION,
  listOptions,
  OUTPUT_GROUP,
  readFilters,
  rejectSelectionWithoutJson,
  SELECTION,
} from '../options.ts'
import { readIds } from '../read-ids.ts'
import { CARD_FIELDS, CARD_SECTIONS, type CardCve, renderCard } from '../render/card.ts'
import { formatCredits } from '../render/credits.ts'
import { type CsvColumn, formatCsvRow } from '../render/csv.ts'
import { listFixes } from '../render/fixes.ts'
import { formatJson } from '../render/text.ts'

const CARD_ADD_ONS: readonly Include[] = ['acsc', 'enrichment', 'attack', 'priority', 'fixes', 'remediations']
const CARD_REQUEST = { fields: CARD_FIELDS, include: CARD_ADD_ONS } as const

const HISTORY_OPTION = new Option(
  '--history',
  `Show the EPSS scores of the last 90 days (${PRICES.getEpssSeries} more credits per CVE)`,
).helpGroup(OUTPUT_GROUP)

const SECTION_OPTIONS = [
  new Option('--priority', 'Show all reasons for the priority').helpGroup(OUTPUT_GROUP),
  new Option('--sources', 'Show who states each value, and what other sources state').helpGroup(OUTPUT_GROUP),
  new Option('--configurations', 'Show which combinations of products are affected').helpGroup(OUTPUT_GROUP),
  new Option('--exploits', 'Show how mature the exploits are, and the strongest evidence').helpGroup(OUTPUT_GROUP),
]

/** The history needs a separate call, and the JSON and CSV of a CVE do not contain it. */
function rejectHistoryOfData({ history, json, csv }: OptionValues): void {
  if (history === true && (json === true || csv === true))
    throw new UsageError('--history is for people. visctl epss prints the scores as JSON or CSV.')
}

/** Returns the sections that the options --priority, --sources, --configurations and --exploits add. */
function listSections(values: OptionValues) {
  return CARD_SECTIONS.filter((name) => values[name] === true)
}

function rejectSectionsInCsv(values: OptionValues): void {
  if (values['csv'] === true && listSections(values).length > 0)
    throw new UsageError('--priority, --sources, --configurations and --exploits cannot be used with --csv.')
}

const CSV_COLUMNS: readonly CsvColumn<CardCve>[] = [
  { title: 'cve_id', value: ({ cve_id }) => cve_id },
  { title: 'published', value: ({ published }) => published },
  { title: 'modified', value: ({ modified }) => modified },
  { title: 'status', value: ({ status }) => status },
  { title: 'severity', value: ({ severity }) => severity },
  { title: 'cvss_vector', value: ({ enrichment }) => enrichment?.cvss_vector },
  { title: 'epss_score', value: ({ epss }) => epss?.score },
  { title: 'epss_percentile', value: ({ epss }) => epss?.percentile },
  { title: 'kev_date_added', value: ({ kev }) => kev?.dateAdded },
  { title: 'kev_due_date', value: ({ kev }) => kev?.dueDate },
  { title: 'exploit_flag', value: ({ enrichment }) => enrichment?.exploit_flag },
  { title: 'cwe_list', value: ({ enrichment }) => enrichment?.cwe_list.join(' ') },
  { title: 'techniques', value: ({ attack }) => attack?.techniques.join(' ') },
  { title: 'description', value: ({ description }) => description },
  { title: 'technique_mapping', value: ({ attack }) => attack?.mapping },
  { title: 'priority_level', value: ({ priority }) => priority?.level },
  { title: 'fixed_versions', value: listFixes },
]

export function createGetCommand(context: Context): Command {
  return createCommand({
    name: 'get',
    summary: `Show one or more CVEs (${formatCredits(PRICES.getCve)} each, at most ${MAX_BATCH_PRICE} per ${MAX_BATCH_SIZE})`,
    options: [FILE_OPTION, JSON_OPTION, CSV_OPTION, ...SECTION_OPTIONS, HISTORY_OPTION, ...listOptions(SELECTION)],
    examples: [
      'visctl get CVE-2021-44228',
      'visctl get CVE-2021-44228 --json --include attack',
      'visctl get CVE-2021-44228 --priority',
      'visctl get CVE-2021-44228 --sources',
      'visctl get --file cves.txt --csv',
      'visctl search log4j --json --fields cve_id | visctl get --json',
    ],
  })
    .argument('[cve...]', 'CVE ids; without ids and --file, ids are read from standard input')
    .action(async (words: readonly string[], values: OptionValues) => {
      rejectSelectionWithoutJson(values)
      rejectSectionsInCsv(values)
      rejectHistoryOfData(values)
      const ids = await readGetIds(context, words, values)
      const isSingle = words.length === 1 && ids.length === 1
      const print = values['json'] === true ? printJson : values['csv'] === true ? printCsv : printCards
      await print(context, values, { ids, isSingle })
    })
}

interface Wanted {
  readonly ids: readonly string[]
  /** Whether a single id is given as an argument. The JSON output is then an object instead of an array. */
  readonly isSingle: boolean
}

async function readGetIds({ input }: Context, words: readonly string[], { file }: OptionValues) {
  const [only = ''] = words
  // The service's error explains a malformed single id. A malformed id in a list is reported before any call is
  // charged.
  if (words.length === 1 && only !== '-' && file === undefined) return [only]
  const { ids, origin } = await readIds(words, typeof file === 'string' ? file : undefined, input)
  if (ids.length === 0) throw new UsageError(`There are no CVE ids in ${origin}.`)
  return ids.map(({ id }) => id)
}

async function printJson(context: Context, values: OptionValues, wanted: Wanted): Promise<void> {
  const { terminal } = context
  let separator = '[\n'
  for await (const cve of fetchWanted(context, values, wanted, readJsonRequest(values))) {
    if (wanted.isSingle) return terminal.write(formatJson(cve))
    // Each CVE is written as soon as it arrives, so that an error does not lose CVEs that are already paid for.
    await terminal.write(separator + formatJson(cve).trimEnd().replace(/^/gm, '  '))
    separator = ',\n'
  }
  await terminal.write(separator === '[\n' ? '[]\n' : '\n]\n')
}

/**
 * Converts --fields and --include to a request. --priority, --sources, --configurations and --exploits include and
 * select their section.
 */
function readJsonRequest(values: OptionValues): Selection<Field> {
  const { fields, include } = readFilters<Selection<Field>>(SELECTION, values)
  const sections = listSections(values)
  const included = [...(include ?? []), ...sections]
  return {
    ...(fields && { fields: [...fields, ...sections] }),
    ...(included.length > 0 && { include: included }),
  }
}

async function printCsv(context: Context, values: OptionValues, wanted: Wanted): Promise<void> {
  const { write } = context.terminal
  await write(formatCsvRow(CSV_COLUMNS.map(({ title }) => title)))
  for await (const cve of fetchWanted(context, values, wanted, CARD_REQUEST)) {
    await write(formatCsvRow(CSV_COLUMNS.map(({ value }) => value(cve))))
  }
}

async function printCards(context: Context, values: OptionValues, wanted: Wanted): Promise<void> {
  const { terminal } = context
  let separator = ''
  const client = values['history'] === true ? await context.connect(values) : undefined
  const sections = listSections(values)
  const request = {
    fields: [...new Set([...CARD_REQUEST.fields, ...sections])],
    include: [...new Set([...CARD_REQUEST.include, ...sections])],
  }
  for await (const cve of fetchWanted(context, values, wanted, request)) {
    const history = await client?.epssSeries(cve.cve_id)
    await terminal.write(
      separator + renderCard(terminal, cve, { history, showsAllReasons: values['priority'] === true }),
    )
    separator = '\n'
  }
}

/** Yields the known CVEs. Lists the unknown ids at the end and sets exit code 1 for them. */
async function* fetchWanted<Name extends Field>(
  { terminal, connect, setExitCode }: Context,
  values: OptionValues,
  { ids, isSingle }: Wanted,
  request: CveRequest<Name>,
): AsyncGenerator<Cve<Name>> {
  const client = await connect(values)
  if (isSingle) {
    yield await client.cve(ids[0] ?? '', request)
    return
  }
  const plan = planFetch(ids, request)
  if (plan.batches.length > 0) terminal.printNote(announcePrice(ids.length, plan))
  const unknown: string[] = []
  for await (const { id, cve } of fetchCves(client, plan, request)) {
    if (cve) yield cve
    else unknown.push(id)
  }
  if (unknown.length > 0) {
    terminal.printNote(`error: Unknown to the service (${unknown.length}): ${unknown.join(' ')}\n`)
    setExitCode(1)
  }
}

function announcePrice(count: number, { batches, maxCredits }: FetchPlan): string {
  const calls = batches.length === 1 ? '1 batch' : `${batches.length} batches`
  return `${count} CVEs in ${calls}: up to ${maxCredits} credits instead of ${count * PRICES.getCve}.\n`
}
