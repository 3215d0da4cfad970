// Sets the time that the SQL functions of the credit ledger see, by replacing the clock calls in their source. The
// clock of the PostgreSQL server itself does not change.
import type { Client } from 'pg'

const FUNCTIONS = [
  'charge_batch',
  'refund_batch',
  'current_period',
  'prepare_ledger',
  'roll_up_portion',
  'detach_ledger_day',
]

export interface DatabaseTime {
  /** Sets the time at which a transaction begins and, if it differs, the time at which its rows are written. */
  set(transactionAt: string, writtenAt?: string): Promise<void>
}

export async function createDatabaseTime(client: Client): Promise<DatabaseTime> {
  const { rows } = await client.query<{ definition: string }>(
    `select pg_get_functiondef(oid) as definition
       from pg_proc
      where pronamespace = 'accounts'::regnamespace and proname = any ($1)`,
    [FUNCTIONS],
  )
  if (rows.length !== FUNCTIONS.length) throw new Error(`${rows.length} of ${FUNCTIONS.length} functions were found.`)
  return {
    set: async (transactionAt, writtenAt = transactionAt) => {
      for (const { definition } of rows)
        await client.query(
          definition
            .replaceAll('clock_timestamp()', `timestamptz '${writtenAt}'`)
            .replaceAll('now()', `timestamptz '${transactionAt}'`),
        )
      await client.query(`alter table accounts.ledger alter column at set default timestamptz '${transactionAt}'`)
    },
  }
}
