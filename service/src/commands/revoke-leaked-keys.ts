// vis-server keys revoke --leaked: revokes every key found in the text on standard input.
import { type KeyRow, revokeAccountKey } from '../accounts/keys/account-keys.ts'
import { lockKeyByDigest } from '../accounts/keys/administer-keys.ts'
import { actFor } from '../accounts/keys/credential.ts'
import { findKeysInText } from '../accounts/keys/find-keys-in-text.ts'
import { UsageError } from '../domain/usage-error.ts'
import { changeAccountsRepeatedly } from './account-operation.ts'
import { type CommandIo, readConfig } from './io.ts'
import { formatKeyHint, renderKey } from './output/accounts.ts'
import { formatInstantOr, formatNumber, printJson, printNote, printTable } from './output/print.ts'

const MAX_INPUT_BYTES = 1024 * 1024 * 1024
/** Limits the memory for the digests of keys that were already handled. */
const MAX_DISTINCT_KEYS = 100_000

interface Report {
  readonly revoked: KeyRow[]
  readonly revokedBefore: KeyRow[]
  unknown: number
  wrongChecksum: number
}

/**
 * Revokes each key in its own transaction, and prints what was done even if the input breaks off. No output contains a
 * key.
 */
export async function revokeLeakedKeys(io: CommandIo, options: { readonly json?: boolean }): Promise<void> {
  if (io.stdin.isTTY)
    throw new UsageError(
      '--leaked reads text with keys from standard input: vis-server keys revoke --leaked < report.txt',
    )
  const report: Report = { revoked: [], revokedBefore: [], unknown: 0, wrongChecksum: 0 }
  try {
    await revokeFoundKeys(io, report)
  } finally {
    if (options.json) printJson(io, renderReport(report))
    else printReport(io, report)
  }
}

async function revokeFoundKeys(io: CommandIo, report: Report): Promise<void> {
  const seen = new Set<string>()
  await changeAccountsRepeatedly(readConfig(io), async (change) => {
    for await (const { digest } of findKeysInText(limitBytes(io.stdin))) {
      if (digest === undefined) report.wrongChecksum += 1
      if (digest === undefined || seen.has(digest)) continue
      if (seen.size >= MAX_DISTINCT_KEYS)
        throw new UsageError(`The input contains more than ${formatNumber(MAX_DISTINCT_KEYS)} keys. Split it.`)
      seen.add(digest)
      await change(async (operation) => {
        const key = await lockKeyByDigest(operation, Buffer.from(digest, 'hex'))
        if (!key) report.unknown += 1
        else if (key.revokedAt) report.revokedBefore.push(key)
        else return revokeAccountKey(operation.tx, actFor(operation, key.accountId), key.id, 'leaked')
        return undefined
      }).then((change) => report.revoked.push(...(change?.keys ?? [])))
    }
  })
}

async function* limitBytes(input: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer | string> {
  let bytes = 0
  for await (const chunk of input) {
    bytes += chunk.length
    if (bytes > MAX_INPUT_BYTES) throw new UsageError('The input is larger than 1 GiB. Split it.')
    yield chunk
  }
}

const renderReport = ({ revoked, revokedBefore, unknown, wrongChecksum }: Report) => ({
  revoked: revoked.map(renderKey),
  revoked_before: revokedBefore.map(renderKey),
  unknown,
  wrong_checksum: wrongChecksum,
})

function printReport(io: CommandIo, { revoked, revokedBefore, unknown, wrongChecksum }: Report): void {
  const rows = [...revoked, ...revokedBefore].map((key) => [
    key.id,
    key.accountId,
    formatKeyHint(key),
    formatInstantOr(key.revokedAt, ''),
    key.lastUsedOn ?? 'never',
  ])
  if (rows.length > 0) printTable(io, { headings: ['id', 'account', 'key', 'revoked', 'last used'], rows })
  printNote(
    io,
    `${revoked.length} revoked, ${revokedBefore.length} revoked before, ${unknown} unknown, ${wrongChecksum} with a wrong checksum (not a key, or mistyped).`,
  )
}
