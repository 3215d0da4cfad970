import { Argument, Command, Option } from 'commander'
import {
  createAccount,
  listOrigins,
  replaceOrigins,
  resume,
  setTerms,
  suspend,
} from '../accounts/administer-accounts.ts'
import { listKeys } from '../accounts/administer-keys.ts'
import { lastActions, type Operation } from '../accounts/audit.ts'
import { type AccountRow, listAccounts } from '../accounts/read-accounts.ts'
import { readUsage } from '../accounts/read-usage.ts'
import { renderUsage } from '../contract/usage.ts'
import { formatInstant } from '../domain/instant.ts'
import { PLAN_NAMES, type Plan } from '../domain/plan.ts'
import { UsageError } from '../domain/usage-error.ts'
import { changeAccounts, readAccounts, requireAccount } from './account-operation.ts'
import { readCredits, readId, readLimit, readLine, readOrigin } from './input/parse-values.ts'
import {
  accountTable,
  actionTable,
  keyTable,
  renderAccount,
  renderAction,
  renderKey,
  stateOf,
  usageFacts,
} from './output/accounts.ts'
import { credits, facts, heading, instantOr, remark, say, sayJson } from './output/print.ts'

const SHOWN_ACTIONS = 10

interface Wish {
  readonly json?: boolean
  readonly quota?: string
}

export function accountsCommand(): Command {
  const accounts = new Command('accounts').description('accounts, their plans, quotas and browser origins')
  const command = (words: string, description: string) =>
    accounts.command(words).description(description).option('--json', 'print JSON, for scripts')
  const plan = () => new Argument('<plan>', 'what it may do').choices(PLAN_NAMES)
  const quota: [string, string] = ['--quota <credits>', 'credits a month, if not what the plan stands for']

  command('create', 'make an account; prints its number')
    .requiredOption('--name <name>', 'who it is for')
    .addOption(new Option('--plan <plan>', 'what it may do').choices(PLAN_NAMES).makeOptionMandatory())
    .option(...quota)
    .action(create)
  command('list', 'all accounts, with what they used this month').action(list)
  command('show <id>', 'all about one account: keys, origins, usage, what was done to it').action(show)
  command('set-plan <id>', 'change the plan, and the quota with it, from the next call on')
    .addArgument(plan())
    .option(...quota)
    .action(setPlan)
  command('set-quota <id> <credits>', 'change the credits a month, from the next call on').action(setQuota)
  command('suspend <id>', 'refuse all keys of the account until it is resumed')
    .option('--reason <reason>', 'kept with the record of this action')
    .action(suspendAccount)
  command('resume <id>', 'end a suspension').action(resumeAccount)
  command('origins <id> [origins...]', 'show the browser origins that may call; or replace the whole list')
    .option('--clear', 'allow none')
    .action(origins)
  return accounts
}

async function create(wish: Wish & { name: string; plan: Plan }): Promise<void> {
  const [name, limitHalf] = [readLine(wish.name, '--name'), readLimit(wish.plan, wish.quota)]
  const account = await changeAccounts(async (operation) => {
    const id = await createAccount(operation, name, { plan: wish.plan, limitHalf })
    return requireAccount(operation.tx, id)
  })
  if (wish.json) return sayJson(renderAccount(account))
  // The sentence goes beside the id, so that ID=$(vis-server accounts create …) holds the id alone.
  remark(`Account ${account.id}: ${terms(account)}. Next: vis-server keys issue --account ${account.id}`)
  say(account.id)
}

async function list(wish: Wish): Promise<void> {
  const accounts = await readAccounts(listAccounts)
  if (wish.json) return sayJson(accounts.map(renderAccount))
  if (accounts.length === 0) return remark('No accounts yet. Make one: vis-server accounts create --name … --plan free')
  say(accountTable(accounts))
}

