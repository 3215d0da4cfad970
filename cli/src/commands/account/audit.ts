import { type Command, InvalidArgumentError, Option } from 'commander'
import type { AuditEntry, AuditExportFilters } from 'vis-sdk'
import { type Context, createCommand, type OptionValues, UsageError } from '../../command.ts'
import { JSON_OPTION, OUTPUT_GROUP } from '../../options.ts'
import { type Column, renderTable } from '../../render/table.ts'
import { formatJson } from '../../render/text.ts'

const MAX_ENTRIES = 200

const FILTERS = 'Filters:'

const OPTIONS: readonly Option[] = [
  new Option('--limit <n>', `Maximum number of changes, 1 to ${MAX_ENTRIES} (default: 50)`)
    .argParser(parseLimit)
    .helpGroup(OUTPUT_GROUP),
  new Option('--actor <actor>', 'Changes by key:<id>, member:<id> or operator').helpGroup(FILTERS),
  new Option('--kind <kinds>', 'Changes of these kinds: account, key, member, session, view, triage').helpGroup(
    FILTERS,
  ),
  new Option('--from <day>', 'Changes on or after this day').helpGroup(FILTERS),
  new Option('--to <day>', 'Changes on or before this day').helpGroup(FILTERS),
  new Option('--csv', 'Print all changes as CSV, without --limit').helpGroup(OUTPUT_GROUP),
  JSON_OPTION,
]

const FILTER_NAMES = ['actor', 'kind', 'from', 'to'] as const

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'TIME', text: ({ time }) => time },
  { title: 'ACTOR', text: ({ actor }) => actor },
  { title: 'ACTION', text: ({ action }) => action, style: () => 'bold' },
  { title: 'KEY', text: ({ key_id }) => key_id ?? '' },
  { title: 'DETAILS', text: ({ details }) => describeDetails(details) },
]

export function createAuditCommand({ terminal, connect }: Context): Command {
  return createCommand({
    name: 'audit',
    summary: 'List the last changes of your account (free; needs a key with the scope manage)',
    options: OPTIONS,
    examples: ['visctl audit', 'visctl audit --kind member --from 2026-08-01', 'visctl audit --csv > audit.csv'],
  }).action(async (values: OptionValues) => {
    const client = await connect(values)
    const { limit } = values
    // The service checks the filters. parseLimit returns a number.
    const filters = Object.fromEntries(FILTER_NAMES.map((name) => [name, values[name]])) as AuditExportFilters
    if (values['csv'] === true) {
      if (limit !== undefined || values['json'] === true)
        throw new UsageError('--csv prints all changes: leave out --limit and --json.')
      return terminal.write(new TextDecoder().decode(await client.exportAudit(filters)))
    }
    const page = limit === undefined ? {} : { limit: limit as number }
    const { items } = await client.audit({ ...filters, ...page }).page()
    await terminal.write(values['json'] === true ? formatJson(items) : renderTable(terminal, COLUMNS, items))
  })
}

function describeDetails(details: AuditEntry['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!/^\d{1,3}$/.test(text) || limit < 1 || limit > MAX_ENTRIES)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_ENTRIES}.`)
  return limit
}
