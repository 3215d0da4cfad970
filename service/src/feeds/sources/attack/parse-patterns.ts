// Parsers for attack patterns: from a STIX 2.1 bundle, which lists objects of many types, and from a plain JSON file.
import { Type } from 'typebox'
import { parseDateTime } from '../../../domain/instant.ts'
import { FeedError, type Reading } from '../../feed.ts'
import { readDecompressed, readWholeFile } from '../../formats/decompress.ts'
import { nameErrors } from '../../formats/file-error.ts'
import { readJsonElements } from '../../formats/json-elements.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { compileSchema, readMember } from '../../schema-check.ts'
import type { RawPattern } from './pattern.ts'

export interface StixRelease {
  readonly version: string
  readonly at: Date
}

/** Ten times the size of the larger bundle (of ATT&CK and CAPEC) in 2026. */
const MAX_BYTES = 512 * 1024 * 1024
const MAX_OBJECT_BYTES = 4 * 1024 * 1024

const TYPED_OBJECT = compileSchema(Type.Object({ type: Type.String() }))
const DATED_OBJECT = compileSchema(
  Type.Object({
    modified: Type.String(),
    x_mitre_version: Type.Optional(Type.String({ maxLength: 50 })),
    x_capec_version: Type.Optional(Type.String({ maxLength: 50 })),
  }),
)

/** A bundle has no date of its own, so the newest modification date of its objects is used. */
export async function readStixRelease(path: string): Promise<StixRelease> {
  let [version, at, patterns] = ['', new Date(0), 0]
  for await (const reading of readObjects(path)) {
    const object = 'raw' in reading ? reading.raw : undefined
    if (isOfType(object, 'attack-pattern')) patterns += 1
    if (!DATED_OBJECT.matches(object)) continue
    const modified = parseDateTime(object.modified)
    if (modified && modified > at) at = modified
    // An ATT&CK bundle has one object with the version; a CAPEC bundle repeats it in each pattern.
    version = (isOfType(object, 'x-mitre-collection') ? object.x_mitre_version : object.x_capec_version) ?? version
  }
  if (patterns === 0) throw new FeedError('The STIX bundle cannot be used: it contains no attack pattern.')
  if (at.getTime() === 0)
    throw new FeedError('The STIX bundle cannot be used: none of its objects has a modification date.')
  return { version, at }
}

export async function* readPatterns(
  path: string,
  onBytes?: (count: number) => void,
): AsyncGenerator<Reading<RawPattern>, void, undefined> {
  for await (const each of readObjects(path, onBytes)) {
    if (!('raw' in each)) yield each
    else if (isOfType(each.raw, 'attack-pattern')) yield { raw: { format: 'stix', object: each.raw } }
  }
}

const readObjects = (path: string, onBytes?: (count: number) => void) =>
  nameErrors('The STIX bundle', readBundle(path, onBytes))

async function* readBundle(
  path: string,
  onBytes?: (count: number) => void,
): AsyncGenerator<Reading<unknown>, void, undefined> {
  const chunks = readDecompressed(path, { maxBytes: MAX_BYTES }, onBytes)
  const bundle = await readJsonElements(chunks, { member: 'objects', maxElementBytes: MAX_OBJECT_BYTES })
  yield* bundle.elements
  if (!isOfType(bundle.members(), 'bundle')) throw new FeedError('its type is not "bundle"')
}

function isOfType(object: unknown, type: string): boolean {
  return TYPED_OBJECT.matches(object) && object.type === type
}

const MAX_PLAIN_BYTES = 32 * 1024 * 1024

/** The third-party file lists a pattern's weaknesses twice; only the list inside each pattern is used. */
export async function readPlainPatterns(
  path: string,
  member: 'capec' | 'attack_techniques',
): Promise<readonly RawPattern[]> {
  const parsed = parseRecord(await readWholeFile(path, { maxBytes: MAX_PLAIN_BYTES }))
  if ('error' in parsed) throw new FeedError(`capec_attack.json cannot be used: ${parsed.error}.`)
  const list = readMember(parsed.value, member)
  if (!Array.isArray(list) || list.length === 0)
    throw new FeedError(`capec_attack.json cannot be used: its list "${member}" is missing or empty.`)
  return list.map((object: unknown) => ({ format: 'plain', object }))
}
