// Finds by which direct dependencies a component gets into the software that a document describes.
import type { DependencyGraph, Edge } from './dependency-graph.ts'

export interface DependencyPaths {
  /**
   * Returns the shortest path from a direct dependency to an entry, both included, or undefined if the document does
   * not show one.
   */
  findPath(ref: string): readonly string[] | undefined
  /** Returns the first MAX_DIRECT direct dependencies that bring an entry in. */
  listDirect(ref: string): readonly string[]
}

export const MAX_DIRECT = 10

export type Container = 'root' | 'file' | 'operating_system'

/**
 * `containers`: entries that are no dependency themselves. A lock file (`file`) names what the software depends on, and
 * the operating system contains its packages.
 */
export function findDependencyPaths(
  graph: DependencyGraph,
  containers: ReadonlyMap<string, Container>,
): DependencyPaths {
  const next = groupEdges(graph.dependencies)
  const direct = listDirectDependencies(graph, containers)
  const parents = findParents(direct, next)
  const origins = findOrigins(direct, next)
  return {
    findPath: (ref) => {
      if (!parents.has(ref)) return undefined
      const path: string[] = []
      for (let at: string | undefined = ref; at !== undefined; at = parents.get(at)) path.push(at)
      return path.toReversed()
    },
    listDirect: (ref) => origins.get(ref) ?? [],
  }
}

type Edges = ReadonlyMap<string, readonly string[]>

function groupEdges(edges: readonly Edge[]): Edges {
  const grouped = new Map<string, string[]>()
  for (const [from, to] of edges) {
    const known = grouped.get(from)
    if (known === undefined) grouped.set(from, [to])
    else known.push(to)
  }
  return grouped
}

/**
 * Lists the dependencies of the root and of lock files, and what the root or the operating system contains although
 * nothing depends on it. Without either, lists all entries on which nothing depends. Containment alone shows no
 * dependencies.
 */
function listDirectDependencies(
  { dependencies, contents }: DependencyGraph,
  containers: ReadonlyMap<string, Container>,
): readonly string[] {
  const [direct, contained, needed, needing] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ]
  for (const [from, to] of dependencies) {
    const container = containers.get(from)
    const list = container === undefined ? needed : container === 'operating_system' ? contained : direct
    if (!containers.has(to)) list.add(to)
    if (container === undefined) needing.add(from)
  }
  for (const [from, to] of contents) if (containers.has(from) && !containers.has(to)) contained.add(to)
  if (direct.size === 0 && needing.size === 0) return []
  const isFree = (ref: string) => !needed.has(ref)
  const outer = [...direct, ...[...contained].filter(isFree)]
  return outer.length > 0 ? outer : [...needing].filter(isFree)
}

/** Maps each reachable entry to the one before it on the shortest path; undefined for a direct dependency. */
function findParents(direct: readonly string[], next: Edges): ReadonlyMap<string, string | undefined> {
  const parents = new Map<string, string | undefined>(direct.map((ref) => [ref, undefined]))
  // A map lists what is added while it is iterated, so this is a breadth-first search.
  for (const ref of parents.keys()) for (const to of next.get(ref) ?? []) if (!parents.has(to)) parents.set(to, ref)
  return parents
}

/**
 * Visits each entry at most MAX_DIRECT times. An entry that has enough origins is not visited again: what comes after
 * it already has them all.
 */
function findOrigins(direct: readonly string[], next: Edges): ReadonlyMap<string, readonly string[]> {
  const origins = new Map<string, string[]>()
  for (const start of new Set(direct)) {
    const seen = new Set([start])
    for (const ref of seen) {
      const known = origins.get(ref) ?? []
      if (known.length >= MAX_DIRECT) continue
      origins.set(ref, [...known, start])
      for (const to of next.get(ref) ?? []) seen.add(to)
    }
  }
  return origins
}
