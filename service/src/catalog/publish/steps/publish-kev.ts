import { sql, type Transaction } from 'kysely'
import { type CopyValue, formatCopyChunks } from '../../../database/copy-line.ts'
import type { Session } from '../../../database/session.ts'
import type { ChangeCause, DiffMember } from '../../../domain/change/change.ts'
import type { CveId, CveKey } from '../../../domain/cve-id.ts'
import type { KevChange } from '../../changes/log.ts'
import type { KevEntry } from '../../model/source-data.ts'
import { isListed, renderKev } from '../../render/kev.ts'
import { toStoredCveKey } from '../cve-key.ts'
import { readStoringRun } from '../read/read-run-cause.ts'
import { readSourceData } from '../read/read-source-data.ts'

interface PublishedKev {
  /** CVEs whose entry was published again. The caller must publish them in the same transaction. */
  readonly ids: readonly CveId[]
  /** Changes for that publication's change log. */
  readonly changes: readonly KevChange[]
}

/** `causeOfRendering`: why an entry is rendered again if CISA did not change it and its published hash was emptied. */
export async function publishKev(
  session: Session,
  tx: Transaction<unknown>,
  causeOfRendering: ChangeCause,
): Promise<PublishedKev> {
  const changed = await findChangedEntries(tx)
  if (changed.length === 0) return { ids: [], changes: [] }
  const published = await deleteEntries(tx, changed)
  const rendered = await renderEntries(
    tx,
    changed.filter(({ contentHash }) => contentHash !== null),
  )
  await session.copyInto(
    tx,
    `catalog.kev (cve_key, ${KEV_COLUMNS.join(', ')}, content_hash)`,
    formatCopyChunks(rendered.map(({ row }) => row)),
  )
  const current = new Map(rendered.map(({ key, values }) => [key, values]))
  const ids = changed.map(({ cveId }) => cveId)
  const { cause: causeOfData } = await readStoringRun(tx, 'kev')
  const changes = ids.map(toStoredCveKey).flatMap((key) => {
    const change = compareEntries(published.get(key), current.get(key), { causeOfData, causeOfRendering })
    return change === undefined ? [] : [{ key, ...change }]
  })
  return { ids, changes }
}

interface ChangedEntry {
  readonly cveId: CveId
  /** Null for an entry that CISA removed. */
  readonly contentHash: Buffer | null
}

async function findChangedEntries(tx: Transaction<unknown>): Promise<readonly ChangedEntry[]> {
  const { rows } = await sql<ChangedEntry>`
    select coalesce(stored.cve_id, catalog.cve_id(published.cve_key)) as "cveId",
           stored.content_hash as "contentHash"
      from (
             select cve_id, catalog.cve_key(cve_id) as cve_key, content_hash
               from source.kev_entry
              where removed_at is null
           ) stored
      full join catalog.kev published
        on published.cve_key = stored.cve_key
     where stored.content_hash is distinct from published.content_hash
     order by 1
  `.execute(tx)
  return rows
}

type KevValues = Readonly<Record<Exclude<(typeof KEV_COLUMNS)[number], 'summary'>, string | boolean | null>> & {
  readonly summary: string
}

interface PublishedEntry {
  readonly values: KevValues
  /** The hash was emptied so that the entry is rendered again. */
  readonly isHashEmptied: boolean
}

/** Returns the deleted entries. */
async function deleteEntries(
  tx: Transaction<unknown>,
  changed: readonly ChangedEntry[],
): Promise<ReadonlyMap<CveKey, PublishedEntry>> {
  const { rows } = await sql<KevValues & { key: CveKey; isHashEmptied: boolean }>`
    delete from catalog.kev
     where cve_key = any (${changed.map(({ cveId }) => toStoredCveKey(cveId))}::bigint[])
    returning cve_key as key, vendor_project, product, date_added::text, due_date::text, known_ransomware, summary,
              in_batch, in_recent, entry, content_hash = '' as "isHashEmptied"
  `.execute(tx)
  return new Map(rows.map(({ key, isHashEmptied, ...values }) => [key, { values, isHashEmptied }]))
}

interface RenderedEntry {
  readonly key: CveKey
  readonly values: KevValues
  readonly row: readonly CopyValue[]
}

async function renderEntries(
  tx: Transaction<unknown>,
  present: readonly ChangedEntry[],
): Promise<readonly RenderedEntry[]> {
  const hashes = new Map(present.map(({ cveId, contentHash }) => [cveId, contentHash]))
  const sourceData = await readSourceData(tx, [...hashes.keys()])
  return sourceData.flatMap(({ cveId, kev }) => {
    if (!isListed(kev)) return []
    const [key, values] = [toStoredCveKey(cveId), renderKevValues(cveId, kev)]
    const row = [key, ...KEV_COLUMNS.map((name) => values[name]), hashes.get(cveId) ?? null]
    return [{ key, values, row }]
  })
}

const LOGGED_MEMBERS = {
  'kev.dateAdded': 'date_added',
  'kev.dueDate': 'due_date',
  'kev.knownRansomware': 'known_ransomware',
} as const satisfies Partial<Record<DiffMember, (typeof KEV_COLUMNS)[number]>>

/** Returns undefined if rendering again made no difference. */
function compareEntries(
  published: PublishedEntry | undefined,
  current: KevValues | undefined,
  { causeOfData, causeOfRendering }: { readonly causeOfData: ChangeCause; readonly causeOfRendering: ChangeCause },
): Omit<KevChange, 'key'> | undefined {
  const old = published?.values
  const isRenderedAgain = published?.isHashEmptied ?? false
  if (isRenderedAgain && KEV_COLUMNS.every((name) => old?.[name] === current?.[name])) return undefined
  const differences = Object.entries(LOGGED_MEMBERS).flatMap(([member, name]) => {
    const values = { old: old?.[name] ?? null, new: current?.[name] ?? null }
    return values.old === values.new ? [] : [[member, values] as const]
  })
  // These are CISA's values, so rendering cannot change them.
  const cause = isRenderedAgain && differences.length === 0 ? causeOfRendering : causeOfData
  const isShownAlike = old?.summary === current?.summary
  return {
    diff: Object.fromEntries(differences),
    cause,
    replacedKev: isShownAlike ? undefined : [old?.summary ?? null],
  }
}

export const KEV_COLUMNS = [
  'vendor_project',
  'product',
  'date_added',
  'due_date',
  'known_ransomware',
  'summary',
  'in_batch',
  'in_recent',
  'entry',
] as const

export function renderKevValues(cveId: CveId, kev: KevEntry): KevValues {
  const { summary, inBatch, inRecent, entry } = renderKev(cveId, kev)
  return {
    vendor_project: kev.vendorProject,
    product: kev.product,
    date_added: kev.dateAdded,
    due_date: kev.dueDate,
    known_ransomware: kev.knownRansomware,
    summary,
    in_batch: inBatch,
    in_recent: inRecent,
    entry,
  }
}
