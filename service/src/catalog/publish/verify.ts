// Renders every CVE again and reports those whose stored bytes differ. Stored hashes are not trusted, so rows that were
// edited by hand are found too.
import { sql, type Transaction } from 'kysely'
import { DOCUMENT_COLUMNS } from '../../contract/record/cve-fields.ts'
import { type CveId, toCveId } from '../../domain/cve-id.ts'
import { findDifferingAffected } from '../affected/store.ts'
import { createPublicationLog } from '../changes/log.ts'
import type { ReferenceData, SourceData } from '../model/source-data.ts'
import { type PublishContext, withPublishLock } from '../publish-lock.ts'
import { isListed } from '../render/kev.ts'
import { toStoredCveKey } from './cve-key.ts'
import { DIFFERING_SEARCH_COLUMNS } from './indexes/search-columns.ts'
import { createLearntInBatch, readProductNames } from './names/product-names.ts'
import { countWrongCounts, findDifferingNames, repairCounts } from './names/verify-names.ts'
import { readReferenceData } from './read/read-reference-data.ts'
import { readSourceData } from './read/read-source-data.ts'
import { listAllIds } from './rebuild.ts'
import { findUnpublishedEvents } from './steps/publish-events.ts'
import { type Outcome, publishIds, renderChunk } from './steps/publish-ids.ts'
import { KEV_COLUMNS, publishKev, renderKevValues } from './steps/publish-kev.ts'
import { prepareStage, stage } from './steps/stage.ts'

export interface Verification {
  readonly compared: number
  /** CVEs that were not compared, because they are in the publication queue. */
  readonly queued: number
  /** CVEs that could not be merged or rendered. */
  readonly failed: number
  readonly differing: number
  /** Differing CVEs that were published again. */
  readonly repaired: number
  /** Number of products, vendors and other names with a wrong CVE count. A repair corrects the counts. */
  readonly wrongNameCounts: number
  readonly examples: readonly Difference[]
}

interface Difference {
  readonly cveId: CveId
  /**
   * Columns of catalog.cve, catalog.cve_document and catalog.kev; `detail:<source>` for a detail record; `products`,
   * `aliases` and `affected` for rows of catalog.cve_product, catalog.alias and catalog.affected; `event:<kind>`;
   * `missing` if the CVE is not published; `surplus` if no source lists it.
   */
  readonly columns: readonly string[]
}

/** The source data and rendered CVEs of a batch are in memory together. */
const IDS_PER_BATCH = 500
const MAX_EXAMPLES = 20

export async function verify(context: PublishContext, { repair }: { readonly repair: boolean }): Promise<Verification> {
  const ids = await listAllIds(context)
  const referenceData = await readReferenceData(context.session.db)
  const examples: Difference[] = []
  const sum = { compared: 0, queued: 0, failed: 0, differing: 0, repaired: 0 }
  for (let done = 0; done < ids.length; done += IDS_PER_BATCH) {
    context.signal.throwIfAborted()
    const batch = ids.slice(done, done + IDS_PER_BATCH)
    const found = await compareBatch(context, batch, referenceData)
    sum.compared += found.compared
    sum.queued += batch.length - found.compared - found.failed
    sum.failed += found.failed
    sum.differing += found.differences.length
    examples.push(...found.differences.slice(0, MAX_EXAMPLES - examples.length))
    if (repair) sum.repaired += await repairCves(context, found.differences)
    context.onProgress?.({ done: done + batch.length, total: ids.length })
  }
  return { ...sum, wrongNameCounts: await checkCounts(context, { repair }), examples }
}

async function checkCounts(context: PublishContext, { repair }: { readonly repair: boolean }): Promise<number> {
  const wrong = await countWrongCounts(context.session.db)
  if (repair && wrong > 0) await withPublishLock(context, (tx) => repairCounts(tx))
  return wrong
}

interface BatchResult {
  readonly compared: number
  readonly failed: number
  readonly differences: readonly Difference[]
}

/**
 * Uses repeatable read, so that all tables show the same point in time. Queued CVEs are skipped, because their
 * published bytes may be outdated.
 */
function compareBatch(
  { session }: PublishContext,
  batch: readonly CveId[],
  referenceData: ReferenceData,
): Promise<BatchResult> {
  return session.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`set local jit = off`.execute(tx)
      const sourceData = await readSourceData(tx, await filterNotQueued(tx, batch))
      const dictionary = await readProductNames(tx)
      const outcome: Outcome = { errors: [], removed: [], learnt: createLearntInBatch(dictionary) }
      const inputs = { ...referenceData, productNames: dictionary.productNames }
      await prepareStage(tx)
      await stage(session, tx, await renderChunk(sourceData, inputs, outcome))
      const failed = new Set(outcome.errors.map(({ cveId }) => cveId))
      const differences = mergeDifferences([
        ...(await findDifferingCves(tx)),
        ...(await findDifferingDetails(tx)),
        ...toDifferences(await findDifferingNames(tx)),
        ...toDifferences(await findDifferingAffected(tx)),
        ...(await findSurplus(tx, outcome)),
        ...(await findDifferingKev(tx, sourceData)),
        ...toDifferences(
          await findUnpublishedEvents(
            tx,
            sourceData.map(({ cveId }) => cveId),
          ),
        ),
      ]).filter(({ cveId }) => !failed.has(cveId))
      return { compared: sourceData.length - failed.size, failed: failed.size, differences }
    })
}

