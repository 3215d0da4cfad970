import { Argument, Command, Option } from 'commander'
import {
  createAccount,
  listOrigins,
  replaceOrigins,
  resumeAccount,
  suspendAccount,
  updatePlan,
} from '../accounts/administer-accounts.ts'
import { type Operation, readLastActions } from '../accounts/audit.ts'
import { readUsage } from '../accounts/credits/read-usage.ts'
import { listKeys } from '../accounts/keys/administer-keys.ts'
import { type AccountRow, listAccounts } from '../accounts/read-accounts.ts'
import { renderUsage } from '../contract/usage.ts'
import { PLAN_NAMES, type Plan } from '../domain/account/plan.ts'
import { formatInstant } from '../domain/instant.ts'
import { UsageError } from '../domain/usage-error.ts'
import { changeAccounts, readAccounts, readOfAccount, requireAccount } from './account-operation.ts'
import { parseCredits, parseId, parseLimit, parseLine, parseOrigin } from './input/parse-values.ts'
import { type CommandIo, readConfig } from './io.ts'
import {
  accountState,
  buildAccountTable,
  buildActionTable,
  buildKeyTable,
  renderAccount,
  renderKey,
  renderUsageFields,
} from './output/accounts.ts'
import {
  formatCredits,
  formatFields,
  formatInstantOr,
  printHeading,
  printJson,
  printLine,
  printNote,
  printTable,
  renderRow,
} from './output/print.ts'

const MAX_SHOWN_ACTIONS = 10

interface Options {
  readonly json?: boolean
  readonly quota?: string
}

export function accountsCommand(io: CommandIo): Command {
  const accounts = new Command('accounts').description('Manage accounts, their plans, quotas and browser origins')
  const command = (usage: string, description: string) =>
    accounts.command(usage).description(description).option('--json', 'Print JSON')
  const plan = () => new Argument('<plan>', 'Plan of the account').choices(PLAN_NAMES)
  const quota: [string, string] = ['--quota <credits>', "Credits per month instead of the plan's default"]

  command('create', 'Create an account and print its id')
    .requiredOption('--name <name>', 'Name of the account holder')
    .addOption(new Option('--plan <plan>', 'Plan of the account').choices(PLAN_NAMES).makeOptionMandatory())
    .option(...quota)
    .action((options: Options & { name: string; plan: Plan }) => create(io, options))
  command('list', 'List all accounts with their usage of the current month').action((options: Options) =>
    list(io, options),
  )
  command('show <id>', 'Show the keys, origins, usage and last changes of an account').action(
    (id: string, options: Options) => show(io, id, options),
  )
  command('set-plan', 'Change the plan and quota of an account, effective from the next request')
    .argument('<id>', 'Id of the account')
    .addArgument(plan())
    .option(...quota)
    .action((id: string, plan: Plan, options: Options) => setPlan(io, id, plan, options))
  command(
    'set-quota <id> <credits>',
    'Change the monthly credits of an account, effective from the next request',
  ).action((id: string, credits: string, options: Options) => setQuota(io, id, credits, options))
  command('suspend <id>', 'Refuse all keys of an account until it is resumed')
    .option('--reason <reason>', 'Reason to record in the audit log')
    .action((id: string, options: Options & { reason?: string }) => suspend(io, id, options))
  command('resume <id>', 'End the suspension of an account').action((id: string, options: Options) =>
    resume(io, id, options),
  )
  command('origins <id> [origins...]', 'Show the browser origins that may use an account, or replace the whole list')
    .option('--clear', 'Remove all origins')
    .action((id: string, sent: string[], options: Options & { clear?: boolean }) => origins(io, id, sent, options))
  return accounts
}

async function create(io: CommandIo, options: Options & { name: string; plan: Plan }): Promise<void> {
  const [name, limitHalf] = [parseLine(options.name, '--name'), parseLimit(options.plan, options.quota)]
  const account = await changeAccounts(readConfig(io), async (operation) => {
    const id = await createAccount(operation, name, { plan: options.plan, limitHalf })
    return requireAccount(operation.tx, id)
  })
  if (options.json) return printJson(io, renderAccount(account))
  // The confirmation goes to stderr, so that ID=$(vis-server accounts create …) contains only the id.
  printNote(
    io,
    `Created account ${account.id}: ${describePlan(account)}. Issue a key: vis-server keys issue --account ${account.id}`,
  )
  printLine(io, account.id)
}

async function list(io: CommandIo, options: Options): Promise<void> {
  const accounts = await readAccounts(readConfig(io), listAccounts)
  if (options.json) return printJson(io, accounts.map(renderAccount))
  if (accounts.length === 0)
    return printNote(io, 'There are no accounts. Create one: vis-server accounts create --name … --plan free')
  printTable(io, buildAccountTable(accounts))
}

