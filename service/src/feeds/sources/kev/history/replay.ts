// Determines which entries each release of the KEV catalog added, changed or removed.
import { isDeepStrictEqual } from 'node:util'
import { FeedError } from '../../../feed.ts'
import type { Entry, Release } from './releases.ts'

export interface PastEntry {
  readonly entry: Entry
  readonly releasedAt: Date
  /** True if the release lacks the entry; `entry` is then its last state. */
  readonly isRemoved: boolean
}

/** 30 times the size of all states up to 2026. Without a limit, small changes to a huge entry could fill the disk. */
const MAX_CHARACTERS = 256 * 1024 * 1024

/** Throws a FeedError if the releases are out of order or state a wrong number of entries. */
export async function* replayReleases(releases: AsyncIterable<Release>): AsyncGenerator<PastEntry, void, undefined> {
  const entries = new Map<string, Entry>()
  let [before, characters] = [new Date(0), 0]
  for await (const release of releases) {
    const { version, releasedAt, count } = release
    if (releasedAt <= before) throw new FeedError(`release ${version} is not newer than the line before it`)
    before = releasedAt
    for (const { entry, isRemoved } of listChanges(entries, release)) {
      if (isRemoved) entries.delete(entry.cveID)
      else entries.set(entry.cveID, entry)
      characters += JSON.stringify(entry).length
      if (characters > MAX_CHARACTERS) throw new FeedError(`the changes have more than ${MAX_CHARACTERS} characters`)
      yield { entry, releasedAt, isRemoved }
    }
    if (entries.size !== count)
      throw new FeedError(
        `release ${version} has ${count} entries by its count, but ${entries.size} by the lines so far`,
      )
  }
}

type Change = Omit<PastEntry, 'releasedAt'>

function listChanges(entries: ReadonlyMap<string, Entry>, release: Release): readonly Change[] {
  const { vulnerabilities, added, changed, removed } = release
  if (vulnerabilities) return compareAll(entries, vulnerabilities)
  return [
    ...added.map((entry) => ({ entry, isRemoved: false })),
    ...changed.map(({ cveID, now }) => ({
      entry: { ...findEntry(entries, cveID, release), ...now, cveID },
      isRemoved: false,
    })),
    ...removed.map((id) => ({ entry: findEntry(entries, id, release), isRemoved: true })),
  ]
}

function compareAll(entries: ReadonlyMap<string, Entry>, listed: readonly Entry[]): readonly Change[] {
  const ids = new Set(listed.map(({ cveID }) => cveID))
  return [
    ...listed
      .filter((entry) => !isDeepStrictEqual(entry, entries.get(entry.cveID)))
      .map((entry) => ({ entry, isRemoved: false })),
    ...[...entries.values()].filter(({ cveID }) => !ids.has(cveID)).map((entry) => ({ entry, isRemoved: true })),
  ]
}

function findEntry(entries: ReadonlyMap<string, Entry>, id: string, { version }: Release): Entry {
  const entry = entries.get(id)
  if (!entry) throw new FeedError(`release ${version} changes or removes ${id}, which no line before it has`)
  return entry
}
