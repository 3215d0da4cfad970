// Renders what publishers advise. A remediation that several documents of a publisher give is one entry.
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
    remediations: shown.length === 0 ? undefined : shown.map(render),
    remediations_omitted: omitted || undefined,
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

function render({ kind, text, url, by, products }: Remediation): RenderedRemediation {
  const distinct = [...new Map(products.map((each) => [JSON.stringify(each), each])).values()]
  const omitted = distinct.length - MAX_PRODUCTS
  return {
    kind,
    text,
    url,
    source: by,
    applies_to: distinct
      .slice(0, MAX_PRODUCTS)
      .map(({ packageUrl, ...each }) => ({ ...each, package_url: packageUrl })),
    ...(omitted > 0 && { products_omitted: omitted }),
  }
}
