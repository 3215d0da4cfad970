// Describes an audit log entry in plain words.
import type { AuditEntry } from 'vis-sdk'
import { formatTime } from '../../text/format.ts'

/** Names of keys and members by id. */
export interface Names {
  readonly keys: ReadonlyMap<string, string>
  readonly members: ReadonlyMap<string, string>
}

/** Describes who made a change: a member, a program with a key, or the operator of the service. */
export function describeActor(actor: string, names: Names): string {
  const [kind = '', id = ''] = actor.split(':', 2)
  if (kind === 'member') return names.members.get(id) ?? `member ${id}`
  if (kind === 'key') return `key ${nameKey(id, names)}`
  return actor === 'operator' ? 'the operator' : actor
}

interface DescribedAction {
  /** A text such as `created the key “build pipeline”`. */
  readonly text: string
  /** Other values of the entry, with their names. */
  readonly facts: readonly (readonly [name: string, value: string])[]
}

/** Describes what was changed. An action that is not known here is shown by its name. */
export function describeAction(entry: AuditEntry, names: Names): DescribedAction {
  const describe = Object.hasOwn(ACTIONS, entry.action) ? ACTIONS[entry.action] : undefined
  if (!describe) return { text: entry.action, facts: listFacts(entry.details, []) }
  const { text, used } = describe(entry, names)
  return { text, facts: listFacts(entry.details, used) }
}

interface Description {
  readonly text: string
  /** Members of `details` that the text already contains. */
  readonly used: readonly string[]
}

type Describe = (entry: AuditEntry, names: Names) => Description

const ACTIONS: Readonly<Record<string, Describe>> = {
  'account.create': () => ({ text: 'created the account', used: ['name'] }),
  'account.set-plan': ({ details }) => ({ text: `changed the plan${toPlan(details)}`, used: ['plan'] }),
  'account.set-quota': () => ({ text: 'changed the credits of a month', used: [] }),
  'account.suspend': () => ({ text: 'suspended the account', used: [] }),
  'account.resume': () => ({ text: 'lifted the suspension of the account', used: [] }),
  'account.origins': ({ details }) => ({ text: describeOrigins(details), used: ['added', 'removed'] }),
  'key.issue': (entry, names) => ({ text: `created ${toKey(entry, names)}`, used: ['name', 'prefix', 'last_four'] }),
  'key.rotate': (entry, names) => ({
    text: `rotated ${toKey(entry, names)}`,
    used: ['replaced_by', 'new_key_id'],
  }),
  'account.sign-up': () => ({ text: 'signed up and got this account', used: [] }),
  'member.invite': (entry, names) => ({ text: `invited ${toMember(entry, names)}${toRole(entry)}`, used: ['role'] }),
  'member.join': (entry) => ({ text: `joined the account${toRole(entry)}`, used: ['role'] }),
  'member.role': (entry, names) => ({
    text: `gave ${toMember(entry, names)} the role ${formatValue(entry.details['role'])}`,
    used: ['role'],
  }),
  'member.remove': (entry, names) => ({ text: `removed ${toMember(entry, names)}`, used: [] }),
  'member.erase': (entry, names) => ({ text: `erased the e-mail of ${toMember(entry, names)}`, used: [] }),
  'key.grant': (entry, names) => ({ text: `changed the scopes of ${toKey(entry, names)}`, used: [] }),
  'session.end': () => ({ text: 'ended sessions', used: [] }),
  'key.revoke': (entry, names) => ({ text: `revoked ${toKey(entry, names)}`, used: [] }),
}

function toMember({ member_id }: AuditEntry, names: Names): string {
  return names.members.get(String(member_id)) ?? `member ${member_id}`
}

function toRole({ details: { role } }: AuditEntry): string {
  return typeof role === 'string' ? ` as ${role}` : ''
}

function toPlan({ plan }: AuditEntry['details']): string {
  return typeof plan === 'string' ? ` to ${plan}` : ''
}

function toKey({ key_id, details }: AuditEntry, names: Names): string {
  const known = names.keys.get(String(key_id))
  const name = typeof details['name'] === 'string' ? details['name'] : known
  return name ? `the key “${name}”` : `key ${key_id}`
}

function nameKey(id: string, names: Names): string {
  const name = names.keys.get(id)
  return name ? `“${name}”` : id
}

function describeOrigins({ added, removed }: AuditEntry['details']): string {
  const parts = [
    ...(isFilled(added) ? [`allowed the origin ${added.join(', ')}`] : []),
    ...(isFilled(removed) ? [`removed the origin ${removed.join(', ')}`] : []),
  ]
  return parts.length > 0 ? parts.join(' and ') : 'changed the origins'
}

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0
}

/** Lists the members of `details` that have a value, such as `expires at: 2026-08-22T10:00:00Z`. */
function listFacts(details: AuditEntry['details'], used: readonly string[]): DescribedAction['facts'] {
  return Object.entries(details)
    .filter(([name, value]) => !used.includes(name) && value !== null && value !== undefined && !isEmptyList(value))
    .map(([name, value]) => [name.replaceAll('_', ' '), formatValue(value)] as const)
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

const TIME = /^\d{4}-\d{2}-\d{2}T/

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(', ')
  if (typeof value === 'string') return TIME.test(value) ? formatTime(value) : value
  return JSON.stringify(value)
}
