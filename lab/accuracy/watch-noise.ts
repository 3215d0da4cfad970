// Counts what watches with the default words of `on` would have told in the past: one watch for each of the biggest vendors,
// judged by the real evaluator over the whole change log of a catalog that was replayed week by week (lab/replay). The
// database must be a copy that may be changed: it gets accounts, watches and events.
//
//   REPLAYED_CATALOG_URL=… node lab/accuracy/watch-noise.ts
import { type Kysely, sql } from 'kysely'
import { openPool } from '../../service/src/database/postgres.ts'
import { openSession } from '../../service/src/database/session.ts'
import { DEFAULT_WATCH_KINDS } from '../../service/src/domain/watch/kinds.ts'
import { ROUND_LIMITS, runRound } from '../../service/src/notify/evaluate/round.ts'
import { createSpanRegistry } from '../../service/src/notify/evaluate/spans.ts'
import { percentile } from '../../service/test/support/load/percentile.ts'

const VENDORS = 300
/** What is added to the search of a vendor. */
const SEARCHES = { all: '', urgent: '&priority=P0,P1,P2' } as const
/** The bars for the median and the 99th percentile of events per week. */
const BARS = { median: 1, p99: 10 }
const LIMITS = { poolSize: 1, statementTimeoutMs: 600_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }

const url = process.env['REPLAYED_CATALOG_URL']
if (url === undefined) throw new Error('Set REPLAYED_CATALOG_URL to the URL of a copy of a replayed catalog.')
const pool = openPool(url, 'noise', LIMITS, () => {})
const [accounts, catalog] = [openSession(url, 'notify'), openSession(url, 'notify-catalog')]
const write = (text: string) => process.stdout.write(`${text}\n`)

/** All watches begin at the end of the first load, like the evaluator. */
async function createWatches(db: Kysely<unknown>): Promise<void> {
  await sql`truncate notify.watch_span, notify.inbox, notify.news, notify.event, notify.recalculation, notify.recalculation_wave`.execute(
    db,
  )
  for (const [name, narrowing] of Object.entries(SEARCHES))
    await sql`
      with owner as (
        insert into accounts.account (name, plan, limit_half) values (${name}, 'enterprise', 1) returning id
      ), biggest as (
        select vendor from catalog.product group by vendor order by sum(cve_count) desc, vendor limit ${VENDORS}
      ), saved as (
        insert into accounts.view (account_id, is_shared, name, query, kinds)
        select owner.id, true, vendor, 'product_vendor=' || vendor || ${narrowing}::text, ${[...DEFAULT_WATCH_KINDS]}::text[]
          from biggest
          cross join owner
        returning *
      )
      select notify.begin_span(saved.id, saved.revision, saved.account_id, saved.query, saved.kinds, loaded.seq, loaded.tag)
        from saved, (select seq, tag from catalog.change where kind = 'loaded' order by seq limit 1) loaded
    `.execute(db)
  await sql`
    update notify.evaluator
       set (seq, tag) = (select seq, tag from catalog.change where kind = 'loaded' order by seq limit 1)
  `.execute(db)
}

async function judgeAll(): Promise<void> {
  const registry = createSpanRegistry((watch, error) => write(`watch ${watch}: ${String(error)}`))
  let mark: string | undefined
  for (;;) {
    const startedAt = performance.now()
    const context = { accounts, catalog: catalog.db, registry, limits: { ...ROUND_LIMITS, waveEndMs: 0 }, mark }
    const { result, rows, events, ...round } = await runRound({ ...context, keepsWatches: false })
    mark = round.mark ?? mark
    write(`${result}: ${rows} changes, ${events.length} events, ${Math.round(performance.now() - startedAt)} ms`)
    if (result !== 'judged') return
  }
}

interface Week {
  readonly account: string
  readonly vendor: string
  readonly week: number
  readonly matched: number
  readonly recalculated: number
  readonly hasNewModel: boolean
}

/** A week ends with an EPSS release, because the replay has one release a week. Weeks without events count too. */
async function readWeeks(db: Kysely<unknown>): Promise<readonly Week[]> {
  const { rows } = await sql<Week>`
    with releases as (
      select row_number() over (order by seq)::integer as week, seq,
             coalesce(lag(seq) over (order by seq), 0) as since,
             'epss_model_changed' = any (types) as "hasNewModel"
        from catalog.change
       where kind = 'epss' and cve_key is null
    )
    select account.name as account, saved.name as vendor, week, releases."hasNewModel",
           count(event.nr) filter (where event.type = 'matched')::integer as matched,
           count(event.nr) filter (where event.type = 'recalculated')::integer as recalculated
      from releases
      cross join accounts.view saved
      join accounts.account account on account.id = saved.account_id
      left join notify.event event
        on event.watch_id = saved.id and event.seq > releases.since and event.seq <= releases.seq
     where saved.kinds is not null and account.name = any(${Object.keys(SEARCHES)}::text[])
     group by 1, 2, 3, 4
     order by 1, 2, 3
  `.execute(db)
  return rows
}

/** Mass edits of KEV entries tell nothing unless a watch asks for kev_updated; a new model tells no single CVE. */
async function countUnwanted(db: Kysely<unknown>): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<{ editedKev: number; newModel: number }>`
    select count(*) filter (where change.types <@ '{kev_updated}')::integer as "editedKev",
           count(*) filter (where change.cause = 'epss_model' or 'epss_model_changed' = any (change.types))::integer
             as "newModel"
      from notify.event event
      join catalog.change change on change.seq = event.seq
     where event.type = 'matched'
  `.execute(db)
  return { ...rows[0] }
}

const round = (value: number) => Math.round(value * 100) / 100

await createWatches(pool.db)
await judgeAll()
const weeks = await readWeeks(pool.db)
let isMissed = false
for (const name of Object.keys(SEARCHES)) {
  const own = weeks.filter(({ account }) => account === name)
  const vendors = Map.groupBy(own, ({ vendor }) => vendor)
  const rates = [...vendors.values()].map((each) => each.reduce((sum, { matched }) => sum + matched, 0) / each.length)
  const [median, p99] = [percentile(rates, 0.5), percentile(rates, 0.99)]
  if (name === 'all') isMissed = median > BARS.median || p99 > BARS.p99
  const newModel = own.filter(({ hasNewModel }) => hasNewModel)
  write(
    `${name}: ${vendors.size} watches, ${own.length / vendors.size} weeks; events per week and watch: median ${round(median)}, p90 ${round(percentile(rates, 0.9))}, p99 ${round(p99)}, most ${round(Math.max(...rates))}; in one week at most ${Math.max(...own.map(({ matched }) => matched))}`,
  )
  write(
    `${name}: recalculated ${own.reduce((sum, { recalculated }) => sum + recalculated, 0)} times; weeks with a new EPSS model: ${new Set(newModel.map(({ week }) => week)).size}`,
  )
}
const unwanted = await countUnwanted(pool.db)
write(`events of single CVEs from mass edits of KEV entries and new EPSS models: ${JSON.stringify(unwanted)}`)
const total = Object.values(unwanted).reduce((sum, count) => sum + count, 0)
await Promise.all([pool.close(), accounts.close(), catalog.close()])
process.exitCode = isMissed || total > 0 ? 1 : 0
