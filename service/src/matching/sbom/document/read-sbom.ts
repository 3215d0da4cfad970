import { isObject, readMember } from '../../../contract/request/body.ts'
import { MAX_SBOM_COMPONENTS } from '../../../contract/sbom.ts'
import { isSbomStatement } from './attestation.ts'
import { CYCLONEDX_VERSIONS, readCycloneDx } from './cyclonedx.ts'
import { type DependencyGraph, readDependencyGraph } from './dependency-graph.ts'
import { compareSystems, findDistribution } from './distribution.ts'
import { documentIssue, notSupported } from './document-error.ts'
import type { JsonObject, SbomContent } from './entry.ts'
import { type NamedComponent, nameComponent, type SkippedEntry } from './name-component.ts'
import { readSpdx2, SPDX_2_VERSIONS } from './spdx2.ts'
import { readSpdx3, SPDX_3_CONTEXTS } from './spdx3.ts'

/** Includes files: documents list them in large numbers, but they are not compared. */
const MAX_ENTRIES = 50_000

export interface Sbom extends Omit<SbomContent, 'entries'> {
  readonly components: readonly NamedComponent[]
  readonly skipped: readonly SkippedEntry[]
  readonly graph: DependencyGraph
}

/** `path` is the document's path in the body followed by a dot, or empty. */
export function readSbom(document: unknown, path: string): Sbom {
  const { entries: all, ...about } = readContent(document, path)
  const entries = compareSystems(all)
  const distribution = findDistribution(about.root === undefined ? all : [about.root, ...all])
  const listName = about.format === 'cyclonedx' ? 'components' : 'packages'
  const compared = entries.filter(({ kind }) => kind !== 'file').length
  if (compared > MAX_SBOM_COMPONENTS) throw tooMany(`${path}${listName}`, compared, MAX_SBOM_COMPONENTS, listName)
  if (entries.length > MAX_ENTRIES) throw tooMany(`${path}${listName}`, entries.length, MAX_ENTRIES, 'entries')
  const components: NamedComponent[] = []
  const skipped: SkippedEntry[] = []
  for (const [index, entry] of entries.entries()) {
    const named = nameComponent(entry, index, distribution)
    if ('why' in named) skipped.push(named)
    else components.push(named)
  }
  return { ...about, components, skipped, graph: readDependencyGraph(document) }
}

const ALLOWED = [
  `CycloneDX ${CYCLONEDX_VERSIONS.join(', ')} as JSON (bomFormat and specVersion)`,
  `${SPDX_2_VERSIONS.join(', ')} as JSON (spdxVersion)`,
  `SPDX 3.0 as JSON-LD (@context ${SPDX_3_CONTEXTS.join(' or ')})`,
]

function readContent(document: unknown, path: string): SbomContent {
  if (isObject(document)) {
    if (hasMember(document, 'bomFormat')) {
      const format = readMember(document, 'bomFormat')
      if (format !== 'CycloneDX') throw notSupported(`${path}bomFormat`, format, ['CycloneDX'])
      return readCycloneDx(document, path)
    }
    if (hasMember(document, 'spdxVersion')) return readSpdx2(document, path)
    if (hasMember(document, '@context') || hasMember(document, '@graph')) return readSpdx3(document, path)
    if (isSbomStatement(document)) return readContent(readMember(document, 'predicate'), `${path}predicate.`)
  }
  throw documentIssue(path === '' ? 'body' : path.slice(0, -1), ALLOWED.join('; '), NOT_RECOGNISED)
}

const NOT_RECOGNISED = `is neither a CycloneDX nor an SPDX document in JSON; allowed are ${ALLOWED.join('; ')}`

const hasMember = (document: JsonObject, name: string) => readMember(document, name) !== undefined

function tooMany(path: string, count: number, limit: number, what: string) {
  return documentIssue(path, `at most ${limit} ${what}`, `may have at most ${limit} ${what}; ${count} were sent`)
}
