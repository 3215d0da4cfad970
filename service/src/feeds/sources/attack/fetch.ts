import { basename } from 'node:path'
import { datedBy, downloadRelease, type ReleaseFile, readReleaseCursor } from '../../download/dated-release.ts'
import { type Delivery, NoFilesError, type FetchContext } from '../../feed.ts'
import { filesIn } from '../../formats/directory.ts'
import type { RawPattern } from './pattern.ts'
import { readMappingRelease, readMappings } from './read-mapping.ts'
import { readPlain } from './read-plain.ts'
import { readPatterns, readStixRelease } from './read-stix.ts'

export interface PatternSource {
  readonly feed: string
  readonly url: string
  /** As it is called upstream. */
  readonly file: string
  /** Where it is in the file that has both. */
  readonly member: 'capec' | 'attack_techniques'
}

const MAX_DOWNLOAD_BYTES = 256 * 1024 * 1024
const BOTH = 'capec_attack.json'
const MAPPING = 'kev_attack_mapping.json'
const MAPPING_IN_DIRECTORY =
  /^kev(?:_attack_mapping-\d{4}-\d{2}-\d{2}|-\d{2}\.\d{2}\.\d{4}_attack-[\d.]+-enterprise)\.json(?:\.gz)?$/

export async function* fetchPatterns(context: FetchContext, source: PatternSource): AsyncGenerator<Delivery<RawPattern>> {
  const held = readReleaseCursor(context.cursor)
  const { url, file: name } = source
  const file =
    context.from === undefined
      ? await downloadRelease(context, { name, url, maxBytes: MAX_DOWNLOAD_BYTES }, held)
      : await findPatterns(context.from, source)
  if (!file) return
  if (basename(file.path).startsWith(BOTH)) {
    const patterns = await readPlain(file.path, source.member)
    yield {
      label: BOTH,
      kind: 'snapshot',
      ...datedBy(file, undefined, held, context.now),
      records: async function* (onBytes) {
        for (const raw of patterns) yield { raw }
        onBytes(file.bytes)
      },
    }
    return
  }
  const release = await readStixRelease(file.path)
  yield {
    label: `${name} ${release.version}`.trim(),
    kind: 'snapshot',
    ...datedBy(file, release, held, context.now),
    records: (onBytes) => readPatterns(file.path, onBytes),
  }
}

/** MITRE's own file before one made from it: only that one says of when it is. */
async function findPatterns(directory: string, { feed, file: name }: PatternSource): Promise<ReleaseFile> {
  const files = await filesIn(directory, feed, /^(?:enterprise-attack|stix-capec|capec_attack)\.json(?:\.gz)?$/)
  const file = files.find((each) => each.name.startsWith(name)) ?? files.find((each) => each.name.startsWith(BOTH))
  if (!file) throw new NoFilesError(`${directory} has neither ${name} nor ${BOTH}.`)
  return { path: file.path, bytes: file.bytes, validators: {} }
}

export async function* fetchMapping(context: FetchContext, url: string): AsyncGenerator<Delivery<unknown>> {
  const held = readReleaseCursor(context.cursor)
  const file =
    context.from === undefined
      ? await downloadRelease(context, { name: MAPPING, url, maxBytes: MAX_DOWNLOAD_BYTES }, held)
      : await newestMapping(context.from)
  if (!file) return
  const release = await readMappingRelease(file.path)
  yield {
    label: `KEV to ATT&CK mapping ${release.version}`,
    kind: 'snapshot',
    ...datedBy(file, release, held, context.now),
    records: (onBytes) => readMappings(file.path, onBytes),
  }
}

/** Of several, what they say inside decides. */
async function newestMapping(directory: string): Promise<ReleaseFile> {
  const files = await filesIn(directory, 'attack-mapping', MAPPING_IN_DIRECTORY)
  const dated = await Promise.all(files.map(async (file) => ({ file, at: (await readMappingRelease(file.path)).at })))
  const [newest] = dated.toSorted((one, other) => other.at.getTime() - one.at.getTime())
  if (!newest)
    throw new NoFilesError(`${directory} has no kev_attack_mapping-….json and no kev-…_attack-…-enterprise.json.`)
  return { path: newest.file.path, bytes: newest.file.bytes, validators: {} }
}
