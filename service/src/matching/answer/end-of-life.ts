// Decides whether a match gets no fix because the maker no longer supports the component's release.
import type { Component } from '../../domain/component/component.ts'
import { type EndedCycle, findCycle, findEnd } from '../../domain/component/release-cycle.ts'
import { toLeadingName } from '../../domain/source/provider-names.ts'
import type { Match } from '../match.ts'
import type { SupportedProduct } from '../read/read-cycles.ts'

export interface EndOfLife extends EndedCycle {
  readonly product: string
}

/**
 * Returns undefined if the release is supported or not known, and if a fix in it is known. A fix of which it is not known
 * to which release it belongs may be in this one.
 */
export function findEndOfLife(
  { verdict, fixes }: Pick<Match, 'verdict' | 'fixes'>,
  { version, target }: Component,
  product: SupportedProduct | undefined,
  now: Date,
): EndOfLife | undefined {
  if (product === undefined || verdict !== 'affected') return undefined
  const { label, cycles, isDistribution } = product
  const release = isDistribution ? target : (version?.base ?? null)
  const cycle = release === null ? undefined : findCycle(cycles, release)
  const end = cycle && findEnd(cycle, now)
  if (cycle === undefined || end === undefined) return undefined
  const mayFix = fixes.some((fix) => isDistribution || [undefined, cycle].includes(findCycle(cycles, fix.version)))
  return mayFix ? undefined : { product: label, ...end }
}

const SOURCE = 'endoflife'

export function renderEndOfLife({ product, cycle, since, extendedUntil }: EndOfLife) {
  return {
    product,
    cycle,
    since,
    ...(extendedUntil !== undefined && { extended_support_until: extendedUntil }),
    source: SOURCE,
  }
}

/** Returns for example "endoflife.date: the support of Log4j 1 ended on 2015-10-15, so no fix in it is to be expected." */
export function describeEndOfLife({ product, cycle, since, extendedUntil }: EndOfLife): string {
  const ended = `${toLeadingName(SOURCE)}: the support of ${product} ${cycle} ended${since === null ? '' : ` on ${since}`}`
  if (extendedUntil === undefined) return `${ended}, so no fix in it is to be expected.`
  return `${ended}; fixes come only with extended support${extendedUntil === null ? '' : `, until ${extendedUntil}`}.`
}