async function show(idText: string, wish: Wish): Promise<void> {
  const id = readId(idText, 'account')
  const all = await readAccounts(async (db) => ({
    account: await requireAccount(db, id),
    usage: await readUsage(db, id),
    origins: await listOrigins(db, id),
    keys: await listKeys(db, id),
    actions: await lastActions(db, id, SHOWN_ACTIONS),
  }))
  if (wish.json)
    return sayJson({
      ...renderAccount(all.account),
      usage: renderUsage(all.usage),
      origins: all.origins,
      keys: all.keys.map(renderKey),
      last_actions: all.actions.map(renderAction),
    })
  const { account, usage } = all
  say(heading(`Account ${id}: ${account.name}`))
  say(
    facts({
      plan: account.plan,
      state: `${stateOf(account)}${account.suspendedAt ? ` since ${formatInstant(account.suspendedAt)}` : ''}`,
      created: formatInstant(account.createdAt),
      ...usageFacts(usage),
      origins: all.origins.join('\n') || 'none',
    }),
  )
  say(all.keys.length > 0 ? `\n${keyTable(all.keys)}` : `\nNo keys. Make one: vis-server keys issue --account ${id}`)
  if (all.actions.length > 0) say(`\n${actionTable(all.actions)}`)
}

async function setPlan(idText: string, plan: Plan, wish: Wish): Promise<void> {
  const [id, limitHalf] = [readId(idText, 'account'), readLimit(plan, wish.quota)]
  await change(id, wish, (operation) => setTerms(operation, id, { plan, limitHalf }), terms)
}

async function setQuota(idText: string, creditsText: string, wish: Wish): Promise<void> {
  const [id, limitHalf] = [readId(idText, 'account'), readCredits(creditsText)]
  await change(id, wish, (operation) => setTerms(operation, id, { limitHalf }), terms)
}

async function suspendAccount(idText: string, wish: Wish & { reason?: string }): Promise<void> {
  const id = readId(idText, 'account')
  const reason = wish.reason === undefined ? undefined : readLine(wish.reason, '--reason')
  await change(id, wish, (operation) => suspend(operation, id, reason), suspension)
}

async function resumeAccount(idText: string, wish: Wish): Promise<void> {
  const id = readId(idText, 'account')
  await change(id, wish, (operation) => resume(operation, id), suspension)
}

/** Does it, then says how things stand now, and whether they stood so before. */
async function change(
  id: string,
  wish: Wish,
  work: (operation: Operation) => Promise<boolean>,
  describe: (account: AccountRow) => string,
): Promise<void> {
  const { hasChanged, account } = await changeAccounts(async (operation) => {
    await requireAccount(operation.tx, id)
    return { hasChanged: await work(operation), account: await requireAccount(operation.tx, id) }
  })
  if (wish.json) return sayJson(renderAccount(account))
  say(`Account ${id}: ${describe(account)}${hasChanged ? '' : ', as before: nothing was changed'}.`)
}

async function origins(idText: string, sent: string[], wish: Wish & { clear?: boolean }): Promise<void> {
  const [id, wanted] = [readId(idText, 'account'), [...new Set(sent.map(readOrigin))]]
  if (wish.clear && wanted.length > 0)
    throw new UsageError('--clear empties the list: leave it out to replace the list, or name no origins with it.')
  const isChange = wish.clear || wanted.length > 0
  const listed = isChange
    ? await changeAccounts(async (operation) => {
        await requireAccount(operation.tx, id)
        await replaceOrigins(operation, id, wanted)
        return listOrigins(operation.tx, id)
      })
    : await readAccounts(async (db) => {
        await requireAccount(db, id)
        return listOrigins(db, id)
      })
  if (wish.json) return sayJson({ id, origins: listed })
  if (listed.length === 0)
    return remark(
      `Account ${id} allows no browser origins. Name all it should: vis-server accounts origins ${id} https://…`,
    )
  say(listed.join('\n'))
}

function terms({ name, plan, limitHalf, usedHalf }: AccountRow): string {
  const used = usedHalf > 0 ? `, ${credits(usedHalf)} used this month` : ''
  return `${name}, ${plan}, ${credits(limitHalf)} a month${used}`
}

function suspension({ name, suspendedAt }: AccountRow): string {
  return suspendedAt ? `${name} is suspended since ${instantOr(suspendedAt, '')}` : `${name} is active`
}
