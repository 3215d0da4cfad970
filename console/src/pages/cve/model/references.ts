// Groups references by type. A reference with several tags gets the type of the first table row that names one of them,
// as in the API's detail record. Only this page has a group for third-party advisories.
import type { Cve } from 'vis-sdk'

export type Reference = NonNullable<Cve['references']>[number]

type ReferenceKind = 'patch' | 'advisory' | 'exploit' | 'other'

export interface ReferenceGroup {
  readonly kind: ReferenceKind
  readonly label: string
  readonly references: readonly Reference[]
}

/** Types in page order. */
const KINDS: readonly (readonly [kind: ReferenceKind, label: string])[] = [
  ['patch', 'Patches and mitigations'],
  ['advisory', 'Advisories'],
  ['exploit', 'Exploits'],
  ['other', 'Other pages'],
]

const TAGS: readonly (readonly [kind: ReferenceKind, tags: readonly string[]])[] = [
  ['exploit', ['Exploit']],
  ['advisory', ['Vendor Advisory']],
  ['patch', ['Patch', 'Mitigation', 'Release Notes']],
  ['advisory', ['Third Party Advisory', 'US Government Resource', 'VDB Entry']],
]

/** Leaves out types without references. */
export function groupReferences(references: readonly Reference[]): readonly ReferenceGroup[] {
  const byKind = Map.groupBy(references, findKind)
  return KINDS.flatMap(([kind, label]) => {
    const found = byKind.get(kind)
    return found === undefined ? [] : [{ kind, label, references: found }]
  })
}

function findKind({ tags = [] }: Reference): ReferenceKind {
  return TAGS.find(([, names]) => names.some((name) => tags.includes(name)))?.[0] ?? 'other'
}
