// Reads lists of unaffected versions without an end in CSAF documents, as Palo Alto Networks writes them: `>=10.2.3-h13`,
// `>=10.2.9-h1` and `>=11.0.1-h4`. Each is about its own branch, and a hotfix before the last fix of its branch only
// about its own release; read word for word, the first one would call all later versions unaffected.
import { addToLast, type Release, readRelease } from '../../domain/version/hotfix.ts'
import { compareVersions } from '../../domain/version/version-order.ts'
import type { Affected, AffectedRange } from '../model/claim.ts'

/** The versions from `low` up to `high` are unaffected; `high` is null for the newest branch. */
export interface FixWindow {
  readonly low: string
  readonly high: string | null
  /** For the hotfix of a single release, the fix with which the list of the branch ends. */
  readonly branchFix: string | null
}

interface Start extends Release {
  readonly text: string
}

/** Returns a function that finds the window of a range; undefined if the range is in no such list. */
export function readFixLists(
  entries: readonly Affected[],
): (entry: Affected, range: AffectedRange) => FixWindow | undefined {
  const byProduct = Map.groupBy(entries, toProductKey)
  const windows = new Map([...byProduct].map(([key, ofProduct]) => [key, readList(ofProduct.flatMap(toRanges))]))
  return (entry, range) =>
    range.isAffected || !hasOpenEnd(range) ? undefined : windows.get(toProductKey(entry))?.get(range.version ?? '')
}

const toRanges = ({ ranges }: Affected) => ranges

function toProductKey({ vendor, product, platforms, cpes, packageUrl }: Affected): string {
  return JSON.stringify([vendor, product, platforms, cpes, packageUrl])
}

function hasOpenEnd({ version, lessThan, isVersionExcluded }: AffectedRange): boolean {
  return version !== null && version !== '0' && lessThan === '*' && isVersionExcluded !== true
}

function readList(ranges: readonly AffectedRange[]): ReadonlyMap<string, FixWindow> {
  const open = ranges.filter(hasOpenEnd)
  const listTexts = (isAffected: boolean) => [
    ...new Set(open.filter((each) => each.isAffected === isAffected).map(({ version }) => version ?? '')),
  ]
  const starts = sortStarts(listTexts(false))
  if (starts === undefined) return new Map()
  const fixes = new Set(starts.map(({ text }) => text))
  const marks = listTexts(true).filter((text) => fixes.has(text))
  const unclear = new Set(areBranchMarks(starts, marks) ? [] : marks)
  return new Map(
    starts.flatMap((start) => (unclear.has(start.text) ? [] : [[start.text, toWindow(start, starts)] as const])),
  )
}

/** Returns undefined for fewer than two versions, and if their releases or their order are not known. */
function sortStarts(texts: readonly string[]): readonly Start[] | undefined {
  const starts = texts.flatMap((text) => {
    const release = readRelease(text)
    return release === undefined ? [] : { ...release, text }
  })
  if (starts.length < 2 || starts.length < texts.length) return undefined
  return starts.toSorted((a, b) => compareVersions(a.text, b.text) ?? 0)
}

/**
 * True if the document repeats exactly one fix of each branch as affected. Such a status is about the branch: as a range
 * without an end it would contradict every later fix of the list. All lists of hotfixes by Palo Alto Networks have it.
 * Without hotfixes, or if no fix remains unmarked, nobody knows what the document means.
 */
function areBranchMarks(starts: readonly Start[], marks: readonly string[]): boolean {
  const branches = new Set(starts.map(({ branch }) => branch))
  const marked = starts.filter(({ text }) => marks.includes(text)).map(({ branch }) => branch)
  const isOneEach = marked.length === branches.size && new Set(marked).size === branches.size
  return isOneEach && marks.length < starts.length && starts.some(({ isHotfix }) => isHotfix)
}

function toWindow({ text, release, branch, isHotfix }: Start, sorted: readonly Start[]): FixWindow {
  const top = sorted.findLast((each) => each.branch === branch)
  const isOfRelease = isHotfix && top !== undefined && top.release !== release
  if (isOfRelease) return { low: text, high: addToLast(release), branchFix: top.text }
  return { low: text, high: top === sorted.at(-1) ? null : addToLast(branch), branchFix: null }
}
