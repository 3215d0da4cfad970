// Parameters and schemas for gates.
import { Type } from 'typebox'
import {
  ALLOWABLE_REASONS,
  type AllowableReason,
  GATE_REASONS,
  GATE_RESULTS,
  type GateReason,
  NATURES,
} from '../domain/gate-words.ts'
import { RATED_LEVELS } from '../domain/priority/policy.ts'
import { list, optional } from './request/parameters.ts'
import type { ValueType } from './request/value-types.ts'
import { closedObject, countSchema, textSchema } from './response/schemas.ts'

/** Maximum number of components that a response names for one reason, allowance or nature. */
export const MAX_GATE_COMPONENTS = 100
/** Maximum number of hit ids that a response names for one component and reason. */
export const MAX_GATE_IDS = 5
const MAX_PATTERN_LENGTH = 200
const MAX_PATTERNS = 50
const MAX_WILDCARDS = 10
const MAX_AGE_DAYS = 3650

export interface Allowance {
  readonly reason: AllowableReason
  /** Null means all components with this reason. */
  readonly pattern: string | null
}

const CONTROL = /\p{Cc}/u
const ONLY_WILDCARDS = /^\*+$/
const PATTERN_RULES = `1 to ${MAX_PATTERN_LENGTH} characters with at most ${MAX_WILDCARDS} of the wildcard *, which stands for any text`

/** Returns what is wrong with a pattern, or undefined if it is valid. */
function checkPattern(pattern: string): string | undefined {
  if (pattern === '') return 'the pattern is empty'
  if (pattern.length > MAX_PATTERN_LENGTH) return `the pattern has ${pattern.length} characters`
  if (CONTROL.test(pattern)) return 'the pattern has control characters'
  const wildcards = pattern.split('*').length - 1
  return wildcards > MAX_WILDCARDS ? `the pattern has ${wildcards} wildcards` : undefined
}

function ownPattern(): ValueType<string> {
  const check = (sent: string) =>
    checkPattern(sent) ??
    (ONLY_WILDCARDS.test(sent) ? 'a pattern that names every entry would make every gate pass' : undefined)
  return {
    schema: Type.String({ minLength: 1, maxLength: MAX_PATTERN_LENGTH }),
    expects: `a pattern of ${PATTERN_RULES}, such as pkg:npm/@acme/*`,
    example: 'pkg:npm/@acme/*',
    parse: (sent) => (check(sent) === undefined ? sent : undefined),
    hint: check,
  }
}

function allowance(): ValueType<Allowance> {
  return {
    schema: Type.String({ pattern: `^(${ALLOWABLE_REASONS.join('|')})(:.{1,${MAX_PATTERN_LENGTH}})?$` }),
    expects: `a reason (${ALLOWABLE_REASONS.join(', ')}), alone or with a colon and a pattern of ${PATTERN_RULES}, such as uncovered:pkg:generic/*`,
    example: 'uncovered:pkg:generic/*',
    parse: (sent) => {
      const { reason, pattern } = splitAllowance(sent)
      const known = ALLOWABLE_REASONS.find((each) => each === reason)
      if (known === undefined || (pattern !== null && checkPattern(pattern) !== undefined)) return undefined
      return { reason: known, pattern: pattern !== null && ONLY_WILDCARDS.test(pattern) ? null : pattern }
    },
    hint: (sent) => {
      const { reason, pattern } = splitAllowance(sent)
      return NOT_ALLOWABLE[reason] ?? (pattern === null ? undefined : checkPattern(pattern))
    },
  }
}

const NOT_ALLOWABLE: Readonly<Record<string, string>> = {
  stale: 'send max_data_age to accept older data',
  affected: 'send suppress in the body for a hit that you have judged',
}

function splitAllowance(sent: string): { readonly reason: string; readonly pattern: string | null } {
  const at = sent.indexOf(':')
  return at === -1 ? { reason: sent, pattern: null } : { reason: sent.slice(0, at), pattern: sent.slice(at + 1) }
}

const AGE = /^(\d{1,4})d$/

/** Creates a type for a number of days, such as `45d`. */
function days(): ValueType<number> {
  return {
    schema: Type.String({ pattern: '^[0-9]{1,4}d$' }),
    expects: `a number of days from 1d to ${MAX_AGE_DAYS}d, such as 45d`,
    example: '45d',
    parse: (sent) => {
      const count = Number(AGE.exec(sent)?.[1] ?? 0)
      return count >= 1 && count <= MAX_AGE_DAYS ? count : undefined
    },
  }
}

const MATCHED =
  'A pattern is compared with the purl, the cpe, the name, and name@version of an entry, each as a whole; * stands for any text.'

