// Parser for the mapping of KEV to ATT&CK by the Center for Threat-Informed Defense: a JSON object with a single list.
import { Type } from 'typebox'
import { parseDate } from '../../../domain/instant.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { readDecompressed } from '../../formats/decompress.ts'
import { nameErrors } from '../../formats/file-error.ts'
import { readJsonElements, readToEnd } from '../../formats/json-elements.ts'
import { compileSchema } from '../../schema-check.ts'

export interface MappingRelease {
  readonly version: string
  readonly at: Date
}

const MAX_BYTES = 64 * 1024 * 1024
const MAX_MAPPING_BYTES = 256 * 1024

const HEADER = compileSchema(
  Type.Object({
    metadata: Type.Object({
      mapping_framework: Type.String(),
      mapping_framework_version: Type.String({ maxLength: 50 }),
      technology_domain: Type.String(),
      attack_version: Type.String({ maxLength: 50 }),
      last_update: Type.String(),
    }),
  }),
)
const NON_MAPPABLE = compileSchema(Type.Object({ status: Type.Literal('non_mappable') }))

/** Reads the whole mapping file, so that a truncated file is detected before any mapping is stored. */
export function readMappingRelease(path: string): Promise<MappingRelease> {
  return readToEnd(readMappings(path))
}

export function readMappings(path: string, onBytes?: (count: number) => void) {
  return nameErrors('The KEV to ATT&CK mapping', readAllMappings(path, onBytes))
}

async function* readAllMappings(
  path: string,
  onBytes?: (count: number) => void,
): AsyncGenerator<Reading<unknown>, MappingRelease, undefined> {
  const chunks = readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes)
  const document = await readJsonElements(chunks, { member: 'mapping_objects', maxElementBytes: MAX_MAPPING_BYTES })
  let length = 0
  for await (const each of document.elements) {
    length += 1
    // A CVE with the status non_mappable has no technique. Such an entry is neither a mapping nor an error.
    if (!('raw' in each && NON_MAPPABLE.matches(each.raw))) yield each
  }
  if (length === 0) throw new FeedError('it has no mappings')
  return parseHeader(document.members())
}

function parseHeader(members: Readonly<Record<string, unknown>>): MappingRelease {
  if (!HEADER.matches(members)) throw new FeedError(HEADER.describeMismatch(members))
  const { metadata } = members
  const subject = `${metadata.mapping_framework} and ${metadata.technology_domain}`
  // Mappings of catalogs other than KEV, and mappings for mobile devices, have the same file format.
  if (subject !== 'kev and enterprise')
    throw new FeedError(`it is a mapping of ${subject.slice(0, 100)}, expected kev and enterprise`)
  const at = parseDate(metadata.last_update.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, '$3-$1-$2'))
  if (!at) throw new FeedError(`its last_update is not a date: "${metadata.last_update.slice(0, 50)}"`)
  return { version: `${metadata.mapping_framework_version}, ATT&CK ${metadata.attack_version}`, at }
}
