import { Command } from 'commander'
import type { Operation } from '../accounts/audit.ts'
import { actFor } from '../accounts/keys/credential.ts'
import { createTokenWithDigest } from '../accounts/keys/token.ts'
import { changeAccountMember, inviteAccountMember } from '../accounts/people/account-members.ts'
import { type AdministeredMember, eraseMember, listMembers, lockMember } from '../accounts/people/administer-members.ts'
import { EMAIL_FORM, parseEmail } from '../domain/account/email.ts'
import { parseRole, ROLES, type Role } from '../domain/account/role.ts'
import { UsageError } from '../domain/usage-error.ts'
import { buildLink } from '../runtime/mail/link.ts'
import { changeAccounts, readOfAccount, requireAccount } from './account-operation.ts'
import { parseId } from './input/parse-values.ts'
import { type CommandIo, readConfig } from './io.ts'
import { printJson, printLine, printNote, printTable, renderRow } from './output/print.ts'

interface Options {
  readonly json?: boolean
}

interface InviteOptions extends Options {
  readonly account: string
  readonly email: string
  readonly role: string
  readonly print?: boolean
}

export function membersCommand(io: CommandIo): Command {
  const members = new Command('members').description('Manage the people who may use the console')
  const command = (usage: string, description: string) =>
    members.command(usage).description(description).option('--json', 'Print JSON')
  const account: [string, string] = ['--account <id>', 'Id of the account']

  command('invite', 'Invite a person: by mail if SMTP_URL is set, otherwise with a link that is printed once')
    .requiredOption(...account)
    .requiredOption('--email <address>', 'E-mail address of the person')
    .option('--role <role>', `Role of the person: ${ROLES.join(', ')}`, 'viewer')
    .option('--print', 'Print the link also if SMTP_URL is set')
    .action((options: InviteOptions) => invite(io, options))
  command('list', 'List the members of an account')
    .requiredOption(...account)
    .action((options: Options & { account: string }) => list(io, options))
  command('role <member-id> <role>', `Change the role of a member: ${ROLES.join(', ')}`).action(
    (id: string, role: string, options: Options) => change(io, id, options, changeTo(requireRole(role))),
  )
  command('remove <member-id>', 'Remove a member; the sessions of the member end at once').action(
    (id: string, options: Options) => change(io, id, options, changeTo(null)),
  )
  command('erase <member-id>', 'Remove a member and erase the e-mail; the audit log keeps the id').action(
    (id: string, options: Options) => change(io, id, options, eraseMember),
  )
  return members
}

async function invite(io: CommandIo, options: InviteOptions): Promise<void> {
  const [accountId, role] = [parseId(options.account, 'account'), requireRole(options.role)]
  const email = parseEmail(options.email)
  if (email === undefined) throw new UsageError(`--email must be ${EMAIL_FORM}.`)
  const config = readConfig(io)
  const isPrinted = options.print === true || config.signIn.smtpUrl === null
  const link = isPrinted ? createTokenWithDigest() : undefined
  const member = await changeAccounts(config, async (operation) => {
    await requireAccount(operation.tx, accountId)
    const invitation = { email, role, tokenDigest: link?.digest ?? null }
    const { outcome, member } = await inviteAccountMember(operation.tx, actFor(operation, accountId), invitation)
    return outcome === 'done' && member ? requireMember(operation, member.id) : undefined
  })
  if (!member)
    throw new UsageError(`${email} is a member of account ${accountId} already. Use: vis-server members role …`)
  const address = link && buildLink(config.http, link.token)
  if (options.json) return printJson(io, { ...renderRow(member), ...(address && { link: address }) })
  const sentence = `Invited member ${member.id} to account ${accountId} as ${member.role}.`
  if (address === undefined) return printLine(io, `${sentence} A node of the API sends the mail.`)
  printNote(io, `${sentence} Hand over this link: it works once, within 72 hours, and cannot be shown again.`)
  printLine(io, address)
}

async function list(io: CommandIo, options: Options & { account: string }): Promise<void> {
  const accountId = parseId(options.account, 'account')
  const members = await readOfAccount(readConfig(io), accountId, listMembers)
  if (options.json) return printJson(io, members.map(renderRow))
  if (members.length === 0)
    return printNote(
      io,
      `Account ${accountId} has no members. Invite one: vis-server members invite --account ${accountId} --email …`,
    )
  printTable(io, {
    headings: ['id', 'e-mail', 'role', 'state', 'last sign-in'],
    rows: members.map((member) => [
      member.id,
      member.email ?? '(erased)',
      member.role,
      member.state,
      member.lastSignInDay ?? 'never',
    ]),
  })
}

async function change(
  io: CommandIo,
  idText: string,
  options: Options,
  work: (operation: Operation, member: AdministeredMember) => Promise<void>,
): Promise<void> {
  const id = parseId(idText, 'member')
  const member = await changeAccounts(readConfig(io), async (operation) => {
    await work(operation, await requireMember(operation, id))
    return requireMember(operation, id)
  })
  if (options.json) return printJson(io, renderRow(member))
  printLine(io, `Member ${id} of account ${member.accountId}: role ${member.role}, state ${member.state}.`)
}

/** Removes the member if the role is null. A member who was removed before stays unchanged. */
function changeTo(role: Role | null) {
  return async (operation: Operation, { id, accountId, state }: AdministeredMember) => {
    if (state === 'removed' && role !== null)
      throw new UsageError(
        `Member ${id} was removed. Invite the person again: vis-server members invite --account ${accountId} --email …`,
      )
    await changeAccountMember(operation.tx, actFor(operation, accountId), id, role)
  }
}

async function requireMember(operation: Operation, id: string): Promise<AdministeredMember> {
  const member = await lockMember(operation, id)
  if (member) return member
  throw new UsageError(`There is no member ${id}. List the members of an account: vis-server members list --account …`)
}

function requireRole(text: string): Role {
  const role = parseRole(text)
  if (role) return role
  throw new UsageError(`The role must be one of ${ROLES.join(', ')}, not ${JSON.stringify(text.slice(0, 40))}.`)
}
