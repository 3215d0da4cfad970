// Publishes the given CVEs. The caller must hold the publishers' lock.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import type { Session } from '../../../database/session.ts'
import type { Clock } from '../../../domain/clock.ts'
import type { CveId, CveKey } from '../../../domain/cve-id.ts'
import { createPublicationLog, type PublicationLog } from '../../changes/log.ts'
import type { ReferenceData, SourceData } from '../../model/source-data.ts'
import type { Published } from '../../render/published.ts'
import { render } from '../../render/render.ts'
import { resolve } from '../../resolve/resolve.ts'
import { toStoredCveKey } from '../cve-key.ts'
import { emptyPendingLists, limitPendingLists } from '../indexes/search-indexes.ts'
import { countNames } from '../names/count-names.ts'
import {
  createLearntInBatch,
  type LearntInBatch,
  learnFrom,
  readProductNames,
  storeLearntNames,
} from '../names/product-names.ts'
import { readReferenceData } from '../read/read-reference-data.ts'
import { readSourceData } from '../read/read-source-data.ts'
import { keepKev } from './keep-before.ts'
import { type Merged, merge, removeCves } from './merge.ts'
import { countProducts } from './merge-products.ts'
import { assertStorable, type PublicationError, recordPublicationErrors } from './publication-errors.ts'
import { publishEvents, readUnpublishedEvents } from './publish-events.ts'
import { clearStage, prepareStage, stage } from './stage.ts'

export interface Written {
  readonly added: number
  readonly changed: number
  readonly removed: number
  /** CVEs that could not be merged or stored; catalog.publication_fault has the reasons. */
  readonly setAside: number
}

export const NOTHING_WRITTEN: Written = { added: 0, changed: 0, removed: 0, setAside: 0 }

/** Source data and rendered CVEs for two chunks are in memory at the same time. */
const CHUNK_SIZE = 500

interface PublishIdsContext {
  readonly session: Session
  readonly clock: Clock
  readonly isFirstLoad?: boolean
}

export interface Outcome {
  readonly errors: PublicationError[]
  readonly learnt: LearntInBatch
  readonly removed: CveKey[]
}

/**
 * PostgreSQL stores one chunk and reads a later one, while this process resolves and renders the chunk between them.
 */
export async function publishIds(
  { session, clock, isFirstLoad = false }: PublishIdsContext,
  tx: Transaction<unknown>,
  ids: readonly CveId[],
  log: PublicationLog = createPublicationLog(),
): Promise<Written> {
  const [now, chunks] = [clock(), splitIntoChunks(ids)]
  const dictionary = await readProductNames(tx)
  const referenceData = { ...(await readReferenceData(tx)), productNames: dictionary.productNames }
  const outcome: Outcome = { errors: [], removed: [], learnt: createLearntInBatch(dictionary) }
  let merged: Merged = { added: 0, changed: 0 }
  await prepareStage(tx)
  await limitPendingLists(tx, isFirstLoad ? '16MB' : '256kB')
  const events = await readUnpublishedEvents(tx, ids)
  let sourceData = await readSourceData(tx, chunks[0] ?? [])
  let rendered: readonly Published[] = []
  for (let index = 0; index <= chunks.length; index += 1) {
    const rendering = renderChunk(sourceData, referenceData, outcome)
    if (index > 0)
      merged = addMerged(merged, await storeChunk(session, tx, rendered, { now, log, isFirst: index === 1 }))
    sourceData = await readSourceData(tx, chunks[index + 1] ?? [])
    rendered = await rendering
  }
  if (merged.added + merged.changed > 0) await emptyPendingLists(tx)
  await recordPublicationErrors(tx, ids, outcome.errors, now)
  await storeLearntNames(tx, ids, outcome.learnt)
  const removed = await removeCves(tx, log, outcome.removed)
  await keepKev(tx, await log.appendOtherKevChanges(tx))
  await publishEvents(tx, events, { failed: outcome.errors.map(({ cveId }) => cveId), now })
  await countProducts(tx)
  await countNames(tx)
  return { ...merged, removed, setAside: outcome.errors.length }
}

function splitIntoChunks(ids: readonly CveId[]): readonly (readonly CveId[])[] {
  const count = Math.ceil(ids.length / CHUNK_SIZE)
  return Array.from({ length: count }, (_, index) => ids.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE))
}

async function storeChunk(
  session: Session,
  tx: Transaction<unknown>,
  rendered: readonly Published[],
  { now, log, isFirst }: { readonly now: Date; readonly log: PublicationLog; readonly isFirst: boolean },
): Promise<Merged> {
  if (!isFirst) await clearStage(tx)
  await stage(session, tx, rendered)
  return merge(tx, log, now)
}

/** Never rejects, because the caller runs statements in the meantime, and these must not outlive their transaction. */
export async function renderChunk(
  sourceData: readonly SourceData[],
  referenceData: ReferenceData,
  outcome: Outcome,
): Promise<readonly Published[]> {
  const rendered: Published[] = []
  for (const each of sourceData) {
    // Lets this process send its next statement: a chunk needs about 50, and PostgreSQL is idle between them.
    await yieldToEventLoop()
    rendered.push(...resolveAndRender(each, referenceData, outcome))
  }
  return rendered
}

/** A CVE that fails stays as it was last published. */
function resolveAndRender(
  sourceData: SourceData,
  referenceData: ReferenceData,
  { errors, removed, learnt }: Outcome,
): readonly Published[] {
  try {
    const resolved = resolve(sourceData, referenceData.productNames)
    if (resolved) {
      learnFrom(learnt, resolved)
      return [assertStorable(render(sourceData, resolved, referenceData))]
    }
    // No source describes it any longer (decision E32).
    removed.push(toStoredCveKey(sourceData.cveId))
  } catch (error) {
    errors.push({ cveId: sourceData.cveId, reason: error instanceof Error ? error.message : String(error) })
  }
  return []
}

function addMerged(a: Merged, b: Merged): Merged {
  return { added: a.added + b.added, changed: a.changed + b.changed }
}

export function addWritten(a: Written, b: Written): Written {
  return {
    ...addMerged(a, b),
    removed: a.removed + b.removed,
    setAside: a.setAside + b.setAside,
  }
}
