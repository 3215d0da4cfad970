// What publishers advise, in the kinds of CSAF.

/** As a document states it. Products are positions in a list. */
export interface StatedRemediation {
  readonly kind: RemediationKind
  readonly text: string
  readonly url: string | null
  readonly products: readonly number[]
}

export const REMEDIATION_KINDS = ['fix', 'workaround', 'mitigation', 'none_planned', 'none_available'] as const

/** `none_planned`: no fix will come. `none_available`: there is none yet. */
export type RemediationKind = (typeof REMEDIATION_KINDS)[number]

/** CSAF 2.1 adds `fix_planned` and `optional_patch`. */
const KIND_BY_CATEGORY: Readonly<Partial<Record<string, RemediationKind>>> = {
  vendor_fix: 'fix',
  optional_patch: 'fix',
  workaround: 'workaround',
  mitigation: 'mitigation',
  no_fix_planned: 'none_planned',
  none_available: 'none_available',
  fix_planned: 'none_available',
}

export function toRemediationKind(category: string): RemediationKind | undefined {
  return KIND_BY_CATEGORY[category]
}
