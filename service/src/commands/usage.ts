import { Argument, Command, Option } from 'commander'
import { readUsage } from '../accounts/credits/read-usage.ts'
import { BREAKDOWNS, type Breakdown, readUsageBy, type UsageLine } from '../accounts/credits/usage-report.ts'
import type { KeyRow } from '../accounts/keys/account-keys.ts'
import { listKeys } from '../accounts/keys/administer-keys.ts'
import { renderUsage } from '../contract/usage.ts'
import { readAccounts, requireAccount } from './account-operation.ts'
import { parseId } from './input/parse-values.ts'
import { type CommandIo, readConfig } from './io.ts'
import { formatKeyHint, renderUsageFields } from './output/accounts.ts'
import { formatFields, printHeading, printJson, printLine, printNote, printTable } from './output/print.ts'

interface Options {
  readonly json?: boolean
  readonly by?: Breakdown
}

export function usageCommand(io: CommandIo): Command {
  return new Command('usage')
    .description('Show the credits that an account has used this month')
    .addArgument(new Argument('<account>', 'Id of the account'))
    .addOption(new Option('--by <dimension>', 'Break the usage down').choices(BREAKDOWNS))
    .option('--json', 'Print JSON')
    .action(async (idText: string, options: Options) => {
      const id = parseId(idText, 'account')
      await (options.by === undefined ? showTotal(io, id, options) : showBreakdown(io, id, options.by, options))
    })
}

async function showTotal(io: CommandIo, id: string, options: Options): Promise<void> {
  const { account, usage } = await readAccounts(readConfig(io), async (db) => ({
    account: await requireAccount(db, id),
    usage: await readUsage(db, id),
  }))
  if (options.json) return printJson(io, { id, ...renderUsage(usage) })
  printHeading(io, `Account ${id}: ${account.name}, ${account.plan}`)
  printLine(io, formatFields(renderUsageFields(usage)))
}

async function showBreakdown(io: CommandIo, id: string, by: Breakdown, options: Options): Promise<void> {
  const { lines, keys } = await readAccounts(readConfig(io), async (db) => {
    await requireAccount(db, id)
    return { lines: await readUsageBy(db, id, by), keys: by === 'key' ? await listKeys(db, id) : [] }
  })
  const total = { calls: sumLines(lines, 'calls'), credits: sumLines(lines, 'costHalf') / 2 }
  if (options.json)
    return printJson(io, {
      id,
      by,
      lines: lines.map(({ group, calls, costHalf }) => ({ [by]: group, calls, credits: costHalf / 2 })),
      total,
    })
  if (lines.length === 0) return printNote(io, `Account ${id} has made no charged calls this month.`)
  printTable(io, {
    headings: [by, 'calls', 'credits'],
    rows: [
      ...lines.map(({ group, calls, costHalf }) => [
        by === 'key' ? describeKey(group, keys) : group,
        calls,
        costHalf / 2,
      ]),
      ['total', total.calls, total.credits],
    ],
  })
}

function sumLines(lines: readonly UsageLine[], column: 'calls' | 'costHalf'): number {
  return lines.reduce((total, line) => total + line[column], 0)
}

function describeKey(id: string, keys: readonly KeyRow[]): string {
  const key = keys.find((each) => each.id === id)
  return key ? `${id}  ${formatKeyHint(key)}` : id
}
