import { Argument, type Command, Option } from 'commander'
import type { Client, SearchFilters, View } from 'vis-sdk'
import { type Context, createCommand, type OptionValues, UsageError } from '../../command.ts'
import { JSON_OPTION, listMembers, listOptions, readFilters } from '../../options.ts'
import { type Column, renderTable } from '../../render/table.ts'
import type { Terminal } from '../../render/terminal.ts'
import { cleanLine, formatJson } from '../../render/text.ts'
import { findView, WITHOUT_SCOPE } from '../find-view.ts'
import { SEARCH_FILTERS } from '../search.ts'

const ACTIONS = listMembers<keyof typeof RUN>({ list: true, save: true, remove: true })

const QUERY = new Option('--query <text>', 'Filters as a query string of GET /api/v1/cves, instead of options (save)')

const COLUMNS: readonly Column<View>[] = [
  { title: 'ID', text: ({ id }) => id, style: () => 'bold' },
  { title: 'NAME', text: ({ name }) => name },
  { title: 'KIND', text: describeKind },
  { title: 'QUERY', text: ({ query }) => query },
]

export function createViewsCommand(context: Context): Command {
  return createCommand({
    name: 'views',
    summary: 'List, save and remove searches of your account (free; saving needs a key with the scope watch)',
    options: [...listOptions(SEARCH_FILTERS), QUERY, JSON_OPTION],
    examples: [
      'visctl views list',
      "visctl views save 'Fortinet in KEV' --product-vendor fortinet --kev-added-after today-30d",
      "visctl search --view 'Fortinet in KEV'",
      "visctl views remove 'Fortinet in KEV'",
    ],
  })
    .addArgument(new Argument('<action>', 'What to do').choices(ACTIONS))
    .argument('[view]', 'Name of the view to save; name or id of the view to remove')
    .action(async (action: keyof typeof RUN, view: string | undefined, values: OptionValues) => {
      const filters = readFilters<SearchFilters>(SEARCH_FILTERS, values)
      rejectWrongArguments(action, view, { ...filters, ...(values['query'] !== undefined && { query: true }) })
      await RUN[action]({
        client: await context.connect(values),
        terminal: context.terminal,
        view: view ?? '',
        query: typeof values['query'] === 'string' ? values['query'] : toQuery(filters),
        isJson: values['json'] === true,
      })
    })
}

function rejectWrongArguments(action: keyof typeof RUN, view: string | undefined, filters: object): void {
  const command = `visctl views ${action}`
  if (action === 'list' && view !== undefined) throw new UsageError(`${command} takes no argument.`)
  if (action !== 'list' && view === undefined)
    throw new UsageError(`${command} needs the name of a view.`, 'List the views: visctl views list')
  const isEmpty = Object.keys(filters).length === 0
  if (action === 'save' && isEmpty)
    throw new UsageError(
      `${command} needs filters.`,
      `For example: ${command} 'New in KEV' --kev-added-after today-30d`,
    )
  if (action !== 'save' && !isEmpty) throw new UsageError(`${command} takes no filters.`)
  if ('query' in filters && Object.keys(filters).length > 1)
    throw new UsageError('Filters are given both with --query and as options. Use one of the two.')
}

/** The same text as in the console's address. */
function toQuery(filters: SearchFilters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value))
  return query.toString()
}

interface Call {
  readonly client: Client
  readonly terminal: Terminal
  readonly view: string
  readonly query: string
  readonly isJson: boolean
}

const RUN = {
  list: async ({ client, terminal, isJson }: Call) => {
    const list = await client.views()
    await terminal.write(isJson ? formatJson(list) : renderTable(terminal, COLUMNS, list.views))
    if (!list.rights.reads_saved) terminal.printNote(`${WITHOUT_SCOPE}\n`)
  },
  save: async ({ client, terminal, view: name, query, isJson }: Call) => {
    const view = await client.createView({ name, query })
    if (isJson) return terminal.write(formatJson(view))
    terminal.printNote(
      `Saved view ${describe(view)} for everybody in the account. Run it: visctl search --view ${view.id}\n`,
    )
  },
  remove: async ({ client, terminal, view: wanted, isJson }: Call) => {
    const { id } = await findView(client, wanted)
    const view = await client.removeView(id)
    if (isJson) return terminal.write(formatJson(view))
    terminal.printNote(`Removed view ${describe(view)}.\n`)
  },
}

function describe({ id, name }: View): string {
  return `${id} (${cleanLine(name)})`
}

function describeKind({ built_in, shared }: View): string {
  if (built_in) return 'built in'
  return shared ? 'shared' : 'own'
}
