// The part of the contract for triage states: value types, body fields, schemas and errors (decision E51).
import { Type } from 'typebox'
import { formatInstant } from '../../domain/instant.ts'
import { LEVELS, type Level } from '../../domain/priority/policy.ts'
import { MAX_SCOPE_LENGTH, parseTriageScope, type Scope } from '../../domain/triage/scope.ts'
import { MAX_RANGE_LENGTH, parseRange, RANGE_FORM } from '../../domain/triage/version-range.ts'
import {
  JUSTIFICATIONS,
  type Justification,
  MAX_STATEMENT_LENGTH,
  REOPENER_MEANINGS,
  REOPENERS,
  type Reopener,
  TRIAGE_EFFECT_MEANINGS,
  TRIAGE_EFFECTS,
  TRIAGE_STATE_MEANINGS,
  TRIAGE_STATES,
  type TriageEffect,
  type TriageState,
} from '../../domain/triage/words.ts'
import { type BodyOf, optionalField, optionalList, requiredField } from '../request/body.ts'
import { cveId, date, integer, text, type ValueType, withExample, word } from '../request/value-types.ts'
import { ApiError } from '../response/errors.ts'
import { closedObject, instantSchema, orNull, textSchema, wordOrNull } from '../response/schemas.ts'

const SCOPE_EXAMPLE = 'pkg:npm/lodash'
const RANGE_EXAMPLE = '>=4.0.0|<4.17.21'

export function triageScopeType(): ValueType<Scope> {
  return {
    schema: Type.String({ maxLength: MAX_SCOPE_LENGTH, examples: ['*', SCOPE_EXAMPLE] }),
    expects:
      '* for the CVE as such, a package URL such as pkg:npm/lodash, a CPE name with a vendor and a product, or watch: with the id of a watch, such as watch:7; a version in a package or product is the only one that the state is about',
    example: SCOPE_EXAMPLE,
    parse: (sent) => {
      const scope = parseTriageScope(sent)
      return 'error' in scope ? undefined : scope
    },
    hint: (sent) => {
      const scope = parseTriageScope(sent)
      return 'error' in scope ? `it ${scope.error}` : undefined
    },
  }
}

function versionRangeType(): ValueType<string> {
  return {
    schema: Type.String({ maxLength: MAX_RANGE_LENGTH, examples: [RANGE_EXAMPLE] }),
    expects: RANGE_FORM,
    example: RANGE_EXAMPLE,
    parse: (sent) => {
      const range = parseRange(sent)
      return range !== undefined && 'error' in range ? undefined : sent
    },
  }
}

const MAX_REVISION = 1_000_000_000

/** Names an entry and the revision that a change replaces. */
export const entryFields = {
  cve_id: requiredField(cveId(), 'The CVE.'),
  scope: requiredField(
    triageScopeType(),
    'What the state is about: * is the CVE as such, which is shown everywhere and hides nothing; a package or a product limits it; a watch such as watch:7 mutes the events of the CVE in this watch.',
  ),
  version_range: optionalField(
    versionRangeType(),
    'Versions of the scope: an interval such as >=1.0|<2.0, or single versions such as =1.5|=1.6. Without it, all versions.',
  ),
  revision: optionalField(
    integer({ minimum: 0, maximum: MAX_REVISION }),
    'The revision that the change replaces, as you read it. Default: 0, for an entry that does not exist yet.',
  ),
}

const statementType = () => text({ maxLength: MAX_STATEMENT_LENGTH })

const describeWords = (words: Readonly<Record<string, string>>) =>
  Object.entries(words)
    .map(([name, meaning]) => `${name}: ${meaning}`)
    .join(' ')

