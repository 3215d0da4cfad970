import type { Component } from '../../domain/component/component.ts'
import { CONFIDENCES, type Confidence, type DistributionState } from '../../domain/match-words.ts'
import { RULES } from '../../domain/source/provider-names.ts'
import { DERIVED, type StoredRow } from '../../record/affected-row.ts'
import type { Doubt } from './reach.ts'

/** Used unless the caller sets another minimum. */
export const DEFAULT_CONFIDENCE: Confidence = 'medium'

/** A third party that corrects rows from the vendor, NVD or the ecosystem's database, and our own conclusions. */
const WEAKER_SOURCES = ['anchore', RULES]

/** A distribution's words for a flaw that does not concern its package, or that it no longer examines. */
const UNSURE_URGENCIES = ['unimportant', 'end-of-life']
/** The fix may already be in a package that is newer than the statement. */
const UNSURE_STATES: readonly DistributionState[] = ['fix_pending', 'fix_deferred']

/**
 * - low: the row names no usable version, several vendors have a product with this name and the component names no
 *   vendor, or the target software or edition differs.
 * - medium: we derived the name, the range or the module stream, a third party corrected the row, we concluded it from contradicting
 *   sources, the target software or edition is unknown, the order of versions depends on letters, the statement may not
 *   reach the component (reach.ts), or the distribution has not fixed the package yet.
 * - high: everything else.
 *
 * A guessed component name and a flaw that is unimportant to the distribution lower the confidence by one step each.
 */
export function rateHit(
  { row, doubt }: { readonly row: StoredRow; readonly doubt: Doubt | undefined },
  component: Component,
  hasSeveralVendors: boolean,
): Confidence {
  const named = rateNamed(row, component, hasSeveralVendors)
  const isUnsure = doubt !== undefined || UNSURE_STATES.some((each) => each === row.state)
  const confidence = isUnsure && named === 'high' ? 'medium' : named
  const steps = Number(component.isGuessed === true) + Number(UNSURE_URGENCIES.includes(row.urgency ?? ''))
  return CONFIDENCES[CONFIDENCES.indexOf(confidence) + steps] ?? 'low'
}

function rateNamed(row: StoredRow, component: Component, hasSeveralVendors: boolean): Confidence {
  const [target, edition] = [compareTarget(row, component), compareName(row.edition, component.edition)]
  if (row.isVague || hasSeveralVendors || target === 'differs' || edition === 'differs') return 'low'
  const isDerived = row.source.startsWith(DERIVED) || (component.stream?.isDerived === true && Boolean(row.streams))
  const isWeaker = isDerived || WEAKER_SOURCES.includes(row.source)
  const isOpen = target === 'open' || edition === 'open'
  return isWeaker || isOpen || dependsOnLetters(row, component) ? 'medium' : 'high'
}

/**
 * Rows about other releases of the distribution have already been dropped, so a known release is always the same one.
 */
function compareTarget({ target }: StoredRow, component: Component): 'same' | 'open' | 'differs' {
  const isPackageOfRelease = component.kind === 'purl' && component.target !== null
  return isPackageOfRelease ? 'same' : compareName(target, component.target)
}

/** A row that does not state a name applies to every name. */
function compareName(stated: string | null, own: string | null): 'same' | 'open' | 'differs' {
  if (stated === null || stated === '' || stated === own) return 'same'
  return own === null ? 'open' : 'differs'
}

const NUMBERS = /^[\d.]+$/

/** Ecosystems define an exact order; our generic order is certain only for numbers and for identical texts. */
function dependsOnLetters({ scheme, versions, low, high }: StoredRow, { version }: Component): boolean {
  if (scheme !== 'generic' || version === null || versions?.includes(version.text)) return false
  return [version.text, low, high].some((each) => each !== null && !NUMBERS.test(each))
}

export function isAtLeast(confidence: Confidence, minimum: Confidence): boolean {
  return CONFIDENCES.indexOf(confidence) <= CONFIDENCES.indexOf(minimum)
}
