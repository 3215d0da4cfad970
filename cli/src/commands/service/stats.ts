import { Argument, type Command } from 'commander'
import type {
  Client,
  Metric,
  Stats,
  StatsSeries,
  StatsSeriesFilters,
  StatsTop,
  StatsTopFilters,
  TopKind,
} from 'vis-sdk'
import { getStatsSeriesParameters, getStatsTopParameters, PARAMETER_HELP, PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues, UsageError } from '../../command.ts'
import { CSV_OPTION, describeFilters, JSON_OPTION, listMembers, listOptions, readFilters } from '../../options.ts'
import { renderBar } from '../../render/bar.ts'
import { formatCredits } from '../../render/credits.ts'
import { formatCsvRow } from '../../render/csv.ts'
import { formatRow } from '../../render/layout.ts'
import { type Column, renderTable } from '../../render/table.ts'
import type { Terminal } from '../../render/terminal.ts'
import { formatJson } from '../../render/text.ts'

const ACTIONS = listMembers<'series' | 'top'>({ series: true, top: true })
const METRICS = Object.keys(getStatsSeriesParameters.metric.words)

const SERIES_FILTERS = describeFilters({
  parameters: getStatsSeriesParameters,
  help: PARAMETER_HELP.getStatsSeries,
  noun: 'counts',
  group: 'Counts over time:',
  without: ['metric'],
})

/** The other filters of a top are those of a series. */
const TOP_FILTERS = describeFilters({
  parameters: getStatsTopParameters,
  help: PARAMETER_HELP.getStatsTop,
  noun: 'names',
  group: 'Names (top):',
  without: ['metric', 'from', 'to', 'product_vendor'],
})

export function createStatsCommand(context: Context): Command {
  return createCommand({
    name: 'stats',
    summary: `Show the number of CVEs, KEV entries and scores in the service (${formatCredits(PRICES.getStats)}), or count them over time or by name (${formatCredits(PRICES.getStatsSeries)})`,
    options: [...listOptions(SERIES_FILTERS), ...listOptions(TOP_FILTERS), JSON_OPTION, CSV_OPTION],
    examples: [
      'visctl stats',
      'visctl stats series kev_added --bucket month --by catalog',
      'visctl stats series published --bucket week --by severity --product-vendor fortinet',
      'visctl stats top published --of vendor --from 2026-08-01',
    ],
  })
    .addArgument(new Argument('[what]', 'Without it: all totals').choices(ACTIONS))
    .addArgument(new Argument('[metric]', 'What is counted by series and top').choices(METRICS))
    .action(async (what: 'series' | 'top' | undefined, metric: string | undefined, values: OptionValues) => {
      if (what !== undefined && metric === undefined)
        throw new UsageError(`visctl stats ${what} needs a metric.`, `One of: ${METRICS.join(', ')}`)
      // The service checks the metric, because its error names those that fit.
      const call = {
        client: await context.connect(values),
        terminal: context.terminal,
        values,
        metric: metric as Metric,
      }
      await (what === 'series' ? printSeries(call) : what === 'top' ? printTop(call) : printTotals(call))
    })
}

interface Call {
  readonly client: Client
  readonly terminal: Terminal
  readonly values: OptionValues
  readonly metric: Metric
}

async function printTotals({ client, terminal, values }: Call): Promise<void> {
  const stats = await client.stats()
  await terminal.write(values['json'] === true ? formatJson(stats) : renderTotals(terminal, stats))
}

function renderTotals(terminal: Terminal, stats: Stats): string {
  const format = (count: number) => count.toLocaleString('en')
  return [
    formatRow(terminal, 'CVEs', format(stats.totalCves)),
    formatRow(terminal, '', `${format(stats.cvesLast24Hours)} published in the last 24 hours`),
    formatRow(terminal, '', `${format(stats.cvesLast7Days)} in 7 days, ${format(stats.cvesLast30Days)} in 30 days`),
    formatRow(terminal, 'KEV', format(stats.totalKev)),
    formatRow(terminal, 'EPSS', `${format(stats.totalWithEpss)}, on average ${stats.averageEpssScore}`),
    formatRow(terminal, 'ACSC', format(stats.totalWithAcsc)),
    formatRow(terminal, 'Updated', stats.lastUpdated ?? 'never'),
  ].join('')
}

