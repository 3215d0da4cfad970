import type { Command } from 'commander'
import type { UsageBreakdown, UsagePeriod } from 'vis-sdk'
import { getUsageBreakdownParameters } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues } from '../../command.ts'
import {
  createFilters,
  JSON_OPTION,
  listOption,
  listOptions,
  type OptionFactory,
  readFilters,
  valueOption,
} from '../../options.ts'
import { formatLines, formatRow } from '../../render/layout.ts'
import { renderBar } from '../../render/severity.ts'
import { type Column, renderTable } from '../../render/table.ts'
import type { Terminal } from '../../render/terminal.ts'
import { formatJson } from '../../render/text.ts'
import { FILTER_GROUP } from '../filters.ts'

const BAR_WIDTH = 30
/** The bar in `visctl usage` turns red at this percentage of used credits. */
const RED_PERCENTAGE = 90

const DIMENSIONS = Object.keys(getUsageBreakdownParameters.by.words)

// Options of a breakdown. If a parameter that the service accepts is missing from this table, the code does not
// compile.
const FILTERS = createFilters(
  {
    by: listOption('dimensions', 'Show calls and credits by day, endpoint or key, or by several of them', DIMENSIONS),
    from: valueOption('day', 'First day of the breakdown (default: the first day of the month of --to)'),
    to: valueOption('day', 'Last day of the breakdown (default: today)'),
  } satisfies Record<keyof UsagePeriod, OptionFactory>,
  FILTER_GROUP,
)

export function createUsageCommand({ terminal, connect }: Context): Command {
  return createCommand({
    name: 'usage',
    summary: 'Show the plan of your account and the credits used and left this month (costs no credits)',
    options: [...listOptions(FILTERS), JSON_OPTION],
    examples: [
      'visctl usage',
      'visctl usage --by day,key',
      'visctl usage --by endpoint --from 2026-08-01 --to 2026-08-31',
    ],
  }).action(async (values: OptionValues) => {
    const client = await connect(values)
    const period = readFilters<UsagePeriod>(FILTERS, values)
    if (Object.keys(period).length > 0) return printBreakdown(terminal, await client.usageBreakdown(period), values)
    const usage = await client.usage()
    if (values['json'] === true) return terminal.write(formatJson(usage))
    const { plan, credits_limit, credits_used, credits_remaining, percentage_used, reset_at } = usage
    const [full, rest] = renderBar(percentage_used / 100, BAR_WIDTH)
    const bar = terminal.paint(percentage_used >= RED_PERCENTAGE ? 'red' : 'green', full) + terminal.paint('gray', rest)
    await terminal.write(
      formatRow(terminal, 'Plan', plan) +
        formatLines(terminal, 'Credits', [
          `${bar}  ${credits_used.toLocaleString('en')} of ${credits_limit.toLocaleString('en')} used`,
          `${credits_remaining.toLocaleString('en')} left`,
        ]) +
        formatRow(terminal, 'Reset', reset_at),
    )
  })
}

type Row = UsageBreakdown['rows'][number]

const COLUMNS = {
  day: { title: 'DAY', text: ({ day }) => day ?? 'total' },
  endpoint: { title: 'ENDPOINT', text: ({ endpoint }) => endpoint ?? 'total' },
  key: { title: 'KEY', text: ({ key_id }) => key_id ?? 'total' },
} as const satisfies Record<UsageBreakdown['by'][number], Column<Row>>

const NUMBERS: readonly Column<Row>[] = [
  { title: 'CALLS', align: 'right', text: ({ calls }) => calls.toLocaleString('en') },
  {
    title: 'CREDITS',
    align: 'right',
    text: ({ credits }) => credits.toLocaleString('en', { minimumFractionDigits: 1 }),
  },
]

async function printBreakdown(terminal: Terminal, breakdown: UsageBreakdown, values: OptionValues): Promise<void> {
  if (values['json'] === true) return terminal.write(formatJson(breakdown))
  const { from, to, by, rows, totals } = breakdown
  const columns = [...by.map((name) => COLUMNS[name]), ...NUMBERS]
  await terminal.write(renderTable(terminal, columns, [...rows, totals]))
  terminal.printNote(`From ${from} to ${to} (UTC). Refunded calls are not counted.\n`)
}