export const gateParameters = {
  allow: list(
    allowance(),
    `Reasons for an incomplete gate that you accept, for all components or for those that a pattern names: uncovered:pkg:generic/*. ${MATCHED} Needs fail_on.`,
    { maxItems: MAX_PATTERNS },
  ),
  own: list(
    ownPattern(),
    `Patterns of your own packages, which no source covers. They are never a reason for an incomplete gate. ${MATCHED} Needs fail_on.`,
    { maxItems: MAX_PATTERNS },
  ),
  max_data_age: optional(
    days(),
    'Maximum age of the data of every source, in days, instead of the maximum age that each source has. Needs fail_on.',
  ),
}

export const GATE_PARAMETERS = Object.keys(gateParameters) as (keyof typeof gateParameters)[]

const gateComponentSchema = closedObject(
  {
    index: Type.Optional(
      countSchema('Position in the document. Absent for the component in metadata of a CycloneDX document.'),
    ),
    ref: Type.Optional(textSchema('The bom-ref, SPDXID or spdxId, if it can be read.')),
    name: textSchema('The purl, else the cpe, else the name and the version; empty if the entry has no name.'),
    ids: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: MAX_GATE_IDS,
        description: `The first ${MAX_GATE_IDS} CVEs and advisories, for the reasons affected, possibly and unrated.`,
      }),
    ),
  },
  'An entry of the document.',
  'GateComponent',
)

const componentsSchema = Type.Array(gateComponentSchema, {
  maxItems: MAX_GATE_COMPONENTS,
  description: `The first ${MAX_GATE_COMPONENTS} of them, in the order of the document.`,
})

const describeWords = (words: Readonly<Record<string, string>>) =>
  Object.entries(words)
    .map(([name, meaning]) => `${name}: ${meaning}`)
    .join(' ')

const REASON_WORDS = Object.keys(GATE_REASONS) as GateReason[]

export const gateSchema = closedObject(
  {
    result: Type.Enum([...GATE_RESULTS], {
      description:
        'failed: a reason has this result. incomplete: none has failed, and something that counts was not judged. passed: neither.',
    }),
    fail_on: Type.Enum([...RATED_LEVELS], { description: 'The level of fail_on.' }),
    findings: Type.Array(
      closedObject(
        {
          reason: Type.Enum(REASON_WORDS, {
            description: describeWords(
              Object.fromEntries(REASON_WORDS.map((reason) => [reason, GATE_REASONS[reason].meaning])),
            ),
          }),
          result: Type.Enum(['failed', 'incomplete'], { description: 'The result that the reason leads to.' }),
          count: countSchema('Number of entries of the document with this reason.'),
          listed: componentsSchema,
        },
        'Why the gate has not passed.',
        'GateReason',
      ),
      { description: 'All reasons, also those for incomplete if the gate failed. Empty if the gate passed.' },
    ),
    allowances: Type.Array(
      closedObject(
        {
          reason: Type.Enum([...ALLOWABLE_REASONS, 'stale'], {
            description: 'The reason that is accepted; stale with max_data_age.',
          }),
          pattern: Type.Optional(textSchema('The pattern. Absent if the allowance is for every component.')),
          count: countSchema('Number of entries that only this allowance keeps from being a reason.'),
          listed: componentsSchema,
        },
        'An allowance of allow or max_data_age.',
        'GateAllowance',
      ),
      { description: 'The allowances of the call, also those that no entry needed.' },
    ),
    not_judged: Type.Array(
      closedObject(
        {
          nature: Type.Enum(Object.keys(NATURES), { description: describeWords(NATURES) }),
          count: countSchema('Number of such entries.'),
          listed: componentsSchema,
        },
        'Entries that are not judged by their nature.',
        'GateExemption',
      ),
      { description: 'Entries of the document that are never a reason for an incomplete gate.' },
    ),
    hidden: Type.Array(
      closedObject(
        {
          set_by: textSchema('suppress for the entries of the call; key:<id> or member:<id> for triage states.'),
          hits_total: countSchema('Number of hits.'),
          count: countSchema('Number of entries of the document with such hits.'),
          listed: componentsSchema,
        },
        'Hits of the level of fail_on, of a more urgent one, or unrated, which suppress or triage states hide.',
        'HiddenFromGate',
      ),
      { description: 'Hits that would be a reason if nobody had hidden them. Empty if there are none.' },
    ),
    warnings: Type.Array(Type.String(), { description: 'What a reader of the result must know, as sentences.' }),
  },
  'The result of the gate. Only with fail_on.',
  'Gate',
)
