// The documents that a provider lists, from all of its lists.
import { formatInstant } from '../../../../domain/instant.ts'
import type { Validators } from '../../../download.ts'
import type { Rejected } from '../../../feed.ts'

export interface ListedDocument {
  /** Sortable: the time of the last change, then the address. */
  readonly key: string
  readonly at: Date
  readonly url: URL
  /** Files with the document's hash, best first; the first one that exists is used. */
  readonly hashes: readonly URL[]
  readonly signature: URL | undefined
  /** The list names the files with the hash and the signature, so they must exist. */
  readonly areNamed: boolean
}

/** One list: a ROLIE feed, `changes.csv` or `index.txt`. */
export interface DocumentList {
  readonly documents: readonly ListedDocument[]
  /** Entries that cannot be used. */
  readonly rejected: readonly Rejected[]
  readonly validators: Validators
}

/** A provider with more documents than SUSE, which has about 100,000, is a mistake or an attack. */
export const MAX_LISTED = 250_000
/** 100,000 lines of `changes.csv` take 8 MB; a ROLIE feed takes a kilobyte for each document. */
export const MAX_LIST_BYTES = 64 * 1024 ** 2

type Entry = Omit<ListedDocument, 'key'>

export function toListedDocument(entry: Entry): ListedDocument {
  return { ...entry, key: `${formatInstant(entry.at)} ${entry.url.href}` }
}

/** Lists each document once, with its newest time, oldest first. */
export function mergeLists(lists: readonly DocumentList[]): readonly ListedDocument[] {
  const newest = new Map<string, ListedDocument>()
  for (const { documents } of lists)
    for (const each of documents) {
      const other = newest.get(each.url.href)
      if (!other || other.key < each.key) newest.set(each.url.href, each)
    }
  return [...newest.values()].sort((one, other) => (one.key < other.key ? -1 : 1))
}
