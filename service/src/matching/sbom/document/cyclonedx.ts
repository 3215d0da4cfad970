// Reads CycloneDX. Nested components follow the one that contains them. `metadata.component` is usually the caller's
// own software, so only the components inside it are read.
import { isObject, readMember } from '../../../contract/request/body.ts'
import { documentIssue, notExpected, notSupported } from './document-error.ts'
import { type Entry, INVALID_ENTRY, type JsonObject, readObject, readText, type SbomContent } from './entry.ts'
import {
  isTrivyLockFile,
  type Properties,
  readCodeName,
  readFurtherCpes,
  readProperties,
  readSource,
} from './properties.ts'

export const CYCLONEDX_VERSIONS = ['1.4', '1.5', '1.6', '1.7']
const MAX_NESTING = 100

/** Types of components that are not software. */
const FILE_TYPES = ['file', 'data', 'cryptographic-asset']

/** `path` is the document's path in the body followed by a dot, or empty. */
export function readCycloneDx(document: JsonObject, path: string): SbomContent {
  const specVersion = readMember(document, 'specVersion')
  if (typeof specVersion !== 'string' || !CYCLONEDX_VERSIONS.includes(specVersion))
    throw notSupported(`${path}specVersion`, specVersion, CYCLONEDX_VERSIONS)
  const entries: Entry[] = []
  const root = readObject(readObject(document, 'metadata') ?? {}, 'component')
  if (root) addComponents(entries, readMember(root, 'components'), `${path}metadata.component.components`, 1)
  addComponents(entries, readMember(document, 'components'), `${path}components`, 1)
  const serial = readText(document, 'serialNumber') ?? null
  return { format: 'cyclonedx', specVersion, serial, entries, root: root && toEntry(root) }
}

function addComponents(entries: Entry[], list: unknown, path: string, level: number): void {
  if (list === undefined) return
  if (!Array.isArray(list)) throw notExpected(path, list, 'an array of components')
  if (level > MAX_NESTING)
    throw documentIssue(
      'components',
      `at most ${MAX_NESTING} levels`,
      `are nested more than ${MAX_NESTING} levels deep`,
    )
  for (const item of list) {
    if (!isObject(item)) {
      entries.push(INVALID_ENTRY)
      continue
    }
    entries.push(toEntry(item))
    addComponents(entries, readMember(item, 'components'), 'components', level + 1)
  }
}

function toEntry(component: JsonObject): Entry {
  const [purl, cpe] = [readText(component, 'purl'), readText(component, 'cpe')]
  const properties = readProperties(component)
  const supplier = readObject(component, 'supplier') ?? readObject(component, 'manufacturer') ?? {}
  return {
    ref: readText(component, 'bom-ref'),
    kind: readKind(component, properties),
    purls: purl === undefined ? [] : [purl],
    cpes: [...(cpe === undefined ? [] : [cpe]), ...readFurtherCpes(properties)],
    vendor: readText(supplier, 'name') ?? readText(component, 'publisher') ?? readText(component, 'group'),
    name: readText(component, 'name'),
    version: readText(component, 'version'),
    source: readSource(properties, readText(component, 'name')),
    codeName: readCodeName(properties),
  }
}

function readKind(component: JsonObject, properties: Properties): Entry['kind'] {
  const type = readText(component, 'type') ?? ''
  if (type === 'operating-system') return 'operating_system'
  const isLockFile = type === 'application' && isTrivyLockFile(properties)
  return FILE_TYPES.includes(type) || isLockFile ? 'file' : 'software'
}
