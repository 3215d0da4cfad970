// Converts a vulnerability of a CSAF document to the stored statement about its CVE.
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import { CSAF_STATUSES, type CsafProduct, type CsafStatement } from '../../../domain/source/csaf-record.ts'
import { type StatedRemediation, toRemediationKind } from '../../../domain/source/remediation.ts'
import type { VendorReference, VendorScore } from '../../../domain/source/vendor-record.ts'
import type { Vulnerability } from './document.ts'
import type { ProductTree } from './product-tree.ts'

const MAX_SCORES = 20
const MAX_WEAKNESSES = 100
const MAX_IDS = 200
const MAX_REFERENCES = 500
const MAX_REMEDIATIONS = 5000
const MAX_URL_LENGTH = 2048

/** The products of a document that its vulnerabilities name. Each is stored once. */
export function createProductList(tree: ProductTree) {
  const positions = new Map<string, number>()
  const listed: CsafProduct[] = []
  const toPosition = (id: string): number => {
    const known = positions.get(id)
    if (known !== undefined) return known
    listed.push(tree.find(id))
    positions.set(id, listed.length - 1)
    return listed.length - 1
  }
  return {
    listed,
    toPositions: (ids: readonly string[]) => [...new Set(ids)].map(toPosition),
    toConcerned: ({ product_ids: ids, group_ids: groups }: Concerned) =>
      [...new Set([...(ids ?? []), ...(groups ?? []).flatMap((each) => tree.findGroup(each))])].map(toPosition),
  }
}

interface Concerned {
  readonly product_ids?: readonly string[] | null | undefined
  readonly group_ids?: readonly string[] | null | undefined
}

export type ProductList = ReturnType<typeof createProductList>

export function toStatement(vulnerability: Vulnerability, products: ProductList): CsafStatement {
  const { title, notes, ids, release_date: released, disclosure_date: disclosed } = vulnerability
  const published = parseDateTime(released ?? disclosed ?? '')
  const findNote = (category: string) => notes?.find((each) => each.category === category)?.text
  return {
    title: title ?? null,
    description: findNote('description') ?? findNote('summary') ?? null,
    published: published ? formatInstant(published) : null,
    ids: unique((ids ?? []).map(({ text }) => text.trim())).slice(0, MAX_IDS),
    scores: readScores(vulnerability),
    weaknesses: readWeaknesses(vulnerability),
    statuses: readStatuses(vulnerability, products),
    justifications: (vulnerability.flags ?? []).map((flag) => ({
      label: flag.label,
      products: products.toConcerned(flag),
    })),
    remediations: readRemediations(vulnerability, products),
    references: readReferences(vulnerability),
    exploitation: isExploited(vulnerability) ? 'active' : null,
  }
}

/** A document may describe a CVE twice, for example for two groups of products. */
export function joinStatements(first: CsafStatement, second: CsafStatement): CsafStatement {
  const statuses = CSAF_STATUSES.flatMap((status) => {
    const joined = unique([...(first.statuses[status] ?? []), ...(second.statuses[status] ?? [])])
    return joined.length === 0 ? [] : [[status, joined] as const]
  })
  return {
    title: first.title ?? second.title,
    description: first.description ?? second.description,
    published: first.published ?? second.published,
    ids: unique([...first.ids, ...second.ids]),
    scores: uniqueBy([...first.scores, ...second.scores]),
    weaknesses: unique([...first.weaknesses, ...second.weaknesses]),
    statuses: Object.fromEntries(statuses),
    justifications: [...first.justifications, ...second.justifications],
    remediations: uniqueBy([...first.remediations, ...second.remediations]),
    references: uniqueBy([...first.references, ...second.references]),
    exploitation: first.exploitation ?? second.exploitation,
  }
}

function readStatuses({ product_status: listed }: Vulnerability, products: ProductList): CsafStatement['statuses'] {
  return Object.fromEntries(
    CSAF_STATUSES.flatMap((status) => {
      const ids = listed?.[status] ?? []
      return ids.length === 0 ? [] : [[status, products.toPositions(ids)] as const]
    }),
  )
}

function readScores({ scores, metrics }: Vulnerability): VendorScore[] {
  const all = [...(scores ?? []), ...(metrics ?? []).map(({ content }) => content)]
  const found = all.flatMap(({ cvss_v2: v2, cvss_v3: v3, cvss_v4: v4 }) => [v4, v3, v2].filter((each) => each != null))
  const stated = found.flatMap((each) =>
    each && /^[\w:/.()-]{10,300}$/.test(each.vectorString)
      ? [{ vector: each.vectorString, base_score: each.baseScore ?? null }]
      : [],
  )
  return uniqueBy(stated).slice(0, MAX_SCORES)
}

function readWeaknesses({ cwe, cwes }: Vulnerability): readonly string[] {
  const ids = [...(cwe ? [cwe] : []), ...(cwes ?? [])].flatMap(({ id }) => id.match(/\bCWE-\d{1,5}\b/g) ?? [])
  return unique(ids).slice(0, MAX_WEAKNESSES)
}

/** The text may be empty: then the link or the kind alone says what to do. */
function readRemediations({ remediations }: Vulnerability, products: ProductList): readonly StatedRemediation[] {
  const read = (remediations ?? []).flatMap((each): StatedRemediation[] => {
    const kind = toRemediationKind(each.category)
    if (kind === undefined) return []
    const url = each.url && isHttpUrl(each.url) ? each.url : null
    return [{ kind, text: each.details?.trim() ?? '', url, products: products.toConcerned(each) }]
  })
  return uniqueBy(read).slice(0, MAX_REMEDIATIONS)
}

/** Documents give no tags (decision C23), only the categories `self` and `external`. */
function readReferences({ references }: Vulnerability): readonly VendorReference[] {
  const urls = unique((references ?? []).map(({ url }) => url)).filter(isHttpUrl)
  return urls.slice(0, MAX_REFERENCES).map((url) => ({ url, tags: [] }))
}

export function isHttpUrl(url: string): boolean {
  return url.length <= MAX_URL_LENGTH && /^https?:\/\//i.test(url) && URL.canParse(url)
}

const EXPLOITED = /\bknown[ -]exploited\b|\bexploited in the wild\b|\bexploited:\s?yes\b|\bactively exploited\b/i
const NEGATED = /\b(?:no|not|never|none|unaware)\b/i

function isExploited({ threats }: Vulnerability): boolean {
  return (threats ?? []).some(
    ({ category, details }) =>
      category === 'exploit_status' && EXPLOITED.test(details ?? '') && !NEGATED.test(details ?? ''),
  )
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

function uniqueBy<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((each) => [JSON.stringify(each), each])).values()]
}
