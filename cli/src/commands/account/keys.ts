import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { ApiKey, Client, NewKey } from 'vis-sdk'
import { SCOPES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues, UsageError } from '../../command.ts'
import { JSON_OPTION, listMembers, listOption } from '../../options.ts'
import { type Column, renderTable } from '../../render/table.ts'
import type { Terminal } from '../../render/terminal.ts'
import { formatJson } from '../../render/text.ts'

const ACTIONS = listMembers<keyof typeof RUN>({ list: true, create: true, rotate: true, revoke: true })

const NEW_KEY = 'New key (create):'
const OPTIONS: readonly Option[] = [
  new Option('--name <name>', 'Name by which people recognise the key').helpGroup(NEW_KEY),
  ...listOption(
    'scopes',
    'What the key may do (default: read)',
    Object.keys(SCOPES),
  )('--scopes').map((option) => option.helpGroup(NEW_KEY)),
  new Option('--expires-in-days <n>', 'Days after which the key expires (default: never; required if your key expires)')
    .argParser(parseNumber)
    .helpGroup(NEW_KEY),
  ...listOption(
    'ranges',
    'Addresses and ranges from which the key may be used, such as 203.0.113.0/24',
  )('--allowed-ips').map((option) => option.helpGroup(NEW_KEY)),
  new Option('--overlap-hours <n>', 'Hours for which a rotated key still works, 0 to 168 (default: 24)')
    .argParser(parseNumber)
    .helpGroup('Rotation (rotate):'),
  JSON_OPTION,
]

export function createKeysCommand(context: Context): Command {
  return createCommand({
    name: 'keys',
    summary: 'List, create, rotate and revoke the keys of your account (free; needs a key with the scope manage)',
    options: OPTIONS,
    examples: [
      'visctl keys list',
      'visctl keys create --name ci-pipeline --scopes read --expires-in-days 90 > key',
      'visctl keys rotate 12 --overlap-hours 48 > key',
      'visctl keys revoke 12',
    ],
  })
    .addArgument(new Argument('<action>', 'What to do').choices(ACTIONS))
    .argument('[key-id]', 'Id of the key to rotate or revoke')
    .action(async (action: keyof typeof RUN, id: string | undefined, values: OptionValues) => {
      const needsId = action === 'rotate' || action === 'revoke'
      if (needsId !== (id !== undefined))
        throw new UsageError(
          needsId ? `visctl keys ${action} needs the id of a key.` : `visctl keys ${action} takes no id.`,
          needsId ? 'List the ids: visctl keys list' : undefined,
        )
      await RUN[action]({ client: await context.connect(values), terminal: context.terminal, id: id ?? '', values })
    })
}

interface Call {
  readonly client: Client
  readonly terminal: Terminal
  readonly id: string
  readonly values: OptionValues
}

const RUN = {
  list: async ({ client, terminal, values }: Call) => {
    const keys = await client.keys()
    await terminal.write(values['json'] === true ? formatJson(keys) : renderTable(terminal, COLUMNS, keys))
  },
  create: async ({ client, terminal, values }: Call) => {
    const { name, expiresInDays, allowedIps, scopes } = values
    if (typeof name !== 'string')
      throw new UsageError('visctl keys create needs --name.', 'For example: --name ci-pipeline')
    const created = await client.createKey({
      name,
      // The service validates the scopes and numbers from the command line.
      scopes: (scopes as NewKey['scopes'] | undefined) ?? ['read'],
      ...(expiresInDays === undefined ? {} : { expires_in_days: expiresInDays as number }),
      ...(allowedIps === undefined ? {} : { allowed_ips: allowedIps as readonly string[] }),
    })
    if (values['json'] === true) return terminal.write(formatJson(created))
    await printSecret(terminal, created.secret, `Created key ${describe(created.key)}.`)
  },
  rotate: async ({ client, terminal, id, values }: Call) => {
    const { overlapHours } = values
    // parseNumber returns a number.
    const overlap = overlapHours === undefined ? {} : { overlap_hours: overlapHours as number }
    const rotated = await client.rotateKey(id, overlap)
    if (values['json'] === true) return terminal.write(formatJson(rotated))
    const end = `${rotated.replaced.state === 'expired' ? 'expired' : 'expires'} at ${rotated.replaced.expires_at}`
    await printSecret(terminal, rotated.secret, `Created key ${describe(rotated.key)}. Key ${id} ${end}.`)
  },
  revoke: async ({ client, terminal, id, values }: Call) => {
    const key = await client.revokeKey(id)
    if (values['json'] === true) return terminal.write(formatJson(key))
    terminal.printNote(`Key ${describe(key)} is revoked.\n`)
  },
}

/**
 * Prints only the key on standard output, so that it can be redirected to a file. The sentence goes to standard error.
 */
async function printSecret(terminal: Terminal, secret: string, sentence: string): Promise<void> {
  terminal.printNote(`${sentence} Save the new key now: it cannot be shown again.\n`)
  await terminal.write(`${secret}\n`)
}

function describe({ id, name, last_four }: ApiKey): string {
  return `${id} (${name === null ? '' : `${name}, `}…${last_four})`
}

const COLUMNS: readonly Column<ApiKey>[] = [
  { title: 'ID', align: 'right', text: ({ id }) => id, style: () => 'bold' },
  { title: 'NAME', maxWidth: 30, text: ({ name }) => name ?? '' },
  { title: 'KEY', text: ({ prefix, last_four }) => `${prefix}…${last_four}` },
  { title: 'STATE', text: ({ state, replaced_by }) => (replaced_by === null ? state : `${state} → ${replaced_by}`) },
  { title: 'SCOPES', text: ({ scopes }) => scopes.join(',') },
  { title: 'LAST USED', text: ({ last_used_day }) => last_used_day ?? 'never' },
  { title: 'EXPIRES', text: ({ expires_at }) => expires_at ?? 'never' },
  { title: 'ADDRESSES', text: ({ allowed_ips }) => allowed_ips.join(', ') || 'all' },
]

function parseNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}
