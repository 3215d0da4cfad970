// Scans an SBOM. Components are compared in batches; the catalog rows of one batch are freed before the next one.
import type { SentDocument } from '../../contract/endpoint.ts'
import { MAX_LISTED_SKIPS, MAX_SBOM_BYTES, type SbomAnswerFormat } from '../../contract/sbom.ts'
import type { Database } from '../../database/postgres.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { Confidence } from '../../domain/match-words.ts'
import type { Level } from '../../domain/priority/policy.ts'
import { createFixPlan } from '../answer/fix-plan.ts'
import { selectMatches } from '../answer/select-matches.ts'
import { createMatchSummary } from '../answer/summary.ts'
import { type AppliedTriage, createTriageReport } from '../answer/triage-report.ts'
import { judgeCoverage } from '../coverage/coverage.ts'
import { readDataSets } from '../coverage/data-sets.ts'
import { createInventory } from '../judge/conditions.ts'
import { matchInBatches } from '../match.ts'
import { type Estimate, estimateWork } from '../read/estimate.ts'
import { createAssess, type Suppression } from '../suppress.ts'
import { createAnswerWriter } from './answer-writer.ts'
import { chooseKnownNames } from './choose-names.ts'
import { createOriginDescriber } from './describe-origin.ts'
import type { Sbom } from './document/read-sbom.ts'
import { createGate, type GateOptions } from './gate/gate.ts'
import { readScanBody } from './read-body.ts'
import { readJson } from './read-json.ts'

/** Sent to another thread, so all values must be cloneable. */
export interface ScanOptions {
  readonly confidenceMin: Confidence
  readonly maxLevel: Level
  readonly maxMatches: number
  readonly isSameHost: boolean
  readonly format: SbomAnswerFormat
  readonly gate: GateOptions | undefined
  /** Undefined if the call does not ask for triage. */
  readonly triage?: AppliedTriage | undefined
  /** The author of a VEX document. */
  readonly author: string
  readonly now: Date
}

export interface ReadDocument {
  readonly sbom: Sbom
  readonly suppressions: readonly Suppression[]
  readonly estimate: Estimate
}

/** Throws 400 if the document is malformed or requires more work than one call may cause. */
export async function readScanDocument(db: Database, sent: SentDocument): Promise<ReadDocument> {
  const { sbom: read, suppressions } = readScanBody(readJson(sent, MAX_SBOM_BYTES))
  const sbom = { ...read, components: await chooseKnownNames(db, read.components) }
  const components = sbom.components.map(({ component }) => component)
  return { sbom, suppressions, estimate: await estimateWork(db, components, 'components') }
}

/** Yields the JSON text of `data`. */
export async function* scanSbom(
  db: Database,
  { sbom, suppressions, estimate }: ReadDocument,
  options: ScanOptions,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { confidenceMin, maxLevel, maxMatches, isSameHost, format, author, now } = options
  const components = sbom.components.map(({ component }) => component)
  const dataSets = await readDataSets(db)
  const matching = {
    confidenceMin,
    inventory: isSameHost ? createInventory(components) : undefined,
    assess: createAssess(suppressions, options.triage?.states ?? [], now),
    findCoverage: judgeCoverage(dataSets, now).findCoverage,
    estimate,
    skipsPlan: format !== 'json',
    namesUnordered: format !== 'json',
  }
  const writer = createAnswerWriter(
    { format, maxLevel, maxMatches, now },
    createFixPlan(options, createOriginDescriber(sbom)),
  )
  const overview = createMatchSummary()
  const triage = createTriageReport(options.triage)
  const gate = options.gate && createGate(options.gate, sbom, dataSets, now)
  let done = 0
  yield `{"sbom":${describe(sbom)},`
  for await (const matched of matchInBatches(db, components, matching, signal)) {
    const group = sbom.components.slice(done, done + matched.length)
    done += matched.length
    const selected = selectMatches(matched, options)
    overview.add(selected)
    triage.add(matched)
    gate?.add(group, matched)
    yield* await writer.add(db, group, selected)
  }
  yield* writer.render(author, now)
  yield `,"overview":${overview.render()},${gate === undefined ? '' : `"gate":${gate.render()},`}`
  yield `${triage.render()}"timestamp":"${formatInstant(now)}"}`
}

const MAX_SERIAL_LENGTH = 1024

function describe({ format, specVersion, serial, components, skipped }: Sbom): string {
  return JSON.stringify({
    format,
    spec_version: specVersion,
    serial: serial !== null && serial.length <= MAX_SERIAL_LENGTH ? serial : null,
    components_read: components.length,
    components_skipped_total: skipped.length,
    components_skipped: skipped.slice(0, MAX_LISTED_SKIPS).map(({ index, why }) => ({ index, why })),
  })
}
