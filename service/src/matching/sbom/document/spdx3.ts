// Reads the packages in SPDX 3.0 JSON-LD. Only the compact form with the specification's own context is supported, and
// the context is never downloaded.
import { isObject, readMember } from '../../../contract/request/body.ts'
import { notExpected, notSupported } from './document-error.ts'
import {
  type Entry,
  INVALID_ENTRY,
  type JsonObject,
  readObjects,
  readText,
  readTexts,
  type SbomContent,
} from './entry.ts'
import { readBuiltFrom } from './properties.ts'
import { markRoot } from './root-package.ts'

export const SPDX_3_CONTEXTS = [
  'https://spdx.org/rdf/3.0.0/spdx-context.jsonld',
  'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
]

export function readSpdx3(document: JsonObject, path: string): SbomContent {
  const context = readMember(document, '@context')
  if (typeof context !== 'string' || !SPDX_3_CONTEXTS.includes(context))
    throw notSupported(`${path}@context`, context, SPDX_3_CONTEXTS)
  const graph = readMember(document, '@graph')
  if (!Array.isArray(graph)) throw notExpected(`${path}@graph`, graph, 'an array of elements')
  const elements = graph.filter(isObject)
  const names = new Map(elements.map((each) => [readText(each, 'spdxId'), readText(each, 'name')]))
  const entries = elements
    .filter((each) => readText(each, 'type') === 'software_Package')
    .map((each) => toEntry(each, names))
  // An item that is not an object may stand for a package, so it is counted as skipped.
  const invalid = Array.from({ length: graph.length - elements.length }, () => INVALID_ENTRY)
  const roots = elements.filter((each) => ['SpdxDocument', 'software_Sbom'].includes(readText(each, 'type') ?? ''))
  const main = elements.find((each) => readText(each, 'type') === 'SpdxDocument')
  return {
    format: 'spdx',
    specVersion: /\d\.\d\.\d/.exec(context)?.[0] ?? '3.0',
    serial: (main && readText(main, 'spdxId')) ?? null,
    entries: [...markRoot(entries, new Set(roots.flatMap((each) => readTexts(each, 'rootElement')))), ...invalid],
  }
}

const KINDS: Readonly<Record<string, Entry['kind']>> = { file: 'file', operatingSystem: 'operating_system' }

const PURL_TYPES = ['packageUrl', 'purl']
const CPE_TYPES = ['cpe23', 'cpe22']

function toEntry(each: JsonObject, names: ReadonlyMap<string | undefined, string | undefined>): Entry {
  const identifiers = readObjects(each, 'externalIdentifier').map((identifier) => ({
    type: readText(identifier, 'externalIdentifierType') ?? '',
    text: readText(identifier, 'identifier') ?? '',
  }))
  const select = (types: readonly string[]) =>
    identifiers.filter(({ type }) => types.includes(type)).map(({ text }) => text)
  const purl = readText(each, 'software_packageUrl')
  const supplier = readText(each, 'suppliedBy')
  return {
    ref: readText(each, 'spdxId'),
    kind: KINDS[readText(each, 'software_primaryPurpose') ?? ''] ?? 'software',
    purls: [...(purl === undefined ? [] : [purl]), ...select(PURL_TYPES)],
    cpes: select(CPE_TYPES),
    vendor: supplier === undefined ? undefined : names.get(supplier),
    name: readText(each, 'name'),
    version: readText(each, 'software_packageVersion'),
    source: readBuiltFrom(readText(each, 'software_sourceInfo')),
  }
}
