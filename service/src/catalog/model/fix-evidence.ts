// Evidence of a fix (decision C16), in the forms that sources use.

/** Member of the source's record that names the version. */
export type FixMember = 'versionEndExcluding' | 'lessThan' | 'changes.at' | 'unaffected' | 'fixed' | 'solution'

export type FixEvidence =
  | {
      readonly kind: 'version'
      readonly member: FixMember
      readonly version: string
      /** The product and its branch to which the version belongs, if the statement names a product. */
      readonly product?: string
      readonly branch?: string
      /** The product is not known to be one that the CVE is about. */
      readonly isDownstream?: true
      /** The service read the version from a text that names several, or from one about a solution. */
      readonly isDerived?: true
    }
  /** Affected versions in words, such as `All versions < V5.4.0`. */
  | { readonly kind: 'range-in-words'; readonly words: string }
  /** A release contains the fix, but its version is not known. */
  | { readonly kind: 'release' }
  /** The publisher says that there is a fix. */
  | { readonly kind: 'vendor-fix'; readonly url: string | null }
  | { readonly kind: 'patch-link'; readonly url: string }
  /** CISA requires updates to be applied. */
  | { readonly kind: 'required-update' }
  /** First day on which a patch was available. */
  | { readonly kind: 'patch-day'; readonly day: string }
  /** From a description (`prose`), or from a text about the solution (`solution`). */
  | (FixStatement & { readonly kind: 'prose' | 'solution' })

/** A statement such as `fixed in version 2.4.1`. */
export interface FixStatement {
  readonly phrase: 'before' | 'fixed in' | 'upgrade to'
  readonly version: string
}

/** Describes the evidence as `include=sources` and `catalog explain` show it, for example `lessThan 2.1`. */
export function describeEvidence(evidence: FixEvidence): string {
  switch (evidence.kind) {
    case 'version':
      return evidence.member === 'solution'
        ? `${evidence.version} (solution)`
        : `${evidence.member} ${evidence.version}`
    case 'range-in-words':
      return `version ${evidence.words}`
    case 'release':
      return 'fixed'
    case 'vendor-fix':
      return evidence.url === null ? 'vendor fix' : `vendor fix ${evidence.url}`
    case 'patch-link':
      return `Patch ${evidence.url}`
    case 'required-update':
      return 'required action: Apply updates'
    case 'patch-day':
      return `patchedSince ${evidence.day}`
    default:
      return `${evidence.phrase} ${evidence.version} (${evidence.kind})`
  }
}
