// Reads the packages in SPDX 2.2 and 2.3, which name what is read alike. Files and snippets are ignored.
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

/** Microsoft's sbom-tool writes 2.2. */
export const SPDX_2_VERSIONS = ['SPDX-2.2', 'SPDX-2.3']

export function readSpdx2(document: JsonObject, path: string): SbomContent {
  const version = readMember(document, 'spdxVersion')
  if (typeof version !== 'string' || !SPDX_2_VERSIONS.includes(version))
    throw notSupported(`${path}spdxVersion`, version, SPDX_2_VERSIONS)
  const packages = readMember(document, 'packages') ?? []
  if (!Array.isArray(packages)) throw notExpected(`${path}packages`, packages, 'an array of packages')
  const entries = packages.map((each: unknown) => (isObject(each) ? toEntry(each) : INVALID_ENTRY))
  return {
    format: 'spdx',
    specVersion: version.replace('SPDX-', ''),
    serial: readText(document, 'documentNamespace') ?? null,
    entries: markRoot(entries, listDescribed(document)),
  }
}

function listDescribed(document: JsonObject): ReadonlySet<string> {
  const described = readObjects(document, 'relationships').flatMap((each) => {
    const [from, type, to] = ['spdxElementId', 'relationshipType', 'relatedSpdxElement'].map((name) =>
      readText(each, name),
    )
    if (type === 'DESCRIBES' && from === 'SPDXRef-DOCUMENT') return to ?? []
    return type === 'DESCRIBED_BY' && to === 'SPDXRef-DOCUMENT' ? (from ?? []) : []
  })
  return new Set([...readTexts(document, 'documentDescribes'), ...described])
}

/** Matches for example `Organization: Example (info@example.com)`. */
const SUPPLIER = /^(?:Organization|Person): *([^(]+)/

function toEntry(each: JsonObject): Entry {
  const references = readObjects(each, 'externalRefs').map((reference) => ({
    type: readText(reference, 'referenceType'),
    locator: readText(reference, 'referenceLocator') ?? '',
  }))
  const select = (...types: readonly string[]) =>
    references.filter(({ type = '' }) => types.includes(type)).map(({ locator }) => locator)
  return {
    ref: readText(each, 'SPDXID'),
    kind: readKind(each),
    purls: select('purl'),
    cpes: select('cpe23Type', 'cpe22Type'),
    vendor: SUPPLIER.exec(readText(each, 'supplier') ?? '')?.[1]?.trim(),
    name: readText(each, 'name'),
    version: readText(each, 'versionInfo'),
    source: readBuiltFrom(readText(each, 'sourceInfo')),
  }
}

function readKind(each: JsonObject): Entry['kind'] {
  const purpose = readText(each, 'primaryPackagePurpose')
  if (purpose === 'OPERATING-SYSTEM' || purpose === 'OPERATING_SYSTEM') return 'operating_system'
  return purpose === 'FILE' || (purpose === 'APPLICATION' && isLockFile(each)) ? 'file' : 'software'
}

/**
 * Trivy lists the lock file in which it found packages as an application; the packages have their own entries. It
 * wrote the class as an attribution text before it wrote annotations.
 */
function isLockFile(each: JsonObject): boolean {
  const comments = readObjects(each, 'annotations').map((annotation) => readText(annotation, 'comment'))
  return [...comments, ...readTexts(each, 'attributionTexts')].includes('Class: lang-pkgs')
}