async function show(io: CommandIo, idText: string, options: Options): Promise<void> {
  const id = parseId(idText, 'account')
  const { account, usage, origins, keys, actions } = await readAccounts(readConfig(io), async (db) => ({
    account: await requireAccount(db, id),
    usage: await readUsage(db, id),
    origins: await listOrigins(db, id),
    keys: await listKeys(db, id),
    actions: await readLastActions(db, id, MAX_SHOWN_ACTIONS),
  }))
  if (options.json)
    return printJson(io, {
      ...renderAccount(account),
      usage: renderUsage(usage),
      origins,
      keys: keys.map(renderKey),
      last_actions: actions.map(renderRow),
    })
  printHeading(io, `Account ${id}: ${account.name}`)
  const fields = {
    plan: account.plan,
    state: `${accountState(account)}${account.suspendedAt ? ` since ${formatInstant(account.suspendedAt)}` : ''}`,
    created: formatInstant(account.createdAt),
    ...renderUsageFields(usage),
    origins: origins.join('\n') || 'none',
  }
  printLine(io, `${formatFields(fields)}\n`)
  if (keys.length > 0) printTable(io, buildKeyTable(keys))
  else printLine(io, `The account has no keys. Issue one: vis-server keys issue --account ${id}`)
  if (actions.length === 0) return
  printLine(io, '')
  printTable(io, buildActionTable(actions))
}

async function setPlan(io: CommandIo, idText: string, plan: Plan, options: Options): Promise<void> {
  const [id, limitHalf] = [parseId(idText, 'account'), parseLimit(plan, options.quota)]
  await change(io, options, { id, work: (operation) => updatePlan(operation, id, { plan, limitHalf }) }, describePlan)
}

async function setQuota(io: CommandIo, idText: string, creditsText: string, options: Options): Promise<void> {
  const [id, limitHalf] = [parseId(idText, 'account'), parseCredits(creditsText)]
  await change(io, options, { id, work: (operation) => updatePlan(operation, id, { limitHalf }) }, describePlan)
}

async function suspend(io: CommandIo, idText: string, options: Options & { reason?: string }): Promise<void> {
  const id = parseId(idText, 'account')
  const reason = options.reason === undefined ? undefined : parseLine(options.reason, '--reason')
  await change(io, options, { id, work: (operation) => suspendAccount(operation, id, reason) }, describeSuspension)
}

async function resume(io: CommandIo, idText: string, options: Options): Promise<void> {
  const id = parseId(idText, 'account')
  await change(io, options, { id, work: (operation) => resumeAccount(operation, id) }, describeSuspension)
}

interface AccountChange {
  readonly id: string
  readonly work: (operation: Operation) => Promise<boolean>
}

async function change(
  io: CommandIo,
  options: Options,
  { id, work }: AccountChange,
  describe: (account: AccountRow) => string,
): Promise<void> {
  const { hasChanged, account } = await changeAccounts(readConfig(io), async (operation) => {
    await requireAccount(operation.tx, id)
    return { hasChanged: await work(operation), account: await requireAccount(operation.tx, id) }
  })
  if (options.json) return printJson(io, renderAccount(account))
  printLine(io, `Account ${id}: ${describe(account)}${hasChanged ? '' : ', as before: nothing was changed'}.`)
}

async function origins(
  io: CommandIo,
  idText: string,
  sent: readonly string[],
  options: Options & { clear?: boolean },
): Promise<void> {
  const [id, newOrigins] = [parseId(idText, 'account'), [...new Set(sent.map(parseOrigin))]]
  if (options.clear && newOrigins.length > 0)
    throw new UsageError('--clear removes all origins and cannot be combined with new origins. Leave one of them out.')
  const config = readConfig(io)
  const isChange = options.clear || newOrigins.length > 0
  const listed = isChange
    ? await changeAccounts(config, async (operation) => {
        await requireAccount(operation.tx, id)
        await replaceOrigins(operation, id, newOrigins)
        return listOrigins(operation.tx, id)
      })
    : await readOfAccount(config, id, listOrigins)
  if (options.json) return printJson(io, { id, origins: listed })
  if (listed.length === 0)
    return printNote(
      io,
      `Account ${id} allows no browser origins. Set the whole list: vis-server accounts origins ${id} https://…`,
    )
  printLine(io, listed.join('\n'))
}

function describePlan({ name, plan, limitHalf, usedHalf }: AccountRow): string {
  const used = usedHalf > 0 ? `, ${formatCredits(usedHalf)} used this month` : ''
  return `${name}, ${plan}, ${formatCredits(limitHalf)} a month${used}`
}

function describeSuspension({ name, suspendedAt }: AccountRow): string {
  return suspendedAt ? `${name} is suspended since ${formatInstantOr(suspendedAt, '')}` : `${name} is active`
}
