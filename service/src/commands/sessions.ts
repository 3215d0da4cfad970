import { Command } from 'commander'
import { endAccountSessions, listAccountSessions } from '../accounts/people/administer-members.ts'
import { formatInstant } from '../domain/instant.ts'
import { changeAccounts, readOfAccount, requireAccount } from './account-operation.ts'
import { parseId } from './input/parse-values.ts'
import { type CommandIo, readConfig } from './io.ts'
import { printJson, printLine, printNote, printTable, renderRow } from './output/print.ts'

interface Options {
  readonly json?: boolean
  readonly account: string
}

interface EndOptions extends Options {
  readonly member?: string
  readonly session?: string
}

export function sessionsCommand(io: CommandIo): Command {
  const sessions = new Command('sessions').description('List and end sessions of the console')
  const command = (usage: string, description: string) =>
    sessions
      .command(usage)
      .description(description)
      .option('--json', 'Print JSON')
      .requiredOption('--account <id>', 'Id of the account')

  command('list', 'List the open sessions of an account').action((options: Options) => list(io, options))
  command('end', 'End the sessions of an account, on every node within two seconds')
    .option('--member <id>', 'Only the sessions of this member')
    .option('--session <id>', 'Only this session')
    .action((options: EndOptions) => end(io, options))
  return sessions
}

async function list(io: CommandIo, options: Options): Promise<void> {
  const accountId = parseId(options.account, 'account')
  const sessions = await readOfAccount(readConfig(io), accountId, listAccountSessions)
  if (options.json) return printJson(io, sessions.map(renderRow))
  if (sessions.length === 0) return printNote(io, `Account ${accountId} has no open sessions.`)
  printTable(io, {
    headings: ['id', 'of', 'method', 'role', 'signed in', 'last used', 'ends'],
    rows: sessions.map((session) => [
      session.id,
      session.memberId === null ? `key ${session.keyId}` : `member ${session.memberId}`,
      session.method,
      session.role,
      formatInstant(session.createdAt),
      formatInstant(session.lastUsedAt),
      formatInstant(session.endsAt),
    ]),
  })
}

async function end(io: CommandIo, options: EndOptions): Promise<void> {
  const accountId = parseId(options.account, 'account')
  const memberId = options.member === undefined ? undefined : parseId(options.member, 'member')
  const ended = await changeAccounts(readConfig(io), async (operation) => {
    await requireAccount(operation.tx, accountId)
    return endAccountSessions(operation, { accountId, memberId, sessionId: options.session })
  })
  if (options.json) return printJson(io, { ended_sessions: ended })
  printLine(io, `Ended ${ended} ${ended === 1 ? 'session' : 'sessions'} of account ${accountId}.`)
}
