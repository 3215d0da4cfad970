// Checks how charges and refunds are committed: a deferred trigger records synchronous_commit immediately before the
// commit, when PostgreSQL itself reads it.
import { randomUUIDv7 } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { chargeBatch, refundBatch } from '../../src/accounts/credits/charge-batch.ts'
import { assessDurability, type ServerState } from '../../src/accounts/credits/charge-durability.ts'
import { CHARGE_COMMITS } from '../../src/domain/account/charge-commit.ts'
import { buildPricePath, priceProbes } from '../support/price-probes.ts'
import { readRows, runStatements } from '../support/run-statements.ts'
import { startTestService } from '../support/service.ts'
import { issueAdmission } from './admission.ts'
import { openTestStatements, unprepared } from './statements.ts'

const { api, database, logLines, metrics } = await startTestService({
  endpoints: priceProbes,
  environment: { CHARGE_COMMIT: 'remote_write' },
})
await runStatements(
  database.url,
  'create table public.seen (id integer generated always as identity, kind text, mode text)',
  `create function public.note_commit() returns trigger language plpgsql as $$
     begin
       insert into public.seen (kind, mode) values (new.kind, current_setting('synchronous_commit'));
       return null;
     end $$`,
  `create constraint trigger note_commit after insert on accounts.ledger
     deferrable initially deferred for each row execute function public.note_commit()`,
)

/** Returns the type of each of the test's ledger rows with the setting at its commit, oldest first. */
async function readSeen(): Promise<readonly (readonly [string, string])[]> {
  const rows = await readRows(database.url, 'select kind, mode from public.seen order by id')
  return rows.map(({ kind, mode }) => [kind, mode])
}
beforeEach(() => runStatements(database.url, 'truncate public.seen'))

async function createCall() {
  const [row] = await readRows(database.url, 'select id, account_id from accounts.api_key limit 1')
  const admission = await issueAdmission(database.url, row.account_id, row.id)
  return { requestId: randomUUIDv7(), accountId: row.account_id, keyId: row.id, endpoint: 'x', costHalf: 1, admission }
}

describe('CHARGE_COMMIT', () => {
  it('is in force when a node commits a charge and a refund', async () => {
    expect((await api.get(`${buildPricePath(1)}?end=404`)).status).toBe(404)
    await expect.poll(readSeen).toEqual([
      ['charge', 'remote_write'],
      ['refund', 'remote_write'],
    ])
  })

  it.each(CHARGE_COMMITS)('%s applies to one transaction in a session that has another setting', async (commit) => {
    // A connection pooler in transaction mode gives a session to several clients in turn.
    const { run } = openTestStatements(database.url, 1)
    await run(unprepared('set synchronous_commit = local'), [])
    const call = await createCall()
    await chargeBatch(run, [call], commit)
    await refundBatch(run, [call], commit)

    expect(await readSeen()).toEqual([
      ['charge', commit],
      ['refund', commit],
    ])
    expect(await run(unprepared('show synchronous_commit'), [])).toEqual([['local']])
  })

  it("is on for charges that name no mode, whatever the server's setting", async () => {
    const { run } = openTestStatements(database.url, 1)
    await run(unprepared('set synchronous_commit = off'), [])
    await chargeBatch(run, [await createCall()])
    expect(await readSeen()).toEqual([['charge', 'on']])
  })

  it('is logged at startup and shown in a metric, with what a confirmed charge survives', async () => {
    const findReport = () => logLines.find((line) => line.includes('synchronousStandbyNames'))
    await expect.poll(findReport).toContain('"commit":"remote_write"')
    expect(findReport()).toContain('has no synchronous_standby_names: a charge waits for no replica')
    expect(await metrics.text()).toMatch(
      /^vis_charge_commit_info\{commit="remote_write",survives="(nothing|crash)"\} 1$/m,
    )
  })
})

describe('What a confirmed charge survives', () => {
  const SAFE: ServerState = {
    commit: 'on',
    fsync: true,
    full_page_writes: true,
    standby_names: '',
    replicas: 0,
    synchronous_replicas: 0,
  }

  it.each<[string, Partial<ServerState>, string, readonly RegExp[]]>([
    ['on, one server', {}, 'crash', []],
    ['off', { commit: 'off' }, 'nothing', [/CHARGE_COMMIT is off/]],
    ['off, with a synchronous replica', { commit: 'off', standby_names: '*' }, 'nothing', [/CHARGE_COMMIT is off/]],
    ['on, without fsync', { fsync: false }, 'nothing', [/fsync/]],
    ['on, without full pages', { full_page_writes: false }, 'nothing', [/full_page_writes/]],
    ['remote_apply, one server', { commit: 'remote_apply' }, 'crash', [/waits for no replica/]],
    [
      'remote_write, no synchronous replicas',
      { commit: 'remote_write', replicas: 2 },
      'crash',
      [/waits for no replica/],
    ],
    ['on, synchronous replica', { standby_names: '*', replicas: 1, synchronous_replicas: 1 }, 'loss', []],
    [
      'on, replicas whose details the login may not see',
      { standby_names: '*', replicas: 1, synchronous_replicas: null },
      'loss',
      [],
    ],
    ['on, synchronous replica unavailable', { standby_names: '*' }, 'loss', [/no synchronous replica is connected/]],
  ])('%s', (_, state, survives, warnings) => {
    const found = assessDurability({ ...SAFE, ...state })
    expect(found.survives).toBe(survives)
    expect(found.warnings).toEqual(warnings.map((text) => expect.stringMatching(text)))
  })
})
