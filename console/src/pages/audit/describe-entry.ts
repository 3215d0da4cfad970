// Describes an audit log entry in plain words.
import type { AuditEntry } from 'vis-sdk'
import { formatNumber, formatTime } from '../../text/format.ts'
import { TRIAGE_STATES, TRIAGE_WORDS } from '../../text/triage.ts'

/** Names of keys and members by id. */
export interface Names {
  readonly keys: ReadonlyMap<string, string>
  readonly members: ReadonlyMap<string, string>
  /** Views that still exist. */
  readonly views: ReadonlyMap<string, string>
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

const TRIAGE_DETAILS = ['set', 'removed', 'cve_ids', 'states']

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
  'triage.set': (entry) => ({ text: `${toDecision(entry)} ${toCves(entry)}`, used: TRIAGE_DETAILS }),
  'triage.remove': (entry) => ({
    text: `took back decisions about ${toCves(entry)}`,
    used: TRIAGE_DETAILS,
  }),
  'triage.import': (entry) => ({
    text: `imported decisions about ${toCves(entry)}${toStates(entry)}`,
    used: TRIAGE_DETAILS,
  }),
  'view.create': (entry, names) => describeView('shared', entry, names),
  'view.change': (entry, names) => describeView('changed', entry, names),
  'view.remove': (entry, names) => describeView('removed', entry, names),
  'session.end': () => ({ text: 'ended sessions', used: [] }),
  'key.revoke': (entry, names) => ({ text: `revoked ${toKey(entry, names)}`, used: [] }),
}

function toMember({ member_id }: AuditEntry, names: Names): string {
  return names.members.get(String(member_id)) ?? `member ${member_id}`
}

/** Old entries have only the id of the view, and a removed view has no name any more. */
function describeView(verb: string, { details }: AuditEntry, names: Names): Description {
  const { view_id: id, view_name: stored } = details
  const name = typeof stored === 'string' ? stored : names.views.get(String(id))
  return name === undefined
    ? { text: `${verb} a shared view`, used: ['shared'] }
    : { text: `${verb} the shared view “${name}”`, used: ['shared', 'view_id', 'view_name'] }
}

/** `set the state Accepted for`; old entries do not have the state. */
function toDecision({ details: { states } }: AuditEntry): string {
  const given = readStates(states)
  const [only] = given
  if (only && given.length === 1) return `set the state ${nameState(only[0])} for`
  return given.length === 0 ? 'decided about' : `set ${listStates(given)} for`
}

function toStates({ details: { states } }: AuditEntry): string {
  const given = readStates(states)
  return given.length === 0 ? '' : `: ${listStates(given)}`
}

const listStates = (given: ReturnType<typeof readStates>) =>
  given.map(([state, count]) => `${nameState(state)} (${formatValue(count)})`).join(', ')

function readStates(states: unknown): readonly (readonly [state: string, count: unknown])[] {
  return typeof states === 'object' && states !== null ? Object.entries(states) : []
}

function nameState(state: string): string {
  const known = TRIAGE_STATES.find((each) => each === state)
  return known === undefined ? state : `“${TRIAGE_WORDS[known].label}”`
}

/** The entry names at most 20 CVEs. */
function toCves({ details: { cve_ids: ids, set = 0, removed = 0 } }: AuditEntry): string {
  const named = isFilled(ids) ? ids : []
  const more = Number(set) + Number(removed) - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
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
  return typeof value === 'number' ? formatNumber(value) : JSON.stringify(value)
}
