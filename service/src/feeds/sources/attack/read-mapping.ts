// Mappings in the form of the Center for Threat-Informed Defense: one JSON object with one list.
import { Type } from 'typebox'
import { parseDate } from '../../../domain/instant.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { openFile } from '../../formats/decompress.ts'
import { cutElements } from '../../formats/json-elements.ts'
import { shapeOf } from '../../schema-check.ts'

export interface MappingRelease {
  readonly version: string
  readonly at: Date
}

const MAX_BYTES = 64 * 1024 * 1024
const MAX_MAPPING_BYTES = 256 * 1024

const HEAD = shapeOf(
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
const NOT_MAPPABLE = shapeOf(Type.Object({ status: Type.Literal('non_mappable') }))

/** Reads the whole file: what it says of itself is only worth something if all of it is there. */
export async function readMappingRelease(path: string): Promise<MappingRelease> {
  const mappings = readMappings(path)
  for (;;) {
    const { done, value } = await mappings.next()
    if (done) return value
  }
}

export async function* readMappings(
  path: string,
  onBytes?: (count: number) => void,
): AsyncGenerator<Reading<unknown>, MappingRelease, undefined> {
  try {
    return yield* readToTheEnd(path, onBytes)
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    throw new FeedError(`The KEV to ATT&CK mapping cannot be used: ${error.message}.`, { cause: error })
  }
}

async function* readToTheEnd(
  path: string,
  onBytes?: (count: number) => void,
): AsyncGenerator<Reading<unknown>, MappingRelease, undefined> {
  const chunks = openFile(path, { maxBytes: MAX_BYTES }, onBytes)
  const document = await cutElements(chunks, { member: 'mapping_objects', maxElementBytes: MAX_MAPPING_BYTES })
  let length = 0
  for await (const each of document.elements) {
    length += 1
    // Somebody looked, and found no technique: that is no mapping, and no fault either.
    if (!('raw' in each && NOT_MAPPABLE.fits(each.raw))) yield each
  }
  if (length === 0) throw new FeedError('it has no mappings, and there were never fewer than hundreds')
  return readHead(document.members())
}

function readHead(members: Readonly<Record<string, unknown>>): MappingRelease {
  if (!HEAD.fits(members)) throw new FeedError(HEAD.fault(members))
  const { metadata } = members
  const about = `${metadata.mapping_framework} and ${metadata.technology_domain}`
  // There are others in the same form, for other catalogues of controls and for telephones.
  if (about !== 'kev and enterprise')
    throw new FeedError(`it is about ${about.slice(0, 100)}, not about kev and enterprise`)
  const at = parseDate(metadata.last_update.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, '$3-$1-$2'))
  if (!at) throw new FeedError(`its last_update is no day: "${metadata.last_update.slice(0, 50)}"`)
  return { version: `${metadata.mapping_framework_version}, ATT&CK ${metadata.attack_version}`, at }
}
