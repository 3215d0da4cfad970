import type { Component } from '../../domain/component/component.ts'
import { CONFIDENCES, type Confidence } from '../../domain/match-words.ts'
import { RULES } from '../../domain/source/provider-names.ts'
import { DERIVED, type StoredRow } from '../../record/affected-row.ts'

/** Used unless the caller sets another minimum. */
export const DEFAULT_CONFIDENCE: Confidence = 'medium'

/** A third party that corrects rows from the vendor, NVD or the ecosystem's database, and our own conclusions. */
const WEAKER_SOURCES = ['anchore', RULES]

/**
 * - low: the row names no usable version, several vendors have a product with this name and the component names no
 *   vendor, or the target software or edition differs.
 * - medium: we derived the name or the range, a third party corrected the row, we concluded it from contradicting
 *   sources, the target software or edition is unknown, or the order of versions depends on letters.
 * - high: everything else.
 *
 * A guessed component name lowers the confidence by one step.
 */
export function rateHit(row: StoredRow, component: Component, hasSeveralVendors: boolean): Confidence {
  const confidence = rateNamed(row, component, hasSeveralVendors)
  return component.isGuessed && confidence === 'high' ? 'medium' : component.isGuessed ? 'low' : confidence
}

function rateNamed(row: StoredRow, component: Component, hasSeveralVendors: boolean): Confidence {
  const [target, edition] = [compareTarget(row, component), compareName(row.edition, component.edition)]
  if (row.isVague || hasSeveralVendors || target === 'differs' || edition === 'differs') return 'low'
  const isWeaker = row.source.startsWith(DERIVED) || WEAKER_SOURCES.includes(row.source)
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
