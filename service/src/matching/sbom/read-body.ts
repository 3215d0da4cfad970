// The body of a scan is either the document itself, or an object with the document and the hits that the caller has
// already assessed.
import { isObject, readMember } from '../../contract/request/body.ts'
import { createUnknownNameIssue } from '../../contract/request/validation-issue.ts'
import { invalidParameters } from '../../contract/response/errors.ts'
import type { Suppression } from '../suppress.ts'
import type { JsonObject } from './document/entry.ts'
import { readSbom, type Sbom } from './document/read-sbom.ts'
import { readSuppressions } from './suppressions.ts'

const MEMBERS = ['document', 'suppress']
const DOCUMENT_MEMBERS = ['bomFormat', 'spdxVersion', '@context', '@graph']

interface ScanBody {
  readonly sbom: Sbom
  readonly suppressions: readonly Suppression[]
}

export function readScanBody(body: unknown): ScanBody {
  if (!isObject(body) || !isWrapper(body)) return { sbom: readSbom(body, ''), suppressions: [] }
  const [first, ...rest] = Object.keys(body)
    .filter((name) => !MEMBERS.includes(name))
    .slice(0, 10)
    .map((name) => createUnknownNameIssue(name, null, MEMBERS, { kind: 'body field', owner: 'this endpoint' }))
  if (first) throw invalidParameters([first, ...rest])
  return {
    sbom: readSbom(readMember(body, 'document'), 'document.'),
    suppressions: readSuppressions(readMember(body, 'suppress')),
  }
}

function isWrapper(body: JsonObject): boolean {
  const has = (name: string) => Object.hasOwn(body, name)
  return MEMBERS.some(has) && !DOCUMENT_MEMBERS.some(has)
}
