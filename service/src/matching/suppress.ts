// Hits that the caller has already assessed and does not want to see again: with this call, or in the account's triage.
import { type Component, readComponent } from '../domain/component/component.ts'
import type { Purl } from '../domain/purl/parse-purl.ts'
import type { Subject } from './read/read-subjects.ts'
import { type AccountState, createStateFinder, type FoundState } from './triage/account-states.ts'

export interface Suppression {
  /** A CVE or advisory id in any letter case. */
  readonly id: string
  /** Limits the entry to a package, and to a version if the purl has one. */
  readonly purl?: Purl | undefined
  readonly reason: string
  /** An OpenVEX document says that the product contains the fix, instead of that it is not affected. */
  readonly isFixed?: true
  /** The last day on which the entry applies. */
  readonly until?: Date | undefined
  /** The state of the account behind the entry; absent if the call itself has the entry. */
  readonly state?: AccountState
}

/** What is known about a hit besides the catalog's data. */
interface Assessment {
  /** Hides the hit. */
  readonly entry?: Suppression
  /** A state of the account that would hide the hit if it were not open again. */
  readonly reopened?: FoundState
}

export type Assess = (subject: Subject, component: Component) => Assessment

const NOT_ASSESSED: Assessment = {}

/** An entry of the call comes before a state of the account. */
export function createAssess(entries: readonly Suppression[], states: readonly AccountState[], now: Date): Assess {
  const findEntry = createSuppressions(entries, now)
  if (states.length === 0)
    return (subject, component) => {
      const entry = findEntry(subject.id, component)
      return entry === undefined ? NOT_ASSESSED : { entry }
    }
  const findState = createStateFinder(states, now)
  return (subject, component) => {
    const entry = findEntry(subject.id, component)
    if (entry !== undefined) return { entry }
    const found = findState(subject, component)
    if (found === undefined) return NOT_ASSESSED
    return found.reopenedBy.length > 0 ? { reopened: found } : { entry: toSuppression(found.state) }
  }
}

function toSuppression(state: AccountState): Suppression {
  return { id: state.cveId, reason: state.reason, ...(state.state === 'fixed' && { isFixed: true as const }), state }
}

/** Finds the entry that suppresses a hit. Expired entries are ignored. */
function createSuppressions(
  entries: readonly Suppression[],
  now: Date,
): (id: string, component: Component) => Suppression | undefined {
  const current = entries.filter(({ until }) => until === undefined || now < endOfDay(until))
  const byId = Map.groupBy(current, ({ id }) => id.toUpperCase())
  return (id, component) => byId.get(id.toUpperCase())?.find(({ purl }) => !purl || isSamePackage(purl, component))
}

const DAY_MS = 24 * 60 * 60 * 1000
const endOfDay = (day: Date) => new Date(day.getTime() + DAY_MS)

/**
 * An entry about some versions or one release hides nothing else, such as a statement of a document that
 * GET /api/v1/triage/openvex wrote. Its range is not read here, so the component is not surely inside.
 */
function isSamePackage(purl: Purl, component: Component): boolean {
  if (purl.hasRange) return false
  const named = readComponent({ purl })
  if (component.kind !== 'purl' || component.vendor !== named.vendor || component.product !== named.product)
    return false
  if (named.target !== null && named.target !== component.target) return false
  return named.version === null || named.version.text === component.version?.text
}
