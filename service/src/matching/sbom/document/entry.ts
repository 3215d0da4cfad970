// An entry of an SBOM: a component of CycloneDX or a package of SPDX, in the form that all formats share.
import { isObject, readMember } from '../../../contract/request/body.ts'

export interface Entry {
  /** Identifier of the entry in the document: bom-ref, SPDXID or spdxId. */
  readonly ref: string | undefined
  readonly kind: 'software' | 'operating_system' | 'file' | 'root' | 'invalid'
  readonly purls: readonly string[]
  readonly cpes: readonly string[]
  readonly vendor: string | undefined
  readonly name: string | undefined
  readonly version: string | undefined
  /** Source package from which a package of a distribution is built, with its version, if the document states it. */
  readonly source?: SourcePackage | undefined
}

export interface SourcePackage {
  readonly name: string
  readonly version: string | undefined
}

export interface SbomContent {
  readonly format: 'cyclonedx' | 'spdx'
  readonly specVersion: string
  /** Identifier of the document; null if it has none. */
  readonly serial: string | null
  readonly entries: readonly Entry[]
  /** The software that the document describes, if it is no entry: `metadata.component` of CycloneDX. */
  readonly root?: Entry | undefined
}

/** The value of a list item that is no object. It keeps the positions of the items after it. */
export const INVALID_ENTRY: Entry = {
  ref: undefined,
  kind: 'invalid',
  purls: [],
  cpes: [],
  vendor: undefined,
  name: undefined,
  version: undefined,
}

export type JsonObject = Readonly<Record<string, unknown>>

/** Values with which SPDX documents say that nothing is known. */
const NOTHING: readonly string[] = ['', 'NOASSERTION', 'NONE']

/** Returns the text of a member. A value of another type counts as absent. */
export function readText(object: JsonObject, name: string): string | undefined {
  const value = readMember(object, name)
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return NOTHING.includes(trimmed) ? undefined : trimmed
}

export function readObject(object: JsonObject, name: string): JsonObject | undefined {
  const value = readMember(object, name)
  return isObject(value) ? value : undefined
}

/** Returns the items of a list that are objects. A value of another type counts as an empty list. */
export function readObjects(object: JsonObject, name: string): readonly JsonObject[] {
  const value = readMember(object, name)
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Returns the items of a list that are texts. */
export function readTexts(object: JsonObject, name: string): readonly string[] {
  const value = readMember(object, name)
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
