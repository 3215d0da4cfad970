import { describe, expect, it } from 'vitest'
import { openOperatorHarness } from './operator-harness.ts'

const { database, json, rows, run } = await openOperatorHarness()

async function exportRows(...options: readonly string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await run('audit', 'export', ...options)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

const addRows = (count: number) =>
  rows("insert into accounts.audit (actor, action) select 'x', 'test' from generate_series(1, $1)", [count])

describe('vis-server audit export', () => {
  it('prints nothing if the log is empty', async () => {
    expect(await exportRows()).toEqual([])
  })

  it('prints all rows as JSON lines in the order of their ids', async () => {
    const ada = await json('accounts', 'create', '--name', 'Ada', '--plan', 'free')
    const bo = await json('accounts', 'create', '--name', 'Bo', '--plan', 'pro')
    const { id: keyId } = await json('keys', 'issue', '--account', bo.id)
    await json('keys', 'revoke', keyId)
    const all = await exportRows()

    expect(all.map(({ id, action, account_id, key_id }) => [id, action, account_id, key_id])).toEqual([
      ['1', 'account.create', ada.id, null],
      ['2', 'account.create', bo.id, null],
      ['3', 'key.issue', bo.id, keyId],
      ['4', 'key.revoke', bo.id, keyId],
    ])
    expect(all[0]).toEqual({
      id: '1',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      actor: expect.stringContaining('('),
      action: 'account.create',
      account_id: ada.id,
      key_id: null,
      member_id: null,
      details: { name: 'Ada', plan: 'free', quota: 1000 },
    })
  })

  it('continues after the last id of an earlier export', async () => {
    expect((await exportRows('--after', '2')).map(({ id }) => id)).toEqual(['3', '4'])
    expect(await exportRows('--after', '4')).toEqual([])
  })

  it('prints only the rows of one account', async () => {
    expect((await exportRows('--account', '1')).map(({ id }) => id)).toEqual(['1'])
    expect((await exportRows('--account', '2', '--after', '3')).map(({ id }) => id)).toEqual(['4'])
  })

  it('prints each row once even if the log needs several queries', async () => {
    await addRows(2500)
    const ids = (await exportRows()).map(({ id }) => Number(id))

    expect(ids).toEqual(Array.from({ length: 2504 }, (_, index) => index + 1))
  })

  it('waits for a transaction that has added a row, so that a later export cannot miss the row', async () => {
    const slow = await database.connect()
    await slow.query('begin')
    await slow.query("insert into accounts.audit (actor, action) values ('slow', 'test')")
    await addRows(1)
    const exporting = exportRows('--after', '2504')
    await expect
      .poll(() => rows("select from pg_stat_activity where wait_event_type = 'Lock' and query like 'lock table%'"))
      .toHaveLength(1)
    await slow.query('commit')
    slow.release()

    expect((await exporting).map(({ actor }) => actor)).toEqual(['slow', 'x'])
  })

  it('names the member affected by a change', async () => {
    const before = (await exportRows()).at(-1)
    await run('members', 'invite', '--account', '2', '--email', 'grace@example.org', '--role', 'viewer')
    const [{ id: memberId }] = await json('members', 'list', '--account', '2')
    await json('members', 'role', memberId, 'admin')

    const changed = (await exportRows('--after', String(before?.['id']))).map(({ action, key_id, member_id }) => [
      action,
      key_id,
      member_id,
    ])
    expect(changed).toEqual([
      ['member.invite', null, memberId],
      ['member.role', null, memberId],
    ])
    const shown = await json('accounts', 'show', '2')
    expect(shown.last_actions[0]).toMatchObject({ action: 'member.role', member_id: memberId })
  })

  it('rejects an --after that is not the id of a row', async () => {
    const { code, stderr } = await run('audit', 'export', '--after', 'yesterday')

    expect([code, stderr]).toEqual([1, expect.stringMatching(/^--after takes the id of a row .*not "yesterday"\.\n$/)])
  })
})
