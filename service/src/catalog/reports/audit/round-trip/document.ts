// The served document of a CVE, with the source of each value, as `include=sources` shows it.
import { type Raw, toNumber, toRaw, toRaws, toWords } from './raw-json.ts'

/** One source's statement about a value. */
export interface Attributed {
  readonly source: string
  readonly time: string | null
  readonly content: Raw
}

export interface ServedDocument {
  readonly published: string | null
  readonly modified: string | null
  readonly score: number | null
  readonly vector: string | null
  /** `cvss.v3_1`, `cvss.v4_0` and `cvss.v2_0`. */
  readonly cvss: Raw
  readonly matches: readonly Raw[]
  readonly weaknesses: readonly string[]
  readonly kevCatalogs: readonly Raw[]
  /** Statements that agree with the record, the deciding one first. */
  readonly from: (value: string) => readonly Attributed[]
  /** Statements that differ from the record. */
  readonly others: (value: string) => readonly Attributed[]
  readonly isRejected: boolean
}

export function readDocument(row: Readonly<Record<string, unknown>>): ServedDocument {
  const column = (name: string): unknown => {
    const text = row[name]
    return typeof text === 'string' ? JSON.parse(text) : null
  }
  const [enrichment, sources] = [toRaw(column('enrichment')), toRaw(column('sources'))]
  const weaknesses = enrichment['cwe_list']
  const list = (value: string, member: string) =>
    listAttributed(sources, toRaw(toRaw(sources['values'])[value])[member])
  return {
    published: toWords(column('published')),
    modified: toWords(column('modified')),
    score: toNumber(column('severity')),
    vector: toWords(enrichment['cvss_vector']),
    cvss: toRaw(column('cvss')),
    matches: toRaws(column('cpe')),
    weaknesses: Array.isArray(weaknesses) ? weaknesses.filter((each) => typeof each === 'string') : [],
    kevCatalogs: toRaws(toRaw(column('exploits'))['kev_catalogs']),
    from: (value) => list(value, 'from'),
    others: (value) => list(value, 'others'),
    isRejected: column('status') === 'Rejected',
  }
}

/** A statement is stored as the position of its source and time, alone or with its content. */
function listAttributed(sources: Raw, statements: unknown): readonly Attributed[] {
  const origins = Array.isArray(sources['origins']) ? sources['origins'] : []
  return (Array.isArray(statements) ? statements : []).flatMap((each: unknown) => {
    const [position, content] = Array.isArray(each) ? each : [each, {}]
    const origin: unknown = origins[Number(position)]
    if (!Array.isArray(origin)) return []
    return { source: String(origin[0]), time: toWords(origin[1]), content: toRaw(content) }
  })
}
