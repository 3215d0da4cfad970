import type { Command } from 'commander'
import type { ListParameter } from 'vis-sdk'
import { type Context, createCommand, type OptionValues } from '../../command.ts'
import { JSON_OPTION } from '../../options.ts'
import { type Column, renderTable } from '../../render/table.ts'
import { formatJson } from '../../render/text.ts'

const COLUMNS: readonly Column<ListParameter>[] = [
  { title: 'PARAMETER', text: ({ name }) => name, style: () => 'bold' },
  { title: 'TYPE', text: ({ type, is_list }) => (is_list ? `list of ${type}` : type), minTableWidth: 100 },
  {
    title: 'LISTS',
    text: ({ endpoints }) => endpoints.map((path) => path.replace('/api/v1', '')).join(' '),
    minTableWidth: 130,
    maxWidth: 40,
  },
  { title: 'VALUES', text: ({ allowed, examples }) => (allowed ?? examples).join(', '), maxWidth: 32 },
  { title: 'MEANING', text: ({ description }) => description },
]

export function createFiltersCommand({ terminal, connect }: Context): Command {
  return createCommand({
    name: 'filters',
    summary: 'List the parameters of searches and other lists (costs no credits)',
    options: [JSON_OPTION],
    examples: ['visctl filters', 'visctl filters cwe technique', 'visctl filters --json'],
  })
    .argument('[names...]', 'Names of parameters (default: all)')
    .action(async (names: readonly string[], values: OptionValues) => {
      const client = await connect(values)
      const filters = await client.filters(names.length > 0 ? { name: names } : {})
      await terminal.write(values['json'] === true ? formatJson(filters) : renderTable(terminal, COLUMNS, filters))
    })
}