async function filterNotQueued(tx: Transaction<unknown>, ids: readonly CveId[]): Promise<readonly CveId[]> {
  const { rows } = await sql<{ cveId: CveId }>`
    select requested.cve_id as "cveId"
      from unnest(${ids}::text[]) with ordinality as requested (cve_id, position)
     where not exists (select from source.publication_queue queued where queued.cve_id = requested.cve_id)
     order by requested.position
  `.execute(tx)
  return rows.map(({ cveId }) => cveId)
}

interface DifferenceRow {
  readonly key: string
  readonly columns: readonly string[]
}

const toDifferences = (rows: readonly DifferenceRow[]): readonly Difference[] =>
  rows.map(({ key, columns }) => ({ cveId: toCveId(key), columns }))

const DIFFERING_DOCUMENT_COLUMNS = DOCUMENT_COLUMNS.map(
  (name) =>
    sql`case when staged_document.${sql.id(name)} is distinct from document.${sql.id(name)} then ${sql.lit(name)} end`,
)

async function findDifferingCves(tx: Transaction<unknown>): Promise<readonly Difference[]> {
  const { rows } = await sql<DifferenceRow>`
    select key, columns
      from (
             select staged.cve_key::text as key,
                    case when published.cve_key is null or document.cve_key is null then array['missing']
                         else array_remove(
                                array[${sql.join([...DIFFERING_SEARCH_COLUMNS, ...DIFFERING_DOCUMENT_COLUMNS])}]::text[],
                                null
                              )
                    end as columns
               from staged_cve staged
               join staged_document
                 on staged_document.cve_key = staged.cve_key
               left join catalog.cve published
                 on published.cve_key = staged.cve_key
               left join catalog.cve_document document
                 on document.cve_key = staged.cve_key
           ) compared
     where cardinality(columns) > 0
     order by key
  `.execute(tx)
  return toDifferences(rows)
}

async function findDifferingDetails(tx: Transaction<unknown>): Promise<readonly Difference[]> {
  const { rows } = await sql<DifferenceRow>`
    select coalesce(staged.cve_key, published.cve_key)::text as key,
           array_agg('detail:' || coalesce(staged.source, published.source) order by coalesce(staged.source, published.source)) as columns
      from staged_detail staged
      full join (
             select cve_key, source, record, parts, content_hash
               from catalog.cve_detail
              where cve_key in (select cve_key from staged_cve)
           ) published
        on published.cve_key = staged.cve_key and published.source = staged.source
     where (staged.record, staged.parts, staged.content_hash)
             is distinct from (published.record, published.parts, published.content_hash)
     group by 1
  `.execute(tx)
  return toDifferences(rows)
}

/** Finds published CVEs that no source lists any longer. */
async function findSurplus(tx: Transaction<unknown>, { removed }: Outcome): Promise<readonly Difference[]> {
  const { rows } = await sql<DifferenceRow>`
    select cve_key::text as key, array['surplus'] as columns
      from catalog.cve
     where cve_key = any (${removed}::bigint[])
  `.execute(tx)
  return toDifferences(rows)
}

async function findDifferingKev(
  tx: Transaction<unknown>,
  sourceData: readonly SourceData[],
): Promise<readonly Difference[]> {
  const keys = sourceData.map(({ cveId }) => toStoredCveKey(cveId))
  const { rows } = await sql<Record<string, unknown>>`
    select cve_key::text, vendor_project, product, date_added::text, due_date::text, known_ransomware, summary, in_batch,
           in_recent, entry
      from catalog.kev
     where cve_key = any (${keys}::bigint[])
  `.execute(tx)
  const published = new Map(rows.map((row) => [row['cve_key'], row]))
  return sourceData.flatMap(({ cveId, kev }) => {
    const row = published.get(toStoredCveKey(cveId))
    const rendered = isListed(kev) ? renderKevValues(cveId, kev) : undefined
    const columns = KEV_COLUMNS.filter((name) => row?.[name] !== rendered?.[name])
    return columns.length === 0 ? [] : [{ cveId, columns: columns.map((name) => `kev.${name}`) }]
  })
}

function mergeDifferences(differences: readonly Difference[]): readonly Difference[] {
  return [...Map.groupBy(differences, ({ cveId }) => cveId)]
    .map(([cveId, group]) => ({ cveId, columns: group.flatMap(({ columns }) => columns) }))
    .toSorted((a, b) => (a.cveId < b.cveId ? -1 : 1))
}

/**
 * Empties hashes first, because the publisher skips rows with an equal hash, and descriptions, because it keeps the
 * words of an unchanged one. If a CVE can no longer be rendered, the batch is left as it was: the CVE would keep an
 * empty description.
 */
async function repairCves(context: PublishContext, differences: readonly Difference[]): Promise<number> {
  if (differences.length === 0) return 0
  const ids = differences.map(({ cveId }) => cveId)
  const keys = ids.map(toStoredCveKey)
  return withPublishLock(context, async (tx) => {
    await sql`savepoint before_repair`.execute(tx)
    await sql`update catalog.cve set content_hash = '' where cve_key = any (${keys}::bigint[])`.execute(tx)
    await sql`update catalog.cve_document set description = 'null' where cve_key = any (${keys}::bigint[])`.execute(tx)
    await sql`update catalog.cve_detail set content_hash = '' where cve_key = any (${keys}::bigint[])`.execute(tx)
    await sql`update catalog.kev set content_hash = '' where cve_key = any (${keys}::bigint[])`.execute(tx)
    const { ids: changedInKev, changes } = await publishKev(context.session, tx, 'reload')
    const log = createPublicationLog(() => 'reload', changes)
    const { setAside } = await publishIds(context, tx, [...new Set([...ids, ...changedInKev])].sort(), log)
    if (setAside === 0) return ids.length
    await sql`rollback to savepoint before_repair`.execute(tx)
    return 0
  })
}
