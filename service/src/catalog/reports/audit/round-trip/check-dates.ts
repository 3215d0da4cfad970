// Compares the served dates with the raw records of their sources.
import type { Attributed, ServedDocument } from './document.ts'
import type { DifferenceKind } from './kinds.ts'
import type { RawCve, RawRecord } from './raw-cve.ts'
import { toRaw, toWords } from './raw-json.ts'
import { listContainers, readAdvisoryProvider } from './read-statements.ts'
import type { ServedKev } from './served-values.ts'
import { RULES } from './statement.ts'

export type Compared = DifferenceKind | undefined

export function compareDates(document: ServedDocument, raw: RawCve): readonly Compared[] {
  return [...comparePublished(document, raw), ...compareModified(document, raw)]
}

function comparePublished(document: ServedDocument, raw: RawCve): readonly Compared[] {
  const shown = document.published
  // The first statement decided, so the record shows its value.
  const from = document
    .from('published')
    .map((each, index) => [each, index === 0 ? shown : (toWords(each.content['value']) ?? shown)] as const)
  const others = document.others('published').map((each) => [each, toWords(each.content['value'])] as const)
  return [...from, ...others].map(([{ source }, day]) =>
    day !== null && listPublished(source, raw).some((each) => isSameTime(each, day)) ? undefined : 'published',
  )
}

/** A publication date after the last change is limited to the last change (decision C22). */
function listPublished(source: string, { records, kev, euKev, exploits }: RawCve): readonly string[] {
  if (source === 'cisa-kev') return kev === null ? [] : [kev.dateAdded]
  if (source === 'eu-kev') return euKev === null ? [] : [euKev.dateListed]
  const own = records
    .filter((record) => isRecordOf(record, source))
    .flatMap((record) => [...listPublicationDates(record), record.modified.toISOString()])
  return [...own, ...exploits.flatMap(({ feed, published }) => (feed === source ? (published ?? []) : []))]
}

function listPublicationDates({ source, content }: RawRecord): readonly string[] {
  const [cna] = source === 'cve' ? listContainers(content) : []
  const texts =
    source === 'cve'
      ? [toRaw(content['cveMetadata'])['datePublished'], toRaw(cna?.container['providerMetadata'])['dateUpdated']]
      : [content['published'], toRaw(content['_annotation'])['published']]
  return texts.flatMap((text) => toWords(text) ?? [])
}

function compareModified(document: ServedDocument, raw: RawCve): readonly Compared[] {
  const [first, ...agreeing] = document.from('modified')
  if (first === undefined) return []
  const statements = [first, ...agreeing, ...document.others('modified')]
  // The service's rules state the time of a CVE whose records have none (decision E32).
  const time = first.source === RULES ? (document.published ?? NO_TIME) : first.time
  const isShown = document.modified !== null && time !== null && isSameTime(document.modified, time)
  return [
    isShown ? undefined : 'modified',
    ...statements.map((each) => (isModifiedAt(each, raw) ? undefined : ('modified' as const))),
  ]
}

const NO_TIME = '1970-01-01'

function isModifiedAt({ source, time }: Attributed, { records, kev, euKev }: RawCve): boolean {
  // Notices and removals have times of their own, which the raw records of the CVE do not contain.
  if (time === null || source === 'acsc' || (source === 'cisa-kev' && kev !== null && kev.isRemoved)) return true
  if (source === 'cisa-kev') return kev !== null && isSameTime(kev.dateAdded, time)
  if (source === 'eu-kev') return euKev !== null && isSameTime(euKev.dateListed, time)
  return records.some((record) => isRecordOf(record, source) && isSameTime(record.modified.toISOString(), time))
}

/** The CVE List's record is named `cve` or by its CNA; NVD's copy counts too. */
function isRecordOf({ source, content }: RawRecord, provider: string): boolean {
  if (provider === 'anchore') return source === 'overrides'
  if (source === 'osv') return provider === readAdvisoryProvider(source, content)
  return source === provider || (source === 'cve' && provider.startsWith('cna:'))
}

/** Served times have whole seconds, and days begin at midnight (UTC). */
function isSameTime(one: string, other: string): boolean {
  const [a, b] = [toSeconds(one), toSeconds(other)]
  return a !== undefined && a === b
}

function toSeconds(text: string): number | undefined {
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  const time = Date.parse(/T/.test(text) && !hasZone ? `${text}Z` : text)
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000)
}

/** Compares the entry of CISA's catalog and the days of both catalogs. */
export function compareKev(
  document: ServedDocument,
  served: ServedKev | null,
  { kev, euKev }: RawCve,
): readonly Compared[] {
  const entry = kev === null || kev.isRemoved ? null : kev
  const isSame =
    served === null
      ? entry === null
      : entry !== null &&
        served.dateAdded === entry.dateAdded &&
        served.dueDate === entry.dueDate &&
        served.entry['dateAdded'] === entry.dateAdded &&
        (served.entry['dueDate'] ?? null) === entry.dueDate
  const days: Readonly<Record<string, string | undefined>> = { cisa: kev?.dateAdded, eu: euKev?.dateListed }
  return [
    isSame ? undefined : 'kev',
    ...document.kevCatalogs.map(({ name, since }) => (days[String(name)] === since ? undefined : ('kev' as const))),
  ]
}
