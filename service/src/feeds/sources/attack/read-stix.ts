// A STIX 2.1 bundle: one JSON object around one list of objects of many types, of which we want the attack patterns.
import { Type } from 'typebox'
import { parseDateTime } from '../../../domain/instant.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { openFile } from '../../formats/decompress.ts'
import { cutElements } from '../../formats/json-elements.ts'
import { shapeOf } from '../../schema-check.ts'
import type { RawPattern } from './pattern.ts'

export interface StixRelease {
  readonly version: string
  readonly at: Date
}

/** Ten times what the larger of the two is today. */
const MAX_BYTES = 512 * 1024 * 1024
const MAX_OBJECT_BYTES = 4 * 1024 * 1024

const TYPED = shapeOf(Type.Object({ type: Type.String() }))
const OBJECT = shapeOf(
  Type.Object({
    modified: Type.String(),
    x_mitre_version: Type.Optional(Type.String({ maxLength: 50 })),
    x_capec_version: Type.Optional(Type.String({ maxLength: 50 })),
  }),
)

/** Reads the whole file: a bundle has no date of its own, and is as young as the youngest object in it. */
export async function readStixRelease(path: string): Promise<StixRelease> {
  let [version, at, patterns] = ['', new Date(0), 0]
  for await (const each of readObjects(path)) {
    const said = 'raw' in each ? each.raw : undefined
    if (isOfType(said, 'attack-pattern')) patterns += 1
    if (!OBJECT.fits(said)) continue
    const modified = parseDateTime(said.modified)
    if (modified && modified > at) at = modified
    // ATT&CK has an object for the release as such; CAPEC names it with each pattern.
    version = (isOfType(said, 'x-mitre-collection') ? said.x_mitre_version : said.x_capec_version) ?? version
  }
  if (patterns === 0) throw new FeedError('The STIX bundle cannot be used: there is not one attack pattern in it.')
  if (at.getTime() === 0) throw new FeedError('The STIX bundle cannot be used: none of its objects says of when it is.')
  return { version, at }
}

export async function* readPatterns(
  path: string,
  onBytes?: (count: number) => void,
): AsyncGenerator<Reading<RawPattern>, void, undefined> {
  for await (const each of readObjects(path, onBytes)) {
    if (!('raw' in each)) yield each
    else if (isOfType(each.raw, 'attack-pattern')) yield { raw: { form: 'stix', said: each.raw } }
  }
}

async function* readObjects(path: string, onBytes?: (count: number) => void): AsyncGenerator<Reading<unknown>> {
  try {
    const chunks = openFile(path, { maxBytes: MAX_BYTES }, onBytes)
    const bundle = await cutElements(chunks, { member: 'objects', maxElementBytes: MAX_OBJECT_BYTES })
    yield* bundle.elements
    if (!isOfType(bundle.members(), 'bundle')) throw new FeedError('its type is not "bundle"')
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    throw new FeedError(`The STIX bundle cannot be used: ${error.message}.`, { cause: error })
  }
}

function isOfType(said: unknown, type: string): boolean {
  return TYPED.fits(said) && said.type === type
}
