import { Command } from 'commander'
import type { Operation } from '../accounts/audit.ts'
import { createAccountKey, type KeyRow, revokeAccountKey, rotateAccountKey } from '../accounts/keys/account-keys.ts'
import { grantScopes, listKeys, lockKey } from '../accounts/keys/administer-keys.ts'
import { issueKey } from '../accounts/keys/api-key.ts'
import { actFor } from '../accounts/keys/credential.ts'
import type { Config } from '../config.ts'
import { SCOPE_MEANINGS } from '../contract/keys.ts'
import { SCOPES } from '../domain/account/scope.ts'
import { UsageError } from '../domain/usage-error.ts'
import { changeAccounts, readOfAccount, requireAccount } from './account-operation.ts'
import { parseExpiry, parseId, parseLine, parseOverlap, parseScopeList } from './input/parse-values.ts'
import { type CommandIo, readConfig } from './io.ts'
import { buildKeyTable, renderKey } from './output/accounts.ts'
import { formatInstantOr, printJson, printLine, printNote, printTable } from './output/print.ts'
import { revokeLeakedKeys } from './revoke-leaked-keys.ts'

interface Options {
  readonly json?: boolean
  readonly expires?: string
}

interface IssueOptions extends Options {
  readonly account: string
  readonly name?: string
  readonly scopes: string
}

const SCOPES_HELP = [
  'What the key may do, separated by commas.',
  ...SCOPES.map((scope) => `${scope}: ${SCOPE_MEANINGS[scope]}`),
].join(' ')

export function keysCommand(io: CommandIo): Command {
  const keys = new Command('keys').description('Manage API keys')
  const command = (usage: string, description: string) =>
    keys.command(usage).description(description).option('--json', 'Print JSON')
  const account: [string, string] = ['--account <id>', 'Id of the account that owns the keys']
  const expires: [string, string] = [
    '--expires <when>',
    'Expiry as a time from now (90d, 12h, 30m) or a date (2027-01-01); without it the key never expires',
  ]

  command('issue', 'Issue a key; it is printed once and cannot be shown again')
    .requiredOption(...account)
    .option('--name <name>', 'Name by which people recognise the key')
    .option('--scopes <scopes>', SCOPES_HELP, 'read')
    .option(...expires)
    .action((options: IssueOptions) => issue(io, options))
  command('list', 'List the keys of an account')
    .requiredOption(...account)
    .action((options: Options & { account: string }) => list(io, options))
  command('rotate <key-id>', 'Issue a new key and let the old one expire after an overlap')
    .option('--overlap <time>', 'Time until the old key expires, at most 7d; 0 ends it at once', '24h')
    .option(...expires)
    .action((id: string, options: Options & { overlap: string }) => rotate(io, id, options))
  command('grant <key-id>', 'Replace the scopes of a key')
    .requiredOption('--scopes <scopes>', SCOPES_HELP)
    .action((id: string, options: Options & { scopes: string }) => grant(io, id, options))
  command('revoke [key-id]', 'Revoke a key permanently, or all keys in a text')
    .option('--leaked', 'Revoke every key in the text on standard input, such as the report of a secret scanner')
    .action((id: string | undefined, options: Options & { leaked?: boolean }) => revoke(io, id, options))
  return keys
}

async function issue(io: CommandIo, options: IssueOptions): Promise<void> {
  const accountId = parseId(options.account, 'account')
  const scopes = parseScopeList(options.scopes)
  const name = options.name === undefined ? undefined : parseLine(options.name, '--name')
  const expiry = options.expires === undefined ? undefined : parseExpiry(options.expires)
  const config = readConfig(io)
  const { key, stored, account } = await changeAccounts(config, async (operation) => {
    const account = await requireAccount(operation.tx, accountId)
    const issued = issueForEnvironment(config)
    const change = await createAccountKey(operation.tx, actFor(operation, accountId), issued, { name, scopes, expiry })
    const stored = requireActive(change.keys[0])
    return { key: issued.key, stored, account }
  })
  if (options.json) return printJson(io, { ...renderKey(stored), key })
  const suspended = account.suspendedAt ? ' The account is suspended: the key works once it is resumed.' : ''
  printKey(io, key, `Issued key ${stored.id} of account ${accountId}, ${describeLifetime(stored)}.${suspended}`)
}

async function list(io: CommandIo, options: Options & { account: string }): Promise<void> {
  const accountId = parseId(options.account, 'account')
  const keys = await readOfAccount(readConfig(io), accountId, listKeys)
  if (options.json) return printJson(io, keys.map(renderKey))
  if (keys.length === 0)
    return printNote(io, `Account ${accountId} has no keys. Issue one: vis-server keys issue --account ${accountId}`)
  printTable(io, buildKeyTable(keys))
}

