import type { Command } from 'commander'
import type { Health } from 'vis-sdk'
import { type Context, createCommand, type OptionValues } from '../../command.ts'
import { JSON_OPTION } from '../../options.ts'
import { formatRow } from '../../render/layout.ts'
import { describeLoading } from '../../render/loading.ts'
import { type Column, renderTable } from '../../render/table.ts'
import { formatJson } from '../../render/text.ts'

interface NamedDataset {
  readonly name: string
  readonly dataset: Health['datasets'][string]
}

const COLUMNS: readonly Column<NamedDataset>[] = [
  { title: 'DATA SET', text: ({ name }) => name },
  { title: 'RECORDS', align: 'right', text: ({ dataset }) => formatCount(dataset) },
  { title: 'NEWEST DATA', text: ({ dataset }) => dataset.upstream_at ?? 'unknown' },
  { title: 'IMPORTED', text: ({ dataset }) => dataset.last_success_at ?? 'never', minTableWidth: 76 },
  {
    title: 'STATE',
    text: ({ dataset }) => dataset.state.replace('_', ' '),
    style: ({ dataset }) => (dataset.state === 'fresh' ? 'green' : 'red'),
  },
]

/** The number of records of a data set, or "-" if the data set was never loaded. */
function formatCount({ table_count, state }: NamedDataset['dataset']): string {
  return state === 'never_loaded' || state === 'unknown' ? '-' : table_count.toLocaleString('en')
}

export function createHealthCommand({ terminal, connect }: Context): Command {
  return createCommand({
    name: 'health',
    summary: 'Show how old the data of each data set is (costs no credits)',
    options: [JSON_OPTION],
    examples: ['visctl health', 'visctl health --json'],
  }).action(async (values: OptionValues) => {
    const health = await (await connect(values)).health()
    if (values['json'] === true) return terminal.write(formatJson(health))
    const datasets = Object.entries(health.datasets).map(([name, dataset]) => ({ name, dataset }))
    const loading = describeLoading(health)
    const rows = [
      formatRow(terminal, 'Status', health.status),
      ...(loading === undefined ? [] : [formatRow(terminal, 'Loading', loading)]),
    ]
    await terminal.write(`${rows.join('')}\n${renderTable(terminal, COLUMNS, datasets)}`)
  })
}
