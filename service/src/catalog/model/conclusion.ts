// Conclusions that the service draws where sources contradict each other (decision E31). A conclusion is a statement of
// the source `rules`, beside the statements of the sources, which stay as they are.
import type { Affected, Provider } from './claim.ts'

interface ConclusionBase {
  /** Providers whose statements the conclusion contradicts. */
  readonly against: readonly Provider[]
  /** Providers whose structured data supports it. */
  readonly listedBy: readonly Provider[]
}

/** A version is affected, although a provider calls it fixed. */
export interface AffectedVersion extends ConclusionBase {
  readonly kind: 'affected'
  /** In lower case and without a leading `v` (`toVersionKey`). */
  readonly version: string
  /** Providers whose descriptions name the version as affected. */
  readonly describedBy: readonly Provider[]
  /** Products of the contradicted provider; absent for all of its products. */
  readonly products?: readonly Affected[]
}

/** Versions that a provider lists as affected are unaffected. */
export interface UnaffectedVersions extends ConclusionBase {
  readonly kind: 'unaffected'
  /** The contradicted provider's product, with only the unaffected ranges. */
  readonly product: Affected
  /** No source lists affected versions, so those that are not listed may be affected. */
  readonly mayAffectOthers: boolean
}

export type Conclusion = AffectedVersion | UnaffectedVersions
