// Compares the components of an SBOM with the catalog and renders the answer. Components are compared in groups, so that
// what the catalog says about one group is freed before the next group is read.
import type { SentDocument } from '../../contract/endpoint.ts'
import { MAX_LISTED_SKIPS, MAX_SBOM_BYTES, type SbomAnswerFormat } from '../../contract/sbom.ts'
import type { Database } from '../../database/postgres.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { Confidence } from '../../domain/match-words.ts'
import type { Level } from '../../domain/priority/policy.ts'
import { createInventory } from '../matching/conditions.ts'
import { readCurrentData } from '../matching/data-gaps.ts'
import { type MatchedComponent, type MatchOptions, matchComponents } from '../matching/match.ts'
import { MAX_ROWS } from '../matching/read-rows.ts'
import { isWithin, type SelectedComponent, selectMatches } from '../matching/select-matches.ts'
import { createMatchSummary } from '../matching/summary.ts'
import { createSuppressions } from '../matching/suppress.ts'
import { createAnswerWriter } from './answer-writer.ts'
import { documentIssue } from './document/document-error.ts'
import type { NamedComponent } from './document/name-component.ts'
import type { Sbom } from './document/read-sbom.ts'
import { readScanBody } from './read-body.ts'
import { readJson } from './read-json.ts'

/** Options of a scan. All values can be sent to another thread. */
export interface ScanOptions {
  readonly confidenceMin: Confidence
  readonly maxLevel: Level
  readonly maxMatches: number
  readonly isSameHost: boolean
  readonly format: SbomAnswerFormat
  readonly failOn: Level | undefined
  /** Author of a VEX document. */
  readonly author: string
  readonly now: Date
}

const GROUP_SIZE = 250

/** Returns the JSON text of `data` in pieces. */
export async function scanSbom(db: Database, sent: SentDocument, options: ScanOptions): Promise<readonly string[]> {
  const { confidenceMin, isSameHost, format, failOn, author, now } = options
  const { sbom, suppressions } = readScanBody(readJson(sent, MAX_SBOM_BYTES))
  const matching: MatchOptions = {
    confidenceMin,
    inventory: isSameHost ? createInventory(sbom.components.map(({ component }) => component)) : undefined,
    findSuppression: createSuppressions(suppressions, now),
  }
  const writer = createAnswerWriter(format)
  const summary = createMatchSummary(await readCurrentData(db, now))
  let hasFailed = false
  for await (const { group, matched } of matchInGroups(db, sbom.components, matching)) {
    const selected = selectMatches(matched, options)
    summary.add(selected)
    hasFailed ||= failOn !== undefined && selected.some((each) => isAffectedAt(each, failOn))
    await writer.add(db, group, selected)
  }
  return [
    `{"sbom":${describe(sbom)},`,
    ...writer.render(author, now),
    `,"summary":${summary.render()},${failOn === undefined ? '' : `"failed":${hasFailed},`}`,
    `"timestamp":"${formatInstant(now)}"}`,
  ]
}

interface MatchedGroup {
  readonly group: readonly NamedComponent[]
  readonly matched: readonly MatchedComponent[]
}

/** Halves a group about which the catalog says too much to be compared at once. */
async function* matchInGroups(
  db: Database,
  components: readonly NamedComponent[],
  options: MatchOptions,
): AsyncGenerator<MatchedGroup> {
  let [start, size] = [0, GROUP_SIZE]
  while (start < components.length) {
    const group = components.slice(start, start + size)
    const products = group.map(({ component }) => component)
    const matched = await matchComponents(db, products, options)
    if (matched === undefined && group.length === 1) throw tooManyRows(group)
    if (matched === undefined) {
      size = Math.ceil(group.length / 2)
      continue
    }
    yield { group, matched }
    start += group.length
    size = GROUP_SIZE
  }
}

function tooManyRows([first]: readonly NamedComponent[]) {
  const message = `names a product with more than ${MAX_ROWS} known ranges of versions; remove it, or name its vendor`
  return documentIssue(`components[${first?.index ?? 0}]`, 'a product with fewer known ranges', message)
}

/** Advisories without a CVE have no level, so they do not fail a scan. */
function isAffectedAt({ listed }: SelectedComponent, level: Level): boolean {
  return listed.some(({ verdict, subject }) => {
    return verdict === 'affected' && subject.rank !== null && isWithin(subject.rank, level)
  })
}

const MAX_SERIAL_LENGTH = 1024

function describe({ format, specVersion, serial, components, skipped }: Sbom): string {
  return JSON.stringify({
    format,
    spec_version: specVersion,
    serial: serial !== null && serial.length <= MAX_SERIAL_LENGTH ? serial : null,
    components_read: components.length,
    components_skipped_total: skipped.length,
    components_skipped: skipped.slice(0, MAX_LISTED_SKIPS),
  })
}
