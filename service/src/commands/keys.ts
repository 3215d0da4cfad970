import { Command } from 'commander'
import { type KeyRow, listKeys, lockKey, revokeKey, rotateKey, storeKey } from '../accounts/administer-keys.ts'
import { issueKey } from '../accounts/api-key.ts'
import type { Operation } from '../accounts/audit.ts'
import type { Config } from '../config.ts'
import { UsageError } from '../domain/usage-error.ts'
import { changeAccounts, readAccounts, requireAccount } from './account-operation.ts'
import { readExpiry, readId, readOverlap } from './input/parse-values.ts'
import { keyTable, renderKey } from './output/accounts.ts'
import { instantOr, remark, say, sayJson } from './output/print.ts'

interface Wish {
  readonly json?: boolean
  readonly expires?: string
}

export function keysCommand(): Command {
  const keys = new Command('keys').description('API keys')
  const command = (words: string, description: string) =>
    keys.command(words).description(description).option('--json', 'print JSON, for scripts')
  const account: [string, string] = ['--account <id>', 'whose']
  const expires: [string, string] = [
    '--expires <when>',
    'a time from now (90d, 12h, 30m) or a date (2027-01-01); else never',
  ]

  command('issue', 'make a key; it is shown this once and never again')
    .requiredOption(...account)
    .option(...expires)
    .action(issue)
  command('list', 'the keys of an account')
    .requiredOption(...account)
    .action(list)
  command('rotate <key-id>', 'make a key that takes the place of another, which goes on for a while')
    .option('--overlap <time>', 'how long the old key goes on, at most 7d; 0 ends it at once', '24h')
    .option(...expires)
    .action(rotate)
  command('revoke <key-id>', 'refuse a key from now on, for ever').action(revoke)
  return keys
}

async function issue(wish: Wish & { account: string }): Promise<void> {
  const accountId = readId(wish.account, 'account')
  const expiry = wish.expires === undefined ? undefined : readExpiry(wish.expires)
  const { key, stored, account } = await changeAccounts(async (operation, config) => {
    const account = await requireAccount(operation.tx, accountId)
    const issued = issueFor(config)
    const stored = await storeKey(operation, accountId, issued, expiry)
    refuseDeadOnArrival(stored)
    return { key: issued.key, stored, account }
  })
  if (wish.json) return sayJson({ ...renderKey(stored), key })
  const suspended = account.suspendedAt ? ' The account is suspended: the key works when it is resumed.' : ''
  handOver(key, `Key ${stored.id} of account ${accountId}, ${lifetime(stored)}.${suspended}`)
}

async function list(wish: Wish & { account: string }): Promise<void> {
  const accountId = readId(wish.account, 'account')
  const keys = await readAccounts(async (db) => {
    await requireAccount(db, accountId)
    return listKeys(db, accountId)
  })
  if (wish.json) return sayJson(keys.map(renderKey))
  if (keys.length === 0)
    return remark(`Account ${accountId} has no keys. Make one: vis-server keys issue --account ${accountId}`)
  say(keyTable(keys))
}

async function rotate(idText: string, wish: Wish & { overlap: string }): Promise<void> {
  const [id, overlapSeconds] = [readId(idText, 'key'), readOverlap(wish.overlap)]
  const expiry = wish.expires === undefined ? undefined : readExpiry(wish.expires)
  const { key, old, replacement } = await changeAccounts(async (operation, config) => {
    const current = await requireKey(operation, id)
    refuseRevoked(current)
    const issued = issueFor(config)
    const rotated = await rotateKey(operation, current, issued, { overlapSeconds, expiry })
    refuseDeadOnArrival(rotated.replacement)
    return { key: issued.key, ...rotated }
  })
  if (wish.json) return sayJson({ ...renderKey(replacement), key, replaces: renderKey(old) })
  const end = `${old.state === 'expired' ? 'ended' : 'ends'} at ${instantOr(old.expiresAt, '')}`
  handOver(
    key,
    `Key ${replacement.id} of account ${old.accountId}, ${lifetime(replacement)}; key ${id}, which it replaces, ${end}.`,
  )
}

async function revoke(idText: string, wish: Wish): Promise<void> {
  const id = readId(idText, 'key')
  const key = await changeAccounts(async (operation) => revokeKey(operation, await requireKey(operation, id)))
  if (wish.json) return sayJson(renderKey(key))
  say(`Key ${id} of account ${key.accountId} is revoked since ${instantOr(key.revokedAt, 'now')}.`)
}

function issueFor(config: Config) {
  return issueKey(config.environment === 'production' ? 'live' : 'test')
}

async function requireKey(operation: Operation, id: string): Promise<KeyRow> {
  const key = await lockKey(operation, id)
  if (key) return key
  throw new UsageError(`There is no key ${id}: vis-server keys list --account … shows the keys of an account.`)
}

function refuseRevoked(key: KeyRow): void {
  if (key.state !== 'revoked') return
  throw new UsageError(
    `Key ${key.id} is revoked since ${instantOr(key.revokedAt, '')} and cannot be rotated. Make a new one: vis-server keys issue --account ${key.accountId}`,
  )
}

/** The database's clock has judged; what was stored is undone. */
function refuseDeadOnArrival(key: KeyRow): void {
  if (key.state === 'active') return
  throw new UsageError(
    `--expires names ${instantOr(key.expiresAt, '')}, which is past: the key would never work. Name a later date, or a time from now such as 90d.`,
  )
}

/** The sentence goes beside the key, so that KEY=$(vis-server keys issue …) holds the key alone. */
function handOver(key: string, sentence: string): void {
  remark(`${sentence} Keep the new key now: only its digest is stored.`)
  say(key)
}

function lifetime(key: KeyRow): string {
  return key.expiresAt ? `valid until ${instantOr(key.expiresAt, '')}` : 'without expiry'
}
