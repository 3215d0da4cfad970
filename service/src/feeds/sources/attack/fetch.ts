import { basename } from 'node:path'
import { type Collect, collectFile } from '../../collect.ts'
import { fetchRelease } from '../../download/dated-release.ts'
import { type Delivery, type FetchContext, NoFilesError } from '../../feed.ts'
import { type FoundFile, listFiles } from '../../formats/directory.ts'
import { readMappingRelease, readMappings } from './parse-mapping.ts'
import { readPatterns, readPlainPatterns, readStixRelease } from './parse-patterns.ts'
import type { RawPattern } from './pattern.ts'

export interface PatternSource {
  readonly feed: string
  readonly url: string
  readonly file: string
  /** Member of capec_attack.json with the data of this feed. */
  readonly member: 'capec' | 'attack_techniques'
}

const MAX_DOWNLOAD_BYTES = 256 * 1024 * 1024
/** Third-party file that contains CAPEC patterns and ATT&CK techniques. */
const COMBINED_FILE = 'capec_attack.json'
const MAPPING_FILE = 'kev_attack_mapping.json'
/** The date in the name counts only for the order of files in a listing. */
const UNDATED_MAPPING_FILE = 'kev_attack_mapping-1970-01-01.json'
const MAPPING_FILE_NAME =
  /^kev(?:_attack_mapping-\d{4}-\d{2}-\d{2}|-\d{2}\.\d{2}\.\d{4}_attack-[\d.]+-enterprise)\.json(?:\.gz)?$/

export function collectPatterns({ url, file: name }: PatternSource): Collect {
  return collectFile({ url, name, maxBytes: MAX_DOWNLOAD_BYTES })
}

export function fetchPatterns(context: FetchContext, source: PatternSource): AsyncGenerator<Delivery<RawPattern>> {
  const { url, file: name, member } = source
  return fetchRelease(context, {
    name,
    url,
    maxBytes: MAX_DOWNLOAD_BYTES,
    find: (directory) => findPatternFile(directory, source),
    open: async ({ path, bytes }) => {
      if (basename(path).startsWith(COMBINED_FILE)) {
        const patterns = await readPlainPatterns(path, member)
        return {
          label: COMBINED_FILE,
          release: undefined,
          records: async function* (onBytes) {
            for (const raw of patterns) yield { raw }
            onBytes(bytes)
          },
        }
      }
      const release = await readStixRelease(path)
      return {
        label: `${name} ${release.version}`.trim(),
        release,
        records: (onBytes) => readPatterns(path, onBytes),
      }
    },
  })
}

/** Only MITRE's own file contains its release date. */
async function findPatternFile(directory: string, { feed, file: name }: PatternSource): Promise<FoundFile> {
  const files = await listFiles(directory, feed, /^(?:enterprise-attack|stix-capec|capec_attack)\.json(?:\.gz)?$/)
  const file =
    files.find((each) => each.name.startsWith(name)) ?? files.find((each) => each.name.startsWith(COMBINED_FILE))
  if (!file) throw new NoFilesError(`${directory} contains neither ${name} nor ${COMBINED_FILE}.`)
  return file
}

/** The name of the file at a mirror may be one that is not read from a directory. */
export function collectMapping(url: string): Collect {
  const served = basename(new URL(url).pathname)
  return collectFile({
    url,
    name: MAPPING_FILE_NAME.test(served) ? served : UNDATED_MAPPING_FILE,
    maxBytes: MAX_DOWNLOAD_BYTES,
  })
}

export function fetchMapping(context: FetchContext, url: string): AsyncGenerator<Delivery<unknown>> {
  return fetchRelease(context, {
    name: MAPPING_FILE,
    url,
    maxBytes: MAX_DOWNLOAD_BYTES,
    find: findNewestMapping,
    open: async ({ path }) => {
      const release = await readMappingRelease(path)
      return {
        label: `KEV to ATT&CK mapping ${release.version}`,
        release,
        records: (onBytes) => readMappings(path, onBytes),
      }
    },
  })
}

/** Compares the dates in the files, because the file names have two different date formats. */
async function findNewestMapping(directory: string): Promise<FoundFile> {
  const files = await listFiles(directory, 'attack-mapping', MAPPING_FILE_NAME)
  const dated = await Promise.all(files.map(async (file) => ({ file, at: (await readMappingRelease(file.path)).at })))
  const [newest] = dated.toSorted((one, other) => other.at.getTime() - one.at.getTime())
  if (!newest)
    throw new NoFilesError(`${directory} contains no kev_attack_mapping-….json and no kev-…_attack-…-enterprise.json.`)
  return newest.file
}
