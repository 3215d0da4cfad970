import { Argument, type Command } from 'commander'
import type { BrowserOrigin, Client } from 'vis-sdk'
import { type Context, createCommand, type OptionValues, UsageError } from '../../command.ts'
import { JSON_OPTION } from '../../options.ts'
import { type Column, renderTable } from '../../render/table.ts'
import { formatJson } from '../../render/text.ts'

type Action = 'list' | 'add' | 'remove'

const ACTIONS: readonly Action[] = ['list', 'add', 'remove']

const COLUMNS: readonly Column<BrowserOrigin>[] = [
  { title: 'ORIGIN', text: ({ origin }) => origin, style: () => 'bold' },
  { title: 'ADDED', text: ({ created_at }) => created_at ?? 'unknown' },
]

export function createOriginsCommand({ terminal, connect }: Context): Command {
  return createCommand({
    name: 'origins',
    summary: 'List, add and remove the browser origins of your account (free; needs a key with the scope manage)',
    options: [JSON_OPTION],
    examples: [
      'visctl origins list',
      'visctl origins add https://app.example',
      'visctl origins remove https://app.example',
    ],
  })
    .addArgument(new Argument('<action>', 'What to do').choices(ACTIONS))
    .argument('[origin]', 'Origin to add or remove, such as https://app.example')
    .action(async (action: Action, origin: string | undefined, values: OptionValues) => {
      if ((action === 'list') !== (origin === undefined))
        throw new UsageError(
          action === 'list' ? 'visctl origins list takes no origin.' : `visctl origins ${action} needs an origin.`,
          `For example: visctl origins ${action === 'list' ? 'list' : `${action} https://app.example`}`,
        )
      const client = await connect(values)
      const origins = await changeOrigins(client, action, origin ?? '')
      if (values['json'] === true) return terminal.write(formatJson(origins))
      if (origins.length > 0) return terminal.write(renderTable(terminal, COLUMNS, origins))
      terminal.printNote('The account has no browser origins.\n')
    })
}

function changeOrigins(client: Client, action: Action, origin: string): Promise<readonly BrowserOrigin[]> {
  if (action === 'list') return client.origins()
  return action === 'add' ? client.addOrigin(origin) : client.removeOrigin(origin)
}
