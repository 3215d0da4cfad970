// Measures the time from the last commit of a publication to its events being visible, with 10,000 watches drawn from the catalog.
// The database must be a copy that may be changed, with the newest migrations; it gets an account, watches and changes. The
// evaluator runs in a process of its own, as `vis-server notify`.
//
//   WHOLE_CATALOG_URL=… node lab/bench/measurements/watch-latency.ts
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { publish } from '../../../service/src/catalog/publish/publish.ts'
import { openPool } from '../../../service/src/database/postgres.ts'
import { openSession } from '../../../service/src/database/session.ts'
import { systemClock } from '../../../service/src/domain/clock.ts'
import { percentile } from '../../../service/test/support/load/percentile.ts'

const WATCHES = 10_000
const ACCOUNTS = 200
/** The bars of decision-makers: at most 2 s for up to 100 changed CVEs, and 10 s for 10,000. */
const PLANS = [
  { cves: 100, rounds: 50, maxMs: 2000 },
  { cves: 10_000, rounds: 5, maxMs: 10_000 },
] as const
const LIMITS = { poolSize: 2, statementTimeoutMs: 600_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
const VIS_SERVER = fileURLToPath(new URL('../../../service/bin/vis-server.js', import.meta.url))

const url = process.env['WHOLE_CATALOG_URL']
if (url === undefined)
  throw new Error('Set WHOLE_CATALOG_URL to the URL of a copy of a database with a published catalog.')
const pool = openPool(url, 'latency', LIMITS, () => {})
const session = openSession(url, 'catalog')
const write = (text: string) => process.stdout.write(`${text}\n`)

/** A vendor with many CVEs has many watches; two of three have a bound. */
async function createWatches(db: Kysely<unknown>): Promise<void> {
  await sql`truncate notify.watch_span, notify.inbox, notify.news, notify.event`.execute(db)
  await sql`
    with owner as (
      insert into accounts.account (name, plan, limit_half)
      select 'latency', 'enterprise', 1 from generate_series(1, ${ACCOUNTS})
      returning id
    ), numbered as (
      select id, row_number() over () - 1 as number from owner
    ), drawn as (
      select row_number() over () as number, vendor, product
        from (select * from catalog.cve_product_name order by random() limit ${WATCHES}) named
    ), saved as (
      insert into accounts.view (account_id, is_shared, name, query, kinds)
      select numbered.id, true, 'watch ' || drawn.number,
             case drawn.number % 3
               when 0 then 'product_vendor=' || drawn.vendor
               when 1 then 'product_vendor=' || drawn.vendor || '&priority=P0,P1,P2'
               else 'product=' || drawn.product || '&severity_min=7'
             end,
             '{entered,left,exploited,priority_raised,score_changed,patch_added}'
        from drawn
        join numbered on numbered.number = drawn.number % ${ACCOUNTS}
       where drawn.vendor ~ '^[a-z0-9_.-]+$' and drawn.product ~ '^[a-z0-9_.-]+$'
      returning *
    )
    select notify.begin_span(saved.id, saved.revision, saved.account_id, saved.query, saved.kinds, newest.seq, newest.tag)
      from saved, (select seq, tag from catalog.change order by seq desc limit 1) newest
  `.execute(db)
}

/** Rejects CVEs, others in each round, so that they leave searches with a level. */
async function changeRecords(db: Kysely<unknown>, cves: number, round: number): Promise<void> {
  await sql`
    with chosen as (
      select cve_id
        from source.source_record
       where source = 'nvd'
       order by hashtextextended(cve_id, 7)
       limit ${cves} offset ${cves * round}
    ), changed as (
      update source.source_record stored
         set content_hash = sha256(content_hash), record = regexp_replace(record, '"vulnStatus":"[^"]+"', '"vulnStatus":"Rejected"')
        from chosen
       where chosen.cve_id = stored.cve_id and stored.source = 'nvd'
      returning stored.cve_id
    )
    insert into source.publication_queue (cve_id, feed) select cve_id, 'nvd' from changed
  `.execute(db)
}

interface Positions {
  readonly newest: string
  readonly judged: string | null
}

async function readPositions(db: Kysely<unknown>): Promise<Positions> {
  const { rows } = await sql<Positions>`
    select (select seq::text from catalog.change order by change.seq desc limit 1) as newest,
           (select seq::text from notify.evaluator
             where not exists (select from notify.watch_span where done_seq is not null)) as judged
  `.execute(db)
  return rows[0] ?? { newest: '0', judged: null }
}

/** Returns the time from the last commit of `work` until everything is judged, in ms. */
async function measure(db: Kysely<unknown>, work: () => Promise<unknown>): Promise<number> {
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  let [newest, committedAt] = ['', performance.now()]
  for (;;) {
    const positions = await readPositions(db)
    if (positions.newest !== newest) [newest, committedAt] = [positions.newest, performance.now()]
    else if (isDone && positions.judged === newest) break
    else if (positions.judged === newest) judgedAt.set(newest, judgedAt.get(newest) ?? performance.now())
    await sleep(5)
  }
  await done
  return (judgedAt.get(newest) ?? performance.now()) - committedAt
}

const judgedAt = new Map<string, number>()

const signal = new AbortController().signal
await publish({ session, clock: systemClock, signal })
await createWatches(pool.db)
const evaluator = spawn(process.execPath, [VIS_SERVER, 'notify'], {
  env: { ...process.env, DATABASE_URL: url, NODE_ENV: 'test', WORKER_OPS_PORT: '0', LOG_LEVEL: 'warn' },
  stdio: 'inherit',
})
let isMissed = false
try {
  await measure(pool.db, () => Promise.resolve())
  for (const { cves, rounds, maxMs } of PLANS) {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      await changeRecords(pool.db, cves, round)
      times.push(await measure(pool.db, () => publish({ session, clock: systemClock, signal })))
    }
    const { rows } = await sql<{ events: number }>`select count(*)::integer as events from notify.event`.execute(
      pool.db,
    )
    const p99 = percentile(times, 0.99)
    isMissed ||= p99 > maxMs
    write(
      `${cves} CVEs, ${rounds} publications: p50 ${Math.round(percentile(times, 0.5))} ms, p99 ${Math.round(p99)} ms (bar ${maxMs} ms); ${rows[0]?.events} events so far`,
    )
  }
} finally {
  evaluator.kill('SIGTERM')
  await session.close()
  await pool.close()
}
process.exitCode = isMissed ? 1 : 0
