// Renders what publishers advise. A remediation that several documents of a publisher give is one entry.
import { REMEDIATION_KINDS } from '../../domain/source/remediation.ts'
import type { Claim, Remediation } from '../model/claim.ts'

/** In records of other sources. A publisher's own record has all of its remediations. */
const MAX_OF_OTHERS = 50
const MAX_PRODUCTS = 2000

interface RenderedRemediation extends Omit<Remediation, 'by' | 'products'> {
  readonly source: string
  readonly applies_to: readonly {
    readonly vendor: string
    readonly product: string
    readonly version: string | null
    readonly package_url: string | null
    readonly within?: string
  }[]
  readonly products_omitted?: number
}

interface RenderedRemediations {
  readonly remediations?: readonly RenderedRemediation[] | undefined
  readonly remediations_omitted?: number | undefined
}

/** Lists those of `source` first. Absent without any. */
export function renderRemediations(source: string, claims: readonly Claim[]): RenderedRemediations {
  const own = join(claims.filter((each) => each.source === source))
  const others = join(claims.filter((each) => each.source !== source))
  const shown = [...own, ...others.slice(0, MAX_OF_OTHERS)]
  const omitted = Math.max(0, others.length - MAX_OF_OTHERS)
  return {
    remediations: shown.length === 0 ? undefined : shown.map((each) => render(each, MAX_PRODUCTS)),
    remediations_omitted: omitted || undefined,
  }
}

/** Remediations of each kind in the record of a CVE. The record of a publisher has all of its remediations. */
const MAX_OF_KIND = 5
const MAX_PRODUCTS_IN_RECORD = 10

/** Lists remediations for the record, by kind. */
export function renderShortRemediations(claims: readonly Claim[]): {
  readonly remediations: readonly RenderedRemediation[]
  readonly omitted: number
} {
  const all = join(claims)
  const shown = REMEDIATION_KINDS.flatMap((kind) => all.filter((each) => each.kind === kind).slice(0, MAX_OF_KIND))
  return {
    remediations: shown.map((each) => render(each, MAX_PRODUCTS_IN_RECORD)),
    omitted: all.length - shown.length,
  }
}

function join(claims: readonly Claim[]): readonly Remediation[] {
  const joined = new Map<string, Remediation>()
  for (const each of claims.flatMap(({ remediations = [] }) => remediations)) {
    const key = JSON.stringify([each.kind, each.text, each.url, each.by])
    const known = joined.get(key)
    joined.set(key, known === undefined ? each : { ...known, products: [...known.products, ...each.products] })
  }
  return [...joined.values()]
}

function render({ kind, text, url, by, products }: Remediation, maxProducts: number): RenderedRemediation {
  const distinct = [...new Map(products.map((each) => [JSON.stringify(each), each])).values()]
  const omitted = distinct.length - maxProducts
  return {
    kind,
    text,
    url,
    source: by,
    applies_to: distinct.slice(0, maxProducts).map(({ packageUrl, ...each }) => ({ ...each, package_url: packageUrl })),
    ...(omitted > 0 && { products_omitted: omitted }),
  }
}
