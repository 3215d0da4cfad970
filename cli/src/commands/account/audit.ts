import { type Command, InvalidArgumentError, Option } from 'commander'
import type { AuditEntry } from 'vis-sdk'
import { type Context, createCommand, type OptionValues } from '../../command.ts'
import { JSON_OPTION, OUTPUT_GROUP } from '../../options.ts'
import { type Column, renderTable } from '../../render/table.ts'
import { formatJson } from '../../render/text.ts'

const MAX_ENTRIES = 200

const OPTIONS: readonly Option[] = [
  new Option('--limit <n>', `Maximum number of changes, 1 to ${MAX_ENTRIES} (default: 50)`)
    .argParser(parseLimit)
    .helpGroup(OUTPUT_GROUP),
  JSON_OPTION,
]

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
    examples: ['visctl audit', 'visctl audit --limit 200 --json'],
  }).action(async (values: OptionValues) => {
    const client = await connect(values)
    const { limit } = values
    // parseLimit returns a number.
    const { items } = await client.audit(limit === undefined ? {} : { limit: limit as number }).page()
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
