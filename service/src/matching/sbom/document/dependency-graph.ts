// Reads which entry of a document depends on which. References that are too long to be answered, or that no entry has,
// do no harm: nobody asks for their paths.
import { isObject, readMember } from '../../../contract/request/body.ts'
import { isSbomStatement } from './attestation.ts'
import { type JsonObject, readObjects, readText, readTexts } from './entry.ts'

/** Refs of entries are bom-ref, SPDXID or spdxId. */
export interface DependencyGraph {
  /** Pairs of an entry and one that it depends on. */
  readonly dependencies: readonly Edge[]
  /** Pairs of an entry and one that it contains: an image and its packages, for example. */
  readonly contents: readonly Edge[]
}

export type Edge = readonly [from: string, to: string]

/** Takes a document that readSbom accepts. */
export function readDependencyGraph(document: unknown): DependencyGraph {
  if (!isObject(document)) return { dependencies: [], contents: [] }
  if (isSbomStatement(document)) return readDependencyGraph(readMember(document, 'predicate'))
  if (readMember(document, 'bomFormat') !== undefined) return readCycloneDx(document)
  return readMember(document, 'spdxVersion') === undefined ? readSpdx3(document) : readSpdx2(document)
}

function readCycloneDx(document: JsonObject): DependencyGraph {
  const dependencies = readObjects(document, 'dependencies').flatMap((each) => {
    const from = readText(each, 'ref')
    return from === undefined ? [] : readTexts(each, 'dependsOn').map((to): Edge => [from, to])
  })
  return { dependencies, contents: [] }
}

type Meaning = 'depends_on' | 'dependency_of' | 'contains' | 'contained_by'

const SPDX_2_TYPES: Readonly<Record<string, Meaning>> = {
  DEPENDS_ON: 'depends_on',
  HAS_PREREQUISITE: 'depends_on',
  STATIC_LINK: 'depends_on',
  DYNAMIC_LINK: 'depends_on',
  PREREQUISITE_FOR: 'dependency_of',
  CONTAINS: 'contains',
  CONTAINED_BY: 'contained_by',
}

/** DEPENDENCY_OF, and its forms for one purpose: DEV_DEPENDENCY_OF, OPTIONAL_DEPENDENCY_OF and others. */
const DEPENDENCY_OF = /^(?:[A-Z]+_)?DEPENDENCY_OF$/

const SPDX_3_TYPES: Readonly<Record<string, Meaning>> = {
  dependsOn: 'depends_on',
  hasPrerequisite: 'depends_on',
  hasOptionalDependency: 'depends_on',
  hasProvidedDependency: 'depends_on',
  hasDynamicLink: 'depends_on',
  hasStaticLink: 'depends_on',
  contains: 'contains',
}

interface Relationship {
  readonly from: string
  readonly meaning: Meaning
  readonly to: string
}

function readSpdx2(document: JsonObject): DependencyGraph {
  const relationships = readObjects(document, 'relationships').flatMap((each): Relationship[] => {
    const [from, type = '', to] = ['spdxElementId', 'relationshipType', 'relatedSpdxElement'].map((name) =>
      readText(each, name),
    )
    const meaning = DEPENDENCY_OF.test(type) ? 'dependency_of' : findMeaning(SPDX_2_TYPES, type)
    return from === undefined || to === undefined || meaning === undefined ? [] : [{ from, meaning, to }]
  })
  return toGraph(relationships)
}

function readSpdx3(document: JsonObject): DependencyGraph {
  const relationships = readObjects(document, '@graph').flatMap((each): Relationship[] => {
    const from = readText(each, 'from')
    const meaning = findMeaning(SPDX_3_TYPES, readText(each, 'relationshipType') ?? '')
    return from === undefined || meaning === undefined ? [] : readTexts(each, 'to').map((to) => ({ from, meaning, to }))
  })
  return toGraph(relationships)
}

function findMeaning(types: Readonly<Record<string, Meaning>>, type: string): Meaning | undefined {
  return Object.hasOwn(types, type) ? types[type] : undefined
}

function toGraph(relationships: readonly Relationship[]): DependencyGraph {
  const select = (forward: Meaning, backward: Meaning) =>
    relationships.flatMap(({ from, meaning, to }): Edge[] => {
      if (meaning === forward) return [[from, to]]
      return meaning === backward ? [[to, from]] : []
    })
  return { dependencies: select('depends_on', 'dependency_of'), contents: select('contains', 'contained_by') }
}
