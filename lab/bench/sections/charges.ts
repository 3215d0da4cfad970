// Benchmark section charges: the price of a charge in PostgreSQL, by the number of charges in one batch and by the
// number of accounts. One connection sends one batch at a time.
import { Client } from 'pg'
import { measureInTurns, type Side } from '../load/measure-in-turns.ts'
import { FEW_ACCOUNTS, MANY_ACCOUNTS, type Section, summariseSides } from '../section.ts'

const SIZES = [
  { batchSize: 1, activeAccounts: MANY_ACCOUNTS },
  { batchSize: 16, activeAccounts: MANY_ACCOUNTS },
  { batchSize: 64, activeAccounts: MANY_ACCOUNTS },
  { batchSize: 64, activeAccounts: FEW_ACCOUNTS },
  { batchSize: 256, activeAccounts: MANY_ACCOUNTS },
]

export const charges: Section = async ({ setup, pace }) => {
  const queries = await setup.startBareQueries({})
  let total = 0
  const sides = SIZES.map(
    (size): Side => ({
      name: `batches of ${size.batchSize}, ${size.activeAccounts.toLocaleString('en')} accounts`,
      pids: [queries.pid],
      run: async (ms) => {
        const result = await queries.run({ name: 'charge', callers: 1, ...size, ms })
        total += result.calls
        return result
      },
    }),
  )
  const before = await readBytes(setup.accountsUrl)
  const turns = await measureInTurns(sides, pace, setup.sharedCpu)
  const after = await readBytes(setup.accountsUrl)
  await queries.stop()
  const perCharge = (name: keyof typeof before) => ((after[name] - before[name]) / total).toFixed(0)
  return {
    measured: [],
    sides: summariseSides('charges', turns),
    notes: [
      `A charge wrote ${perCharge('ledger')} bytes to the ledger and its index, and ${perCharge('wal')} bytes to the WAL (WAL of the whole server)`,
    ],
  }
}

async function readBytes(url: string): Promise<Readonly<Record<'ledger' | 'wal', number>>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ ledger: string; wal: string }>(`
    select (select sum(pg_total_relation_size(relid)) from pg_partition_tree('accounts.ledger')) as ledger,
           pg_current_wal_lsn() - '0/0' as wal
  `)
  await client.end()
  return { ledger: Number(rows[0]?.ledger), wal: Number(rows[0]?.wal) }
}
