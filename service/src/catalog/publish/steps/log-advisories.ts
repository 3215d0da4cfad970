// Logs the changes of advisories without a CVE, and the packages whose affected versions changed with them.
import { sql, type Transaction } from 'kysely'
import type { ChangeCause } from '../../../domain/change/change.ts'
import { keepTouched, listTouched } from '../../affected/store.ts'
import { appendChanges, type LoggedRow } from '../../changes/log.ts'

export interface WrittenAdvisory {
  readonly id: string
  /** Key of its rows in catalog.affected. */
  readonly key: string
  /** Whether it was published and not withdrawn before. */
  readonly wasListed: boolean
  readonly isListed: boolean
  readonly differs: boolean
  readonly hasSameSource: boolean
  /** Whether a source was read as a whole or in a new way, and nothing else can have changed the advisory. */
  readonly isOnlyFromSource: boolean
  readonly publishedDay: string | null
}

interface AdvisoryChange {
  readonly id: string
  readonly key: string
  readonly from: string | null
  readonly to: string | null
  readonly cause: ChangeCause
  readonly publishedDay?: string | null
}

/** Logs what the chunk that was merged last has changed. */
export async function logWritten(tx: Transaction<unknown>, written: readonly WrittenAdvisory[]): Promise<void> {
  const touched = new Set<string>(await listTouched(tx))
  const changes = written
    .filter(({ key, wasListed, isListed, differs }) => (wasListed || isListed) && (differs || touched.has(key)))
    .map(
      ({ id, key, wasListed, isListed, publishedDay, ...found }): AdvisoryChange => ({
        id,
        key,
        from: wasListed ? id : null,
        to: isListed ? id : null,
        cause: findCause(found),
        ...(!wasListed && { publishedDay }),
      }),
    )
  await keepTouched(tx, await append(tx, changes))
}

function findCause({
  hasSameSource,
  isOnlyFromSource,
}: Pick<WrittenAdvisory, 'hasSameSource' | 'isOnlyFromSource'>): ChangeCause {
  if (hasSameSource) return 'rules'
  return isOnlyFromSource ? 'source' : 'data'
}

/** Call it before the rows are deleted. */
export async function logRemoved(tx: Transaction<unknown>, changes: readonly AdvisoryChange[]): Promise<void> {
  const logged = await append(tx, changes)
  if (logged.length === 0) return
  await sql`
    insert into catalog.affected_touched (seq, subject_key, name_key)
    select distinct logged.seq, affected.subject_key, affected.name_key
      from unnest(${logged.map(({ seq }) => seq)}::bigint[], ${logged.map(({ key }) => key)}::bigint[])
           as logged (seq, subject_key)
      join catalog.affected using (subject_key)
  `.execute(tx)
}

/** Returns the rows of the log, with the key of each advisory. */
async function append(
  tx: Transaction<unknown>,
  changes: readonly AdvisoryChange[],
): Promise<readonly { readonly seq: string; readonly key: string | null }[]> {
  const logged: readonly LoggedRow[] = await appendChanges(
    tx,
    changes.map(({ from, to, cause, publishedDay = null }) => ({
      key: null,
      kind: 'advisory',
      fields: [],
      diff: { 'advisory.id': { old: from, new: to } },
      cause,
      publishedDay,
    })),
  )
  return logged.map(({ seq }, index) => ({ seq, key: changes[index]?.key ?? null }))
}
