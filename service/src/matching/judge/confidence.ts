// How sure a hit is, by rules that a caller can repeat.

import type { Component } from '../../domain/component/component.ts'
import { CONFIDENCES, type Confidence } from '../../domain/match-words.ts'
import { DERIVED, type StoredRow } from '../../record/affected-row.ts'

/** Minimum confidence of listed hits, unless the caller asks for another one. */
export const DEFAULT_CONFIDENCE: Confidence = 'medium'

/** Sources whose rows are corrections by others than the vendor, NVD or the database of the ecosystem. */
const WEAKER_SOURCES = ['anchore']

/**
 * - low: the row names no usable version, the component names no vendor and several vendors have a product of this name, or
 *   target software or edition differ.
 * - medium: the service derived the name, a third party corrected the row, target software or edition are not known, or
 *   the order of versions depends on letters.
 * - high: all others.
 *
 * A hit of a component whose name is guessed is one step less sure.
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

/** Statements about other releases of a distribution are left out before, so that a known release is the same. */
function compareTarget({ target }: StoredRow, component: Component): 'same' | 'open' | 'differs' {
  const isPackageOfRelease = component.kind === 'purl' && component.target !== null
  return isPackageOfRelease ? 'same' : compareName(target, component.target)
}

/** A row without the name applies to all. */
function compareName(stated: string | null, own: string | null): 'same' | 'open' | 'differs' {
  if (stated === null || stated === '' || stated === own) return 'same'
  return own === null ? 'open' : 'differs'
}

const NUMBERS = /^[\d.]+$/

/** The orders of ecosystems are exact; the generic order is certain for numbers and for equal texts only. */
function dependsOnLetters({ scheme, versions, low, high }: StoredRow, { version }: Component): boolean {
  if (scheme !== 'generic' || version === null || versions?.includes(version.text)) return false
  return [version.text, low, high].some((each) => each !== null && !NUMBERS.test(each))
}

export function isAtLeast(confidence: Confidence, minimum: Confidence): boolean {
  return CONFIDENCES.indexOf(confidence) <= CONFIDENCES.indexOf(minimum)
}
