import { Argument, type Command } from 'commander'
import type { Client, Member, MemberRole } from 'vis-sdk'
import { type Context, createCommand, type OptionValues, UsageError } from '../../command.ts'
import { JSON_OPTION, listMembers, valueOption } from '../../options.ts'
import { type Column, renderTable } from '../../render/table.ts'
import type { Terminal } from '../../render/terminal.ts'
import { formatJson } from '../../render/text.ts'

const ACTIONS = listMembers<keyof typeof RUN>({ list: true, invite: true, role: true, remove: true })
/** Roles that can be assigned with a key. Only an owner can make someone an owner, in the web console. */
const ROLES = listMembers<Exclude<MemberRole, 'owner'>>({ viewer: true, admin: true })
/** Role of an invited person if --role is not given: the one with the fewest rights. */
const DEFAULT_ROLE: MemberRole = 'viewer'

const COLUMNS: readonly Column<Member>[] = [
  { title: 'ID', align: 'right', text: ({ id }) => id, style: () => 'bold' },
  { title: 'E-MAIL', text: ({ email }) => email },
  { title: 'ROLE', text: ({ role }) => role },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'LAST SIGN-IN', text: ({ last_sign_in_day }) => last_sign_in_day ?? 'never' },
]

export function createMembersCommand(context: Context): Command {
  return createCommand({
    name: 'members',
    summary: 'List, invite, change and remove the members of your account (free; needs a key with the scope manage)',
    options: [
      ...valueOption(
        'role',
        `What the person may do (invite, role; default of invite: ${DEFAULT_ROLE})`,
        ROLES,
      )('--role').map((option) => option.helpGroup('Role:')),
      JSON_OPTION,
    ],
    examples: [
      'visctl members list',
      'visctl members invite ada@example.org --role admin',
      'visctl members role 3 --role viewer',
      'visctl members remove 3',
    ],
  })
    .addArgument(new Argument('<action>', 'What to do').choices(ACTIONS))
    .argument('[person]', 'E-mail of the person to invite, or id of the member to change or remove')
    .action(async (action: keyof typeof RUN, person: string | undefined, values: OptionValues) => {
      rejectWrongArguments(action, person, values)
      await RUN[action]({
        client: await context.connect(values),
        terminal: context.terminal,
        person: person ?? '',
        // The service validates the role from the command line.
        role: (values['role'] as MemberRole | undefined) ?? DEFAULT_ROLE,
        isJson: values['json'] === true,
      })
    })
}

function rejectWrongArguments(action: keyof typeof RUN, person: string | undefined, { role }: OptionValues): void {
  const command = `visctl members ${action}`
  if (action === 'list' && person !== undefined) throw new UsageError(`${command} takes no argument.`)
  if (action === 'invite' && person === undefined)
    throw new UsageError(`${command} needs an e-mail.`, `For example: ${command} ada@example.org --role viewer`)
  if (action !== 'list' && person === undefined)
    throw new UsageError(`${command} needs the id of a member.`, 'List the ids: visctl members list')
  if (action === 'role' && role === undefined)
    throw new UsageError(`${command} needs --role.`, `For example: ${command} ${person} --role admin`)
  if ((action === 'list' || action === 'remove') && role !== undefined)
    throw new UsageError(`${command} takes no --role.`)
}

interface Call {
  readonly client: Client
  readonly terminal: Terminal
  readonly person: string
  readonly role: MemberRole
  readonly isJson: boolean
}

const RUN = {
  list: async ({ client, terminal, isJson }: Call) => {
    const members = await client.members()
    if (isJson) return terminal.write(formatJson(members))
    if (members.length > 0) return terminal.write(renderTable(terminal, COLUMNS, members))
    terminal.printNote('The account has no members.\n')
  },
  invite: async ({ client, terminal, person, role, isJson }: Call) => {
    const invited = await client.inviteMember({ email: person, role })
    if (isJson) return terminal.write(formatJson(invited))
    const sentence = `Invited ${describe(invited.member)} as ${invited.member.role}.`
    if (invited.link === undefined) return terminal.printNote(`${sentence} The service sends the link by e-mail.\n`)
    // Only the link goes to standard output, so that it can be redirected.
    terminal.printNote(
      `${sentence} This server sends no e-mail: hand over the link. It works once, within 72 hours, and cannot be shown again.\n`,
    )
    await terminal.write(`${invited.link}\n`)
  },
  role: async ({ client, terminal, person, role, isJson }: Call) => {
    const member = await client.changeMemberRole(person, role)
    if (isJson) return terminal.write(formatJson(member))
    terminal.printNote(`Member ${describe(member)} has the role ${member.role}.\n`)
  },
  remove: async ({ client, terminal, person, isJson }: Call) => {
    const member = await client.removeMember(person)
    if (isJson) return terminal.write(formatJson(member))
    terminal.printNote(`Member ${describe(member)} is removed, and signed out everywhere.\n`)
  },
}

function describe({ id, email }: Member): string {
  return `${id} (${email})`
}
