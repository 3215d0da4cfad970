import { type JsonObject, readText } from './entry.ts'

const SBOM_PREDICATES = /^https:\/\/(?:spdx\.dev\/Document|cyclonedx\.org\/bom)/

/** BuildKit writes the SBOM as an attestation: a statement of in-toto with the document as its predicate. */
export function isSbomStatement(document: JsonObject): boolean {
  return SBOM_PREDICATES.test(readText(document, 'predicateType') ?? '')
}