export const stateFields = {
  ...entryFields,
  state: requiredField(word(TRIAGE_STATES), describeWords(TRIAGE_STATE_MEANINGS)),
  justification: optionalField(
    word(JUSTIFICATIONS),
    'Why the vulnerability cannot be used, in the words of OpenVEX. Only with not_affected.',
  ),
  impact_statement: optionalField(
    statementType(),
    'Why the vulnerability cannot be used, as a sentence. Only with not_affected.',
  ),
  action_statement: optionalField(
    statementType(),
    'What is done about it, such as an upgrade or a mitigation. Only with affected and accepted.',
  ),
  note: optionalField(statementType(), 'A note for your colleagues.'),
  until: optionalField(
    withExample(date(), '2027-01-31'),
    'Last day on which the state hides findings. Default: no end.',
  ),
  unless: optionalList(
    word(REOPENERS),
    `What reopens the state earlier. ${describeWords(REOPENER_MEANINGS)} Default: both.`,
    { maxItems: REOPENERS.length },
  ),
}

export type EntryInput = BodyOf<typeof entryFields>
export type StateInput = BodyOf<typeof stateFields>

/** Returns the end of the error message if the members of a change do not fit each other. */
export function checkState(change: StateInput): string | undefined {
  const { state, justification, impact_statement: impact, action_statement: action } = change
  const problem = checkEntry(change)
  if (problem !== undefined) return problem
  if (state === 'not_affected' && isEmpty(justification) && isEmpty(impact))
    return `not_affected needs a justification (one of ${JUSTIFICATIONS.join(', ')}) or an impact_statement`
  if (state !== 'not_affected' && !(isEmpty(justification) && isEmpty(impact)))
    return `${state} has neither justification nor impact_statement, which say why something is not affected; use note`
  if (state !== 'affected' && state !== 'accepted' && !isEmpty(action))
    return `${state} has no action_statement; use note, or one of affected and accepted`
  return undefined
}

export function checkEntry({ scope, version_range: range = '' }: EntryInput): string | undefined {
  if (range === '') return undefined
  if (scope.kind === 'all' || scope.kind === 'watch')
    return `version_range needs a package or a product as scope, not ${scope.scope}`
  return scope.versions === '' ? undefined : 'the version is in scope and in version_range; send one of them'
}

const isEmpty = (sent: string | undefined) => sent === undefined || sent.trim() === ''

const scopeSchema = () =>
  Type.String({
    description: '*, a package URL or CPE name without a version, in normal form, or watch: with the id of a watch.',
    examples: [SCOPE_EXAMPLE],
  })

const revisionSchema = () =>
  Type.Integer({ minimum: 1, description: 'Number of the revision; a change must name the one that it replaces.' })

const actorSchema = () =>
  Type.String({ description: 'Who set it: key:<id> or member:<id>.', examples: ['member:3', 'key:12'] })

const statementMembers = {
  justification: wordOrNull(JUSTIFICATIONS, 'Why it is not affected, in the words of OpenVEX; null without one.'),
  impact_statement: orNull(textSchema('Why it is not affected, as a sentence; null without one.')),
  action_statement: orNull(textSchema('What is done about it; null without one.')),
  note: orNull(textSchema('A note; null without one.')),
  until_day: orNull(
    Type.String({ format: 'date', description: 'Last day on which the state hides findings; null without an end.' }),
  ),
  unless: Type.Array(Type.Enum([...REOPENERS]), { description: 'What reopens the state earlier.' }),
  level_when_set: wordOrNull(LEVELS, 'Priority level of the CVE when the state was set; null if it had none.'),
  exploited_when_set: Type.Boolean({
    description: 'Whether the CVE was known to be exploited when the state was set.',
  }),
}

const cveIdSchema = () => Type.String({ pattern: '^CVE-\\d{4}-\\d{4,19}$', description: 'The CVE.' })

const rangeSchema = () =>
  orNull(Type.String({ description: 'Versions of the scope; null for all versions.', examples: [RANGE_EXAMPLE] }))

export const triageEntrySchema = closedObject(
  {
    cve_id: cveIdSchema(),
    scope: scopeSchema(),
    version_range: rangeSchema(),
    state: Type.Enum([...TRIAGE_STATES], { description: describeWords(TRIAGE_STATE_MEANINGS) }),
    ...statementMembers,
    revision: revisionSchema(),
    set_at: instantSchema('When this revision was made.'),
    set_by: actorSchema(),
    effect: Type.Enum([...TRIAGE_EFFECTS], { description: describeWords(TRIAGE_EFFECT_MEANINGS) }),
    reopened_by: Type.Array(Type.Enum([...REOPENERS]), {
      description: `Why the state is open again. ${describeWords(REOPENER_MEANINGS)} Empty unless the effect is reopened.`,
    }),
    priority_level: wordOrNull(LEVELS, 'Priority level of the CVE now; null if it has none.'),
  },
  'What the account decided about a CVE in a scope.',
  'TriageEntry',
)

