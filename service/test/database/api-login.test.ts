// What someone can do who has broken into an API node. The attacker has the login of the role vis_api and the source,
// and knows the ids of a victim's account, key, member and charges, but has not seen any of the victim's credentials.
// Each test is an attempt.
import { randomBytes, randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueAdmission } from '../accounts/admission.ts'
import { account, createTestKey } from '../support/builders.ts'
import { addMember, createLinkToken } from '../support/members.ts'
import { startTestService } from '../support/service.ts'

const service = await startTestService({ environment: { PUBLIC_URL: 'http://127.0.0.1' }, hasIdentity: true })
const { database } = service
const [victimKey, ownKey] = [createTestKey(), createTestKey()]
const victim = account('pro').withKey(victimKey, { scopes: ['read', 'manage'] })
const own = account('free').withKey(ownKey)
await service.given(victim, own)
const EMAIL = 'owner@victim.example'
const member = await addMember(database.url, { accountId: victim.id, email: EMAIL, role: 'owner' })
await createLinkToken(database.url, member)

const owner = new Client({ connectionString: database.url })
const login = `${database.name}_node`
const address = new URL(database.url)
address.username = login
const api = new Client({ connectionString: address.href })
address.username = `${database.name}_owner`
const migrator = new Client({ connectionString: address.href })
const DENIED = '42501'
let victimKeyId = ''
/** One of the victim's charges; the attacker has seen its id in a log. */
const seenCharge = randomUUID()

beforeAll(async () => {
  await owner.connect()
  await owner.query(`create role ${login} login in role vis_api`)
  await api.connect()
  await owner.query(`create role ${migrator.user} login in role vis_migrate`)
  await migrator.connect()
  const { rows } = await owner.query('select id from accounts.api_key where account_id = $1', [victim.id])
  victimKeyId = String(rows[0].id)
  const admission = await issueAdmission(database.url, victim.id, victimKeyId)
  expect(await charge(owner, victim.id, victimKeyId, admission, seenCharge)).toEqual(['charged'])
})

afterAll(async () => {
  await api.end()
  await migrator.end()
  for (const created of [login, migrator.user]) {
    await owner.query(`drop owned by ${created}`)
    await owner.query(`drop role ${created}`)
  }
  await owner.end()
})

async function charge(
  client: Client,
  accountId: string,
  keyId: string,
  admission: string | null,
  requestId: string = randomUUID(),
): Promise<readonly string[]> {
  const { rows } = await client.query(
    "select verdict from accounts.charge_batch(array[$1::uuid], array[$2::bigint], array[$3::bigint], '{get-cve}', '{2}', array[$4::uuid])",
    [requestId, accountId, keyId, admission],
  )
  return rows.map(({ verdict }) => verdict)
}

async function refund(accountId: string, keyId: string, admission: string, requestId = seenCharge): Promise<number> {
  const { rows } = await api.query(
    "select accounts.refund_batch(array[$1::uuid], array[$2::bigint], array[$3::bigint], '{get-cve}', array[$4::uuid]) as refunded",
    [requestId, accountId, keyId, admission],
  )
  return rows[0].refunded
}

/** Returns an admission that the attacker may legitimately get for their own account. */
async function getOwnAdmission(): Promise<{ admission: string; key_id: string }> {
  const { rows } = await api.query('select admission, key_id from accounts.find_caller($1)', [ownKey.digest])
  return rows[0]
}

/** Reads everything that an attempt could change to someone's detriment. */
async function readState(): Promise<unknown> {
  const state: Record<string, unknown> = {}
  for (const table of [
    'account',
    'api_key',
    'member',
    'session',
    'sign_in_token',
    'mail',
    'sign_in_rule',
    'meter',
    'ledger',
  ])
    state[table] = (
      await owner.query(`select to_jsonb(stored) - 'last_used_at' as row from accounts.${table} stored order by 1`)
    ).rows
  return state
}

