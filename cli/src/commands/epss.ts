import { type Command, Option } from 'commander'
import type { EpssMover, EpssMoverFilters, EpssMoverPage, EpssSeries, EpssWindow } from 'vis-sdk'
import { listEpssMoversParameters, PARAMETER_HELP, PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues, UsageError } from '../command.ts'
import {
  createFilters,
  describeFilters,
  listOptions,
  type OptionFactory,
  OUTPUT_GROUP,
  PAGE_OPTIONS,
  readFilters,
  valueOption,
} from '../options.ts'
import { choosePageSize, type ListView, printJsonList, printRows } from '../print-list.ts'
import { formatCredits } from '../render/credits.ts'
import { formatCsvRow } from '../render/csv.ts'
import { formatPercent } from '../render/severity.ts'
import { findHighest, renderSparkline } from '../render/sparkline.ts'
import { type Column, renderTable } from '../render/table.ts'
import { formatJson } from '../render/text.ts'

const MAX_PAGE_SIZE = listEpssMoversParameters.limit.maximum
const SPARKLINE_WIDTH = 45

// Filters of both calls. If a filter that the service accepts is missing from these tables, the code does not compile.
const WINDOW = createFilters(
  {
    from: valueOption('date', 'First day of the window (default: 90 days)'),
    to: valueOption('date', 'Last day of the window (default: today)'),
  } satisfies Record<keyof EpssWindow, OptionFactory>,
  'Scores of CVEs:',
)

const MOVER_FILTERS = describeFilters({
  parameters: listEpssMoversParameters,
  help: PARAMETER_HELP.listEpssMovers,
  noun: 'CVEs',
  group: 'Movers:',
  without: ['limit', 'after'],
})

const MOVERS_OPTION = new Option(
  '--movers',
  `List the CVEs whose score moved most instead (${formatCredits(PRICES.listEpssMovers)} per page of ${MAX_PAGE_SIZE})`,
).helpGroup(OUTPUT_GROUP)

export function createEpssCommand(context: Context): Command {
  return createCommand({
    name: 'epss',
    summary: `Show EPSS scores over time (${formatCredits(PRICES.getEpssSeries)} per CVE), or the scores that moved most`,
    options: [MOVERS_OPTION, ...listOptions(WINDOW), ...listOptions(MOVER_FILTERS), ...PAGE_OPTIONS],
    examples: [
      'visctl epss CVE-2021-44228 CVE-2024-3094',
      'visctl epss CVE-2021-44228 --from 2026-01-01 --csv',
      'visctl epss --movers --days 7 --min-delta 0.1',
    ],
  })
    .argument('[cve...]', 'CVE ids; none with --movers')
    .action(async (ids: readonly string[], values: OptionValues) => {
      if (values['movers'] === true && ids.length > 0)
        throw new UsageError('--movers lists CVEs itself: leave out the CVE ids.')
      if (values['movers'] === true) return printMovers(context, values)
      if (ids.length === 0) throw new UsageError('Name one or more CVE ids, or use --movers.')
      return printSeries(context, ids, values)
    })
}

async function printSeries(
  { terminal, connect }: Context,
  ids: readonly string[],
  values: OptionValues,
): Promise<void> {
  const client = await connect(values)
  const all: EpssSeries[] = []
  for (const id of ids) all.push(await client.epssSeries(id, readFilters<EpssWindow>(WINDOW, values)))
  if (values['json'] === true) return terminal.write(formatJson(ids.length === 1 ? all[0] : all))
  if (values['csv'] === true) return terminal.write(formatCsv(all))
  await terminal.write(renderTable(terminal, SERIES_COLUMNS, all))
  for (const note of listNotes(all)) terminal.printNote(`${note}\n`)
}

const formatScore = (score: number | undefined) => (score === undefined ? '' : formatPercent(score))

const SERIES_COLUMNS: readonly Column<EpssSeries>[] = [
  { title: 'CVE', text: ({ cve_id }) => cve_id, style: () => 'bold' },
  { title: 'FROM', text: ({ series }) => series[0]?.date ?? 'no score' },
  { title: 'TO', text: ({ series }) => series.at(-1)?.date ?? '' },
  { title: 'FIRST', align: 'right', text: ({ series }) => formatScore(series[0]?.score) },
  { title: 'LAST', align: 'right', text: ({ series }) => formatScore(series.at(-1)?.score) },
  {
    title: 'HIGHEST',
    align: 'right',
    text: ({ series }) => (series.length === 0 ? '' : formatScore(findHighest(series))),
  },
  { title: 'LEV', align: 'right', text: ({ lev }) => formatScore(lev?.score) },
  { title: 'SCORES', text: ({ series }) => renderSparkline(series, SPARKLINE_WIDTH) },
]

