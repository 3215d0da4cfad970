import { Argument, Command, Option } from 'commander'
import { type KeyRow, listKeys } from '../accounts/administer-keys.ts'
import { readUsage } from '../accounts/read-usage.ts'
import { BREAKDOWNS, type Breakdown, type UsageLine, usageBy } from '../accounts/usage-report.ts'
import { renderUsage } from '../contract/usage.ts'
import { readAccounts, requireAccount } from './account-operation.ts'
import { readId } from './input/parse-values.ts'
import { keyHint, usageFacts } from './output/accounts.ts'
import { facts, heading, remark, say, sayJson, table } from './output/print.ts'

interface Wish {
  readonly json?: boolean
  readonly by?: Breakdown
}

export function usageCommand(): Command {
  return new Command('usage')
    .description('what an account has used of its credits this month')
    .addArgument(new Argument('<account>', 'its number'))
    .addOption(new Option('--by <what>', 'break it down').choices(BREAKDOWNS))
    .option('--json', 'print JSON, for scripts')
    .action(async (idText: string, wish: Wish) => {
      const id = readId(idText, 'account')
      await (wish.by === undefined ? total(id, wish) : breakdown(id, wish.by, wish))
    })
}

async function total(id: string, wish: Wish): Promise<void> {
  const { account, usage } = await readAccounts(async (db) => ({
    account: await requireAccount(db, id),
    usage: await readUsage(db, id),
  }))
  if (wish.json) return sayJson({ id, ...renderUsage(usage) })
  say(heading(`Account ${id}: ${account.name}, ${account.plan}`))
  say(facts(usageFacts(usage)))
}

async function breakdown(id: string, by: Breakdown, wish: Wish): Promise<void> {
  const { lines, keys } = await readAccounts(async (db) => {
    await requireAccount(db, id)
    return { lines: await usageBy(db, id, by), keys: by === 'key' ? await listKeys(db, id) : [] }
  })
  const total = { calls: sum(lines, 'calls'), credits: sum(lines, 'costHalf') / 2 }
  if (wish.json)
    return sayJson({
      id,
      by,
      lines: lines.map(({ of, calls, costHalf }) => ({ [by]: of, calls, credits: costHalf / 2 })),
      total,
    })
  if (lines.length === 0) return remark(`Account ${id} has made no charged calls this month.`)
  say(
    table(
      [by, 'calls', 'credits'],
      [
        ...lines.map(({ of, calls, costHalf }) => [by === 'key' ? shownKey(of, keys) : of, calls, costHalf / 2]),
        ['total', total.calls, total.credits],
      ],
    ),
  )
}

function sum(lines: readonly UsageLine[], what: 'calls' | 'costHalf'): number {
  return lines.reduce((total, line) => total + line[what], 0)
}

function shownKey(id: string, keys: readonly KeyRow[]): string {
  const key = keys.find((each) => each.id === id)
  return key ? `${id}  ${keyHint(key)}` : id
}