async function readCode(statement: string, values: readonly unknown[] = []): Promise<string> {
  try {
    const { rows } = await api.query(statement, [...values])
    return JSON.stringify(rows)
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

describe("An API node's login without the victim's credentials", () => {
  const guess = randomBytes(32)

  it.each([
    [
      'opens a session of the member',
      "select accounts.open_member_session(member, sha256('s'), 'oidc', true) from accounts.member member where email = $1",
      [EMAIL],
    ],
    ['makes a link for the member', "select accounts.send_invitation($1, sha256('x'))", [member]],
    ['signs up', 'select accounts.sign_up($1, $2)', ['me@evil.example', '192.0.2.1']],
    ['creates an account', "insert into accounts.account (name, plan, limit_half) values ('x', 'enterprise', 1)", []],
    [
      'adds a member',
      "insert into accounts.member (account_id, email, role) values ($1, 'me@evil.example', 'owner')",
      [victim.id],
    ],
    ['changes a role', "update accounts.member set role = 'owner'", []],
    ['reads the admission secret', 'select secret from accounts.admission_secret', []],
    ['issues an admission', "select accounts.issue_admission($1, 1, now() + interval '1 hour')", [victim.id]],
    ['reads the usage of an account', 'select * from accounts.read_usage($1)', [victim.id]],
    ['becomes the role that decides sign-ins', 'set role vis_identity', []],
  ])('is refused when it %s', async (_name, statement, values) => {
    expect(await readCode(statement, values)).toBe(DENIED)
  })

  it.each([
    [
      'exchanges a guessed key for a session',
      "select accounts.create_session(sha256('s'), $1) as result",
      '[{"result":"refused"}]',
    ],
    [
      'invites an owner',
      "select * from accounts.invite_member('session', $1, 'me@evil.example', 'owner', null)",
      'VI001',
    ],
    ['changes a role', "select * from accounts.change_member('key', $1, 1, 'owner')", 'VI001'],
    [
      'issues a key',
      "select * from accounts.create_key('key', $1, sha256('n'), 'vis_test_', 'last', 'n', '{read}', null, '{}')",
      'VI001',
    ],
    ['reads the usage with a guessed key', "select * from accounts.read_own_usage('key', $1)", 'VI001'],
  ])('gets nothing when it %s', async (_name, statement, expected) => {
    expect(await readCode(statement, [guess])).toBe(expected)
  })

  it.each([
    ['reads the keys', 'read_keys($1, $2)'],
    ['issues a key', "create_key($1, $2, sha256('n'), 'vis_test_', 'last', 'n', '{read}', null, '{}')"],
    ['rotates the key', "rotate_key($1, $2, $3, sha256('n'), 'vis_test_', 'last', interval '1 day')"],
    ['revokes the key', 'revoke_key($1, $2, $3)'],
    ['reads the origins', 'read_origins($1, $2)'],
    ['changes the origins', "change_origins($1, $2, '{https://evil.example}', '{}')"],
    ['reads the audit log', 'read_audit($1, $2, null, 10)'],
    ['reads the usage', 'read_own_usage($1, $2)'],
    ['reads the usage of a day', 'read_usage_between($1, $2, current_date, current_date)'],
    ['reads the members', 'read_members($1, $2)'],
    ['invites an owner', "invite_member($1, $2, 'me@evil.example', 'owner', null)"],
    ['changes a role', "change_member($1, $2, $4, 'viewer')"],
  ])('is not an operator when it %s, even after set role, while a login of the owner is one', async (_name, call) => {
    const before = await readState()
    const values = ['operator', Buffer.from(`${victim.id} mallory`), victimKeyId, member]
    // Each statement receives all parameters, even if the call does not use them.
    const statement = `select * from accounts.${call} where $1::text || $2::bytea::text || $3::bigint || $4::bigint <> ''`
    for (const role of ['none', 'vis_api']) {
      await api.query(`set role ${role}`)
      expect(await readCode(statement, values)).toBe('VI001')
    }
    expect(await readState()).toEqual(before)

    await migrator.query('begin')
    const { rowCount } = await migrator.query(statement, values)
    await migrator.query('rollback')
    expect(rowCount).not.toBeNull()
  })

  it('opens no session through a request with a guessed link', async () => {
    const [id, before] = [randomUUID(), await readState()]
    await api.query('select accounts.ask_identity($1, $2, $3, 5)', [
      id,
      'token',
      { tokenDigest: guess.toString('hex'), sessionDigest: guess.toString('hex'), network: '192.0.2.1' },
    ])
    const readAnswer = async () =>
      (await api.query('select accounts.take_identity_answer($1) as answer', [id])).rows[0].answer
    await expect.poll(readAnswer, { timeout: 5000 }).toEqual({ value: { result: 'unknown' } })
    expect(await readState()).toEqual(before)
  })
})

describe('A charge to the victim with the true account and key ids', () => {
  it.each([
    ['no admission', () => null],
    ['a guessed admission', () => `ffffffff-${randomUUID().slice(9)}`],
    ['the admission of another account', async () => (await getOwnAdmission()).admission],
    ['an admission for another key of the account', () => issueAdmission(database.url, victim.id, '999999')],
    ['an expired admission', () => readExpired()],
  ])('is refused with %s', async (_name, getAdmission) => {
    const before = await readState()
    expect(await charge(api, victim.id, victimKeyId, await getAdmission())).toEqual(['not admitted'])
    expect(await readState()).toEqual(before)
  })

  const readExpired = async (): Promise<string> => {
    const { rows } = await owner.query(
      "select accounts.issue_admission($1, $2, now() - interval '2 seconds') as admission",
      [victim.id, victimKeyId],
    )
    return rows[0].admission
  }

  it("is refused next to a charge to the attacker's own account, which succeeds", async () => {
    const { admission, key_id } = await getOwnAdmission()
    const { rows } = await api.query(
      `select item, verdict
         from accounts.charge_batch(array[gen_random_uuid(), gen_random_uuid()], array[$1, $2]::bigint[], array[$3, $4]::bigint[],
                                    '{get-cve,get-cve}', '{2,2}', array[$5, $5]::uuid[])
        order by item`,
      [victim.id, own.id, victimKeyId, key_id, admission],
    )
    expect(rows).toEqual([
      { item: 1, verdict: 'not admitted' },
      { item: 2, verdict: 'charged' },
    ])
  })

  it.each([
    ['arrays that begin at 0', "'[0:1]={%V,%V}'", "'[0:1]={%K,%K}'", "'[0:1]={2,2}'", "'[0:1]={%A,%A}'"],
    ["the attacker's own account before it, with fewer admissions", "'{%O,%V}'", "'{%P,%K}'", "'{2,2}'", "'{%A}'"],
    ['two dimensions', "'{{%V,%V}}'", "'{{%K,%K}}'", "'{2,2}'", "'{{%A,%A}}'"],
  ])('is refused with %s', async (_name, accounts, keys, costs, admissions) => {
    const { admission, key_id } = await getOwnAdmission()
    const fill = (text: string) =>
      text
        .replaceAll('%V', victim.id)
        .replaceAll('%K', victimKeyId)
        .replaceAll('%O', own.id)
        .replaceAll('%P', key_id)
        .replaceAll('%A', admission)
    const readMeter = () => owner.query('select used_half from accounts.meter where account_id = $1', [victim.id])
    const before = (await readMeter()).rows
    await readCode(
      `select * from accounts.charge_batch(array[gen_random_uuid(), gen_random_uuid()], ${fill(accounts)}, ${fill(keys)},
                                           '{x,x}', ${fill(costs)}, ${fill(admissions)})`,
    )
    expect((await readMeter()).rows).toEqual(before)
  })

  it("never lowers what an account has used, not even the attacker's own", async () => {
    const { admission, key_id } = await getOwnAdmission()
    const readMeter = async () =>
      (await owner.query('select used_half from accounts.meter where account_id = $1', [own.id])).rows
    await charge(api, own.id, key_id, admission)
    const before = await readMeter()
    for (const ids of ['array[gen_random_uuid()]', "'{}'"])
      await readCode(
        `select * from accounts.charge_batch(${ids}, array[$1::bigint], array[$2::bigint], '{x}', '{-2}', array[$3::uuid])`,
        [own.id, key_id, admission],
      )
    expect(await readMeter()).toEqual(before)
  })
})

describe('A refund', () => {
  it("of the victim's charge is refused with the attacker's own admission, a guessed one, or for the attacker's account", async () => {
    const [before, { admission, key_id }] = [await readState(), await getOwnAdmission()]
    const refunds = [
      await refund(victim.id, victimKeyId, admission),
      await refund(victim.id, victimKeyId, `ffffffff-${randomUUID().slice(9)}`),
      await refund(own.id, key_id, admission),
    ]
    expect(refunds).toEqual([0, 0, 0])
    expect(await readState()).toEqual(before)
  })

  it("of the victim's charge is accepted with an admission of the victim, even an expired one", async () => {
    const { rows } = await owner.query(
      "select accounts.issue_admission($1, $2, now() - interval '1 hour') as admission",
      [victim.id, victimKeyId],
    )
    expect(await refund(victim.id, victimKeyId, rows[0].admission)).toBe(1)
  })
})

describe("Functions that an API node's login may call", () => {
  it('change neither rights nor balances, even when called with everything an attacker can know about the victim', async () => {
    const values: Readonly<Record<string, readonly unknown[]>> = {
      bigint: [victim.id, victimKeyId, member],
      bytea: [randomBytes(32), Buffer.from(victim.id), Buffer.alloc(0)],
      text: ['key', 'session', EMAIL, 'owner', victim.id],
      uuid: [seenCharge, randomUUID()],
      integer: [1, 1_000_000],
      jsonb: [{ email: EMAIL, accountId: victim.id }, {}],
      boolean: [true],
      date: ['2026-01-01'],
    }
    const choose = (type: string, turn: number): unknown => {
      const known = values[type.replace('[]', '')] ?? [null]
      const value = known[turn % known.length]
      return type.endsWith('[]') ? [value] : value
    }
    const { rows: called } = await owner.query<{ name: string; types: string[] }>(
      `select proname as name, array(select format_type(type, null) from unnest(proargtypes) type) as types
         from pg_proc
        where pronamespace = 'accounts'::regnamespace and has_function_privilege('vis_api', oid, 'execute')`,
    )
    const before = await readState()
    for (const { name, types } of called) {
      const marks = types.map((type, index) => `$${index + 1}::${type}`).join(', ')
      for (let turn = 0; turn < 25; turn += 1) {
        const chosen = types.map((type, index) => choose(type, turn + index * (1 + (turn % 5))))
        await readCode(`select * from accounts.${name}(${marks})`, chosen)
      }
    }
    expect(called.length).toBeGreaterThan(20)
    expect(await readState()).toEqual(before)
  })

  it('cannot count the pages of a day again', async () => {
    const code = await owner.query('update accounts.usage_rolled_up set counted_pages = -5').catch(({ code }) => code)
    expect(code, 'a violated check').toBe('23514')
  })
})