export const triageRevisionSchema = closedObject(
  {
    scope: scopeSchema(),
    version_range: rangeSchema(),
    state: wordOrNull(TRIAGE_STATES, 'The state; null if this revision removed the entry.'),
    ...statementMembers,
    revision: revisionSchema(),
    set_at: instantSchema('When the revision was made.'),
    set_by: actorSchema(),
    is_current: Type.Boolean({ description: 'Whether no later revision of the entry exists.' }),
  },
  'A revision of an entry.',
  'TriageRevision',
)

interface StoredStatement {
  readonly cveId: string
  readonly scope: string
  readonly versions: string
  readonly justification: Justification | null
  readonly impactStatement: string | null
  readonly actionStatement: string | null
  readonly note: string | null
  readonly until: string | null
  readonly unless: readonly Reopener[]
  readonly level: Level | null
  readonly isExploited: boolean
  readonly revision: number
  readonly at: Date
  readonly actor: string
}

type StoredEntry = StoredStatement & { readonly state: TriageState }

export interface JudgedEntry<Entry extends StoredEntry = StoredEntry> {
  readonly entry: Entry
  readonly effect: TriageEffect
  readonly reopenedBy: readonly Reopener[]
  /** The level of the CVE now. */
  readonly level: Level | null
}

export function renderEntry({ entry, effect, reopenedBy, level }: JudgedEntry) {
  return {
    cve_id: entry.cveId,
    scope: entry.scope,
    version_range: entry.versions === '' ? null : entry.versions,
    state: entry.state,
    ...renderStatement(entry),
    revision: entry.revision,
    set_at: formatInstant(entry.at),
    set_by: entry.actor,
    effect,
    reopened_by: reopenedBy,
    priority_level: level,
  }
}

export function renderRevision(
  revision: StoredStatement & { readonly state: TriageState | null; readonly isCurrent: boolean },
) {
  return {
    scope: revision.scope,
    version_range: revision.versions === '' ? null : revision.versions,
    state: revision.state,
    ...renderStatement(revision),
    revision: revision.revision,
    set_at: formatInstant(revision.at),
    set_by: revision.actor,
    is_current: revision.isCurrent,
  }
}

function renderStatement(stored: StoredStatement) {
  return {
    justification: stored.justification,
    impact_statement: stored.impactStatement,
    action_statement: stored.actionStatement,
    note: stored.note,
    until_day: stored.until,
    unless: stored.unless,
    level_when_set: stored.level,
    exploited_when_set: stored.isExploited,
  }
}

/** `current` is the entry as another call left it; undefined if that call removed it. */
export function entryChanged(current: ReturnType<typeof renderEntry> | undefined): ApiError {
  return new ApiError(
    'CONFLICT',
    current === undefined
      ? 'This entry does not exist, or was removed meanwhile. Read the entries of the CVE, then send revision 0 to set a new one.'
      : `This entry has revision ${current.revision} now, set by ${current.set_by}. Look at details.current, then send its revision to replace it.`,
    { details: { current: current ?? null } },
  )
}

export function noSuchEntry(cve: string, scope: string): ApiError {
  return new ApiError(
    'NOT_FOUND',
    `This account has no triage entry for ${cve} in this scope: ${scope}. GET /api/v1/triage/cve/${cve} lists its entries and revisions.`,
  )
}

export function tooManyEntries(limit: number): ApiError {
  return new ApiError(
    'CONFLICT',
    `The account has ${limit} triage entries, which is the limit of its plan. Remove some that are not needed any more, then try again.`,
    { details: { limit } },
  )
}

export function tooManyTriageChanges(limit: number): ApiError {
  return new ApiError(
    'CONFLICT',
    `The account has made ${limit} changes of triage entries today (UTC), which is the limit of its plan. Try again tomorrow.`,
    { details: { limit } },
  )
}
