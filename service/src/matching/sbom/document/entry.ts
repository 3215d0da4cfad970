// A CycloneDX component or an SPDX package in a common form.
import { isObject, readMember } from '../../../contract/request/body.ts'

export interface Entry {
  /** The entry's bom-ref, SPDXID or spdxId. */
  readonly ref: string | undefined
  readonly kind: 'software' | 'operating_system' | 'file' | 'root' | 'invalid'
  readonly purls: readonly string[]
  readonly cpes: readonly string[]
  readonly vendor: string | undefined
  readonly name: string | undefined
  readonly version: string | undefined
  /** The source package of a distribution's package, if the document states it. */
  readonly source?: SourcePackage | undefined
  /** The code name of an operating system's release, such as `bookworm`. */
  readonly codeName?: string | undefined
}

export interface SourcePackage {
  /** For a package of the type RPM, also the file name of the source package, such as `openssl-3.0.7-1.el9.src.rpm`. */
  readonly name: string
  readonly version: string | undefined
}

export interface SbomContent {
  readonly format: 'cyclonedx' | 'spdx'
  readonly specVersion: string
  readonly serial: string | null
  readonly entries: readonly Entry[]
  /** The described software, if it is not among the entries: CycloneDX's `metadata.component`. */
  readonly root?: Entry | undefined
}

/** Stands for a list item that is not an object, so that later items keep their positions. */
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

/** Values with which SPDX states that nothing is known. */
const NOTHING: readonly string[] = ['', 'NOASSERTION', 'NONE']

/** A value of another type counts as absent. */
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

/** A value of another type counts as an empty list. */
export function readObjects(object: JsonObject, name: string): readonly JsonObject[] {
  const value = readMember(object, name)
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function readTexts(object: JsonObject, name: string): readonly string[] {
  const value = readMember(object, name)
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