const MS_PER_DAY = 86_400_000

/** A range includes both of its days. */
const countDays = (ranges: EpssSeries['missing_days']) =>
  ranges.reduce((sum, { from, to }) => sum + (Date.parse(to) - Date.parse(from)) / MS_PER_DAY + 1, 0)

/** Explains what the table does not show. */
function listNotes(all: readonly EpssSeries[]): readonly string[] {
  const [first] = all
  const changes = first?.model_changes.map(({ date, model }) => `${date} (${model ?? 'not named'})`) ?? []
  const missing = countDays(first?.missing_days ?? [])
  return [
    ...(changes.length > 0
      ? [`The EPSS model changed on ${changes.join(', ')}. Scores before and after a change are not comparable.`]
      : []),
    ...(missing > 0
      ? [`The service has no scores of ${missing} ${missing === 1 ? 'day' : 'days'} of the window; --json lists them.`]
      : []),
  ]
}

function formatCsv(all: readonly EpssSeries[]): string {
  const rows = all.flatMap(({ cve_id, series }) =>
    series.map(({ date, score, percentile, model }) => formatCsvRow([cve_id, date, score, percentile, model])),
  )
  return [formatCsvRow(['cve_id', 'date', 'score', 'percentile', 'model']), ...rows].join('')
}

const MOVERS: ListView<EpssMover> = {
  columns: [
    { title: 'CVE', text: ({ cve_id }) => cve_id, style: () => 'bold' },
    { title: 'LEVEL', text: ({ priority_level }) => priority_level ?? '' },
    { title: 'KEV', text: ({ in_kev }) => (in_kev ? 'KEV' : '') },
    { title: 'BEFORE', align: 'right', text: ({ earlier }) => formatPercent(earlier.score) },
    { title: 'NOW', align: 'right', text: ({ later }) => formatPercent(later.score) },
    { title: 'RATIO', align: 'right', text: ({ ratio }) => (ratio === null ? '' : ratio.toFixed(1)) },
  ],
  csv: [
    { title: 'cve_id', value: ({ cve_id }) => cve_id },
    { title: 'earlier_date', value: ({ earlier }) => earlier.date },
    { title: 'earlier_score', value: ({ earlier }) => earlier.score },
    { title: 'later_date', value: ({ later }) => later.date },
    { title: 'later_score', value: ({ later }) => later.score },
    { title: 'delta', value: ({ delta }) => delta },
    { title: 'ratio', value: ({ ratio }) => ratio },
    { title: 'in_kev', value: ({ in_kev }) => in_kev },
    { title: 'priority_level', value: ({ priority_level }) => priority_level },
  ],
}

const NOT_COMPARABLE_NOTES: Readonly<Record<NonNullable<EpssMoverPage['window']['not_comparable_reason']>, string>> = {
  no_release: 'The service has no EPSS scores yet, so nothing can be compared.',
  no_earlier_release: 'The service has no EPSS scores of the first day, so nothing can be compared.',
  model_changed: 'The EPSS model changed within these days. Only moves since the change are listed.',
}

async function printMovers({ terminal, connect }: Context, values: OptionValues): Promise<void> {
  const client = await connect(values)
  const filters = readFilters<EpssMoverFilters>(MOVER_FILTERS, values)
  const listing = client.epssMovers({ ...filters, limit: choosePageSize(values, MAX_PAGE_SIZE) })
  if (values['json'] === true) return printJsonList(listing, values, terminal)
  let window: EpssMoverPage['window'] | undefined
  const pages = async function* () {
    for await (const page of listing.pages()) {
      window = page.window
      yield page
    }
  }
  await printRows({ pages }, MOVERS, values, terminal)
  const note = window?.not_comparable_reason && NOT_COMPARABLE_NOTES[window.not_comparable_reason]
  if (note) terminal.printNote(`${note}\n`)
}