type Bucket = StatsSeries['buckets'][number]

async function printSeries({ client, terminal, values, metric }: Call): Promise<void> {
  const series = await client.statsSeries(metric, readFilters<StatsSeriesFilters>(SERIES_FILTERS, values))
  if (values['json'] === true) return terminal.write(formatJson(series))
  if (values['csv'] === true) return terminal.write(formatSeriesCsv(series))
  await terminal.write(renderTable(terminal, listSeriesColumns(series), series.buckets))
  terminal.printNote(`${series.meaning}\n`)
  if (series.total === null)
    terminal.printNote(`Not known before ${series.complete_since ?? 'the first load is complete'}.\n`)
}

const formatCount = (count: number | null | undefined) => count?.toLocaleString('en') ?? '?'
const formatValue = (value: string | null) => value ?? 'none'

function listSeriesColumns({ buckets }: StatsSeries): readonly Column<Bucket>[] {
  const values = buckets[0]?.values ?? []
  const highest = Math.max(...buckets.map(({ count }) => count ?? 0))
  return [
    { title: 'FROM', text: ({ from }) => from },
    { title: 'TO', text: ({ to }) => to },
    ...values.map(
      ({ value }, index): Column<Bucket> => ({
        title: formatValue(value).toUpperCase(),
        align: 'right',
        text: (bucket) => formatCount(bucket.values?.[index]?.count),
      }),
    ),
    { title: 'COUNT', align: 'right', text: ({ count }) => formatCount(count), style: () => 'bold' },
    { title: '', text: ({ count }) => renderBar(count ?? 0, highest) },
  ]
}

function formatSeriesCsv({ buckets }: StatsSeries): string {
  const values = (buckets[0]?.values ?? []).map(({ value }) => formatValue(value))
  return [
    formatCsvRow(['from', 'to', ...values, 'count']),
    ...buckets.map(({ from, to, count, values: counts = [] }) =>
      formatCsvRow([from, to, ...counts.map((each) => each.count), count]),
    ),
  ].join('')
}

async function printTop({ client, terminal, values, metric }: Call): Promise<void> {
  const { bucket, by } = values
  if (bucket !== undefined || by !== undefined) throw new UsageError('--bucket and --by belong to visctl stats series.')
  const { of: kind = 'vendor', limit } = readFilters<Partial<TopFilters>>(TOP_FILTERS, values)
  const window: StatsTopFilters = readFilters<StatsSeriesFilters>(SERIES_FILTERS, values)
  // The service rejects a metric that is a level.
  const top = await client.statsTop(kind, metric as StatsTop['metric'], {
    ...window,
    ...(limit !== undefined && { limit }),
  })
  if (values['json'] === true) return terminal.write(formatJson(top))
  if (values['csv'] === true)
    return terminal.write(
      [formatCsvRow([kind, 'count']), ...top.names.map(({ value, count }) => formatCsvRow([value, count]))].join(''),
    )
  await terminal.write(renderTable(terminal, listTopColumns(top), top.names))
  terminal.printNote(describeTop(top))
}

type TopFilters = Pick<StatsTopFilters, 'limit'> & { readonly of: TopKind }

function listTopColumns({ of, names }: StatsTop): readonly Column<StatsTop['names'][number]>[] {
  const highest = names[0]?.count ?? 0
  return [
    { title: of.toUpperCase(), text: ({ value }) => value, style: () => 'bold' },
    { title: 'COUNT', align: 'right', text: ({ count }) => formatCount(count) },
    { title: '', text: ({ count }) => renderBar(count, highest) },
  ]
}

function describeTop({ meaning, total, without_name, first_counted_day, to }: StatsTop): string {
  if (first_counted_day === null) return `${meaning}\nNo day of the window is known.\n`
  return `${meaning}\n${formatCount(total)} from ${first_counted_day} to ${to}, ${formatCount(without_name)} of them without such a name.\n`
}
