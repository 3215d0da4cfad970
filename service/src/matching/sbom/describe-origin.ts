// Describes for a line of the fix plan which direct dependencies of the document's software bring a component in.
import type { DescribeOrigin } from '../answer/fix-plan.ts'
import { type Container, findDependencyPaths, MAX_DIRECT } from './document/dependency-paths.ts'
import type { Sbom } from './document/read-sbom.ts'

/** A longer path is answered with its first and its last entries. */
const MAX_PATH = 20

interface NamedEntry {
  readonly index: number | undefined
  readonly name: string
  readonly version: string | null
}

export function createOriginDescriber({ graph, components, skipped, root }: Sbom): DescribeOrigin {
  const entries = new Map<string, NamedEntry>()
  const containers = new Map<string, Container>(root?.ref === undefined ? [] : [[root.ref, 'root']])
  for (const { ref, index, label } of [...components, ...skipped])
    if (ref !== undefined) entries.set(ref, { index, name: label.name, version: label.version ?? null })
  for (const { ref, nature } of skipped) if (ref !== undefined && nature !== undefined) containers.set(ref, nature)
  const paths = findDependencyPaths(graph, containers)
  const name = (ref: string): NamedEntry => entries.get(ref) ?? { index: undefined, name: '', version: null }
  return (refs) => {
    const found = refs.map((ref) => paths.findPath(ref)).filter((path) => path !== undefined)
    const [first, ...others] = found
    const shortest = first && others.reduce((best, path) => (path.length < best.length ? path : best), first)
    const direct = [...new Set(refs.flatMap((ref) => paths.listDirect(ref)))]
    return {
      path: shortest === undefined ? null : shorten(shortest).map(name),
      direct_dependencies: direct.slice(0, MAX_DIRECT).map(name),
    }
  }
}

function shorten(path: readonly string[]): readonly string[] {
  return path.length <= MAX_PATH ? path : [...path.slice(0, MAX_PATH / 2), ...path.slice(-MAX_PATH / 2)]
}
