// The list that was shown last, so that a CVE opened from it can lead to the previous and the next one. It lasts until
// the browser tab is closed or another list replaces it.

const STORAGE_KEY = 'vis-list'

/** A browser tab stores a few megabytes; this many ids take 0.1 MB. */
const MAX_IDS = 5000

export interface ShownList {
  /** Name of the list, such as the name of a view. */
  readonly title: string
  /** Address of the list below the console, with its filters: `/cves?kev=true`. */
  readonly path: string
  /** Ids of the CVEs that are loaded, in the order of the list. */
  readonly ids: readonly string[]
  /** Number of CVEs in the whole list; undefined if it is not known. */
  readonly total?: number | undefined
}

export interface ListPosition {
  readonly title: string
  readonly path: string
  /** Position of the CVE, starting at 1. */
  readonly position: number
  /** Number of CVEs in the whole list, or undefined if it is not known. */
  readonly total: number | undefined
  readonly previous: string | undefined
  readonly next: string | undefined
}

type TextStorage = Pick<Storage, 'getItem' | 'setItem'>

/** Remembers the list that is shown now. A list calls this whenever its rows change. */
export function rememberList({ ids, ...list }: ShownList, storage: TextStorage = sessionStorage): void {
  try {
    storage.setItem(STORAGE_KEY, JSON.stringify({ ...list, ids: ids.slice(0, MAX_IDS) }))
  } catch {
    // Without storage, a CVE has no link to the next one; everything else works.
  }
}

/** Returns the position of a CVE in the list that was shown last, or undefined if it is not in that list. */
export function findListPosition(id: string, storage: TextStorage = sessionStorage): ListPosition | undefined {
  const list = readList(storage)
  const index = list?.ids.indexOf(id) ?? -1
  if (list === undefined || index < 0) return undefined
  const { title, path, ids, total } = list
  return { title, path, position: index + 1, total, previous: ids[index - 1], next: ids[index + 1] }
}

function readList(storage: TextStorage): ShownList | undefined {
  try {
    const list: unknown = JSON.parse(storage.getItem(STORAGE_KEY) ?? 'null')
    return isList(list) ? list : undefined
  } catch {
    return undefined
  }
}

/** Another release of the console may have stored the list in another form. */
function isList(list: unknown): list is ShownList {
  if (typeof list !== 'object' || list === null) return false
  const { title, path, ids, total } = list as Partial<Record<keyof ShownList, unknown>>
  return (
    typeof title === 'string' &&
    typeof path === 'string' &&
    path.startsWith('/') &&
    (total === undefined || typeof total === 'number') &&
    Array.isArray(ids) &&
    ids.every((id) => typeof id === 'string')
  )
}