async function rotate(io: CommandIo, idText: string, options: Options & { overlap: string }): Promise<void> {
  const [id, overlapSeconds] = [parseId(idText, 'key'), parseOverlap(options.overlap)]
  const expiry = options.expires === undefined ? undefined : parseExpiry(options.expires)
  const config = readConfig(io)
  const { key, old, replacement } = await changeAccounts(config, async (operation) => {
    const current = await requireKey(operation, id)
    const [actor, issued] = [actFor(operation, current.accountId), issueForEnvironment(config)]
    const change = await rotateAccountKey(operation.tx, actor, issued, { keyId: id, overlapSeconds, expiry })
    const [replacement, old] = change.keys
    if (change.outcome !== 'done' || !old) throw cannotRotate(current)
    return { key: issued.key, replacement: requireActive(replacement), old }
  })
  if (options.json) return printJson(io, { ...renderKey(replacement), key, replaces: renderKey(old) })
  const end = `${old.state === 'expired' ? 'expired' : 'expires'} at ${formatInstantOr(old.expiresAt, '')}`
  printKey(
    io,
    key,
    `Issued key ${replacement.id} of account ${old.accountId}, ${describeLifetime(replacement)}. It replaces key ${id}, which ${end}.`,
  )
}

async function grant(io: CommandIo, idText: string, options: Options & { scopes: string }): Promise<void> {
  const [id, scopes] = [parseId(idText, 'key'), parseScopeList(options.scopes)]
  const key = await changeAccounts(readConfig(io), async (operation) => {
    await grantScopes(operation, await requireKey(operation, id), scopes)
    return requireKey(operation, id)
  })
  if (options.json) return printJson(io, renderKey(key))
  printLine(io, `Key ${id} of account ${key.accountId} has the scopes ${key.scopes.join(', ')}.`)
}

async function revoke(io: CommandIo, idText: string | undefined, options: Options & { leaked?: boolean }) {
  if (options.leaked && idText === undefined) return revokeLeakedKeys(io, options)
  if (idText === undefined || options.leaked)
    throw new UsageError('Name the id of one key, or use --leaked to revoke the keys in a text on standard input.')
  const id = parseId(idText, 'key')
  const key = await changeAccounts(readConfig(io), async (operation) => {
    const { accountId } = await requireKey(operation, id)
    await revokeAccountKey(operation.tx, actFor(operation, accountId), id)
    return requireKey(operation, id)
  })
  if (options.json) return printJson(io, renderKey(key))
  printLine(io, `Key ${id} of account ${key.accountId} is revoked since ${formatInstantOr(key.revokedAt, 'now')}.`)
}

function issueForEnvironment(config: Config) {
  return issueKey(config.environment === 'production' ? 'live' : 'test')
}

async function requireKey(operation: Operation, id: string): Promise<KeyRow> {
  const key = await lockKey(operation, id)
  if (key) return key
  throw new UsageError(`There is no key ${id}. List the keys of an account: vis-server keys list --account …`)
}

function cannotRotate(key: KeyRow): UsageError {
  return new UsageError(
    key.state === 'revoked'
      ? `Key ${key.id} is revoked since ${formatInstantOr(key.revokedAt, '')} and cannot be rotated. Issue a new key: vis-server keys issue --account ${key.accountId}`
      : `Key ${key.id} was already rotated: key ${key.replacedBy} replaces it. If that key was lost, rotate it: vis-server keys rotate ${key.replacedBy}`,
  )
}

/**
 * Throws if the key has already expired according to the database clock. That rolls back the transaction that stored
 * it.
 */
function requireActive(key: KeyRow | undefined): KeyRow {
  if (key?.state === 'active') return key
  throw new UsageError(
    `--expires names ${formatInstantOr(key?.expiresAt ?? null, '')}, which is in the past: the key would never work. Name a later date, or a time from now such as 90d.`,
  )
}

/** Only the key goes to stdout, so that KEY=$(vis-server keys issue …) contains nothing else. */
function printKey(io: CommandIo, key: string, sentence: string): void {
  printNote(io, `${sentence} Save the new key now: only its digest is stored.`)
  printLine(io, key)
}

function describeLifetime(key: KeyRow): string {
  return key.expiresAt ? `valid until ${formatInstantOr(key.expiresAt, '')}` : 'without expiry'
}
