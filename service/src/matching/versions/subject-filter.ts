// Selects the CVEs and advisories of a product ("subjects") that may concern a version. Most rows are ranges that do
// not contain the version, and two number comparisons exclude such a range. The filter may keep a subject
// unnecessarily, but it never drops one that would be a hit or have an unknown order.
import type { SchemeName } from '../../domain/version/schemes.ts'
import { isListedVersion } from './place-version.ts'
import {
  isFirmlyOrdered,
  type PreparedRow,
  type PreparedSubject,
  type ProductRows,
  type VersionProbe,
} from './product-rows.ts'

/**
 * Returns the CVEs and advisories that may concern the version, in their original order, or undefined if the version
 * cannot be compared with others.
 */
export type SubjectFilter = (probe: VersionProbe) => readonly PreparedSubject[] | undefined

/** Row types that stand in for a scheme number. */
const [NEVER, ALWAYS, LISTED] = [-1, -2, -3]

interface FlatRows {
  /** The number of the row's scheme, or one of the constants above. */
  readonly kinds: Int8Array
  /** The ranks inside the range. */
  readonly first: Int32Array
  readonly last: Int32Array
  /** The position of the first row of each CVE or advisory, followed by the end of the last one. */
  readonly starts: Int32Array
}

interface ListedText {
  readonly scheme: SchemeName
  readonly code: number
  readonly rows: number[]
}

export function createSubjectFilter({ subjects }: ProductRows): SubjectFilter {
  const rows = subjects.flatMap((subject) => subject.rows)
  const schemes = [...new Set(rows.map(({ row }) => row.scheme))].filter((scheme) => scheme !== 'commit')
  const flat: FlatRows = {
    kinds: new Int8Array(rows.length),
    first: new Int32Array(rows.length),
    last: new Int32Array(rows.length),
    starts: new Int32Array(subjects.length + 1),
  }
  const listed = new Map<string, ListedText>()
  let position = 0
  for (const [index, subject] of subjects.entries()) {
    flat.starts[index] = position
    // Commits count only if no row of any source is firmly ordered.
    const isFirm = subject.rows.some(({ row }) => isFirmlyOrdered(row))
    for (const each of subject.rows) {
      const { scheme } = each.row
      flat.kinds[position] = chooseKind(each, schemes, isFirm)
      if (scheme !== 'commit' && each.listed !== undefined) addListed(listed, each.listed, scheme, position)
      flat.first[position] = each.ranks?.first ?? 0
      flat.last[position] = each.ranks?.last ?? 0
      position += 1
    }
  }
  flat.starts[subjects.length] = position
  const listedTexts = [...listed.values()]
  return (probe) => {
    const ranks = schemes.map((scheme) => probe.whole.rank(scheme))
    return ranks.includes(-1)
      ? undefined
      : selectSubjects(subjects, flat, Int32Array.from(ranks), markListed(listedTexts, probe, rows.length))
  }
}

function chooseKind({ row, listed, ranks }: PreparedRow, schemes: readonly SchemeName[], isFirm: boolean): number {
  if (!row.isAffected) return NEVER
  if (row.isVague) return ALWAYS
  if (row.scheme === 'commit') return isFirm ? NEVER : ALWAYS
  if (listed !== undefined) return LISTED
  return ranks === undefined ? ALWAYS : schemes.indexOf(row.scheme)
}

function addListed(known: Map<string, ListedText>, codes: Int32Array, scheme: SchemeName, position: number): void {
  for (const code of codes) {
    const key = `${scheme} ${code}`
    const text = known.get(key) ?? { scheme, code, rows: [] }
    text.rows.push(position)
    known.set(key, text)
  }
}

/** Sets a 1 for each row whose list contains the version or an update of it. */
function markListed(texts: readonly ListedText[], probe: VersionProbe, length: number): Uint8Array {
  const marks = new Uint8Array(length)
  for (const { scheme, code, rows } of texts)
    if (isListedVersion(code, probe, scheme) !== false) for (const position of rows) marks[position] = 1
  return marks
}

function selectSubjects(
  subjects: readonly PreparedSubject[],
  { kinds, first, last, starts }: FlatRows,
  ranks: Int32Array,
  marks: Uint8Array,
): readonly PreparedSubject[] {
  const selected: PreparedSubject[] = []
  for (let index = 0; index < subjects.length; index += 1) {
    const end = starts[index + 1] ?? 0
    for (let row = starts[index] ?? 0; row < end; row += 1) {
      const kind = kinds[row] ?? NEVER
      if (kind === NEVER) continue
      if (kind === LISTED ? marks[row] === 0 : kind !== ALWAYS && !isWithin(ranks[kind], first[row], last[row]))
        continue
      const subject = subjects[index]
      if (subject !== undefined) selected.push(subject)
      break
    }
  }
  return selected
}

function isWithin(rank = 0, first = 0, last = 0): boolean {
  return rank >= first && rank <= last
}
