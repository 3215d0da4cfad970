// Finds the advisories of several databases that are about the same vulnerability without a CVE (decision E32).
import { compareText } from '../resolve/precedence.ts'

export interface NamedAdvisory {
  readonly id: string
  /** The feed, such as `ghsa` or `osv-go`. */
  readonly feed: string
  /** Ids that the advisory's database calls the same vulnerability, also of CVEs that are not published. */
  readonly aliases: readonly string[]
}

/** The first advisory of a group gives it its id: GitHub's, else the one with the lowest id. */
export function groupAdvisories<T extends NamedAdvisory>(advisories: readonly T[]): readonly (readonly T[])[] {
  const parents = new Map<string, string>()
  const findRoot = (id: string): string => {
    let root = id
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent
    return root
  }
  for (const { id, aliases } of advisories)
    for (const alias of aliases) {
      const [root, other] = [findRoot(id), findRoot(alias)]
      if (root !== other) parents.set(other, root)
    }
  const groups = Map.groupBy(advisories, ({ id }) => findRoot(id))
  return [...groups.values()].map((group) => group.toSorted(compareLeading))
}

function compareLeading(a: NamedAdvisory, b: NamedAdvisory): number {
  return Number(b.feed === 'ghsa') - Number(a.feed === 'ghsa') || compareText(a.id, b.id)
}
