import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MIGRATIONS_FOLDER, migrate } from '../../src/database/migrate.ts'
import { account, createTestKey } from '../support/builders.ts'
import { createEmptyDatabase } from '../support/database.ts'
import { runStatements } from '../support/run-statements.ts'
import { startTestService } from '../support/service.ts'
import { IDENTITY_FUNCTIONS } from './identity-functions.ts'
import { buildWatchStatements, EVALUATOR_STATEMENTS, NOTIFY_STATEMENTS, WATCH_FUNCTIONS } from './notify-statements.ts'
import { buildOwnStatements, OWN_FUNCTIONS } from './own-statements.ts'

// Each role gets a real login, because `set role` in a superuser's session would not test the privileges of a login.
const service = await startTestService()
const key = createTestKey()
await service.given(account('free').withKey(key, { scopes: ['read', 'manage', 'watch', 'triage'] }))

const ROLES = new URL('../../migrations/roles.sql', import.meta.url)

const roles = ['vis_api', 'vis_feeds', 'vis_identity', 'vis_jobs', 'vis_migrate', 'vis_notify'] as const
type Role = (typeof roles)[number]

const owner = new Client({ connectionString: service.database.url })
const logins = new Map<Role, Client>()

beforeAll(async () => {
  await owner.connect()
  for (const role of roles) {
    const login = `${service.database.name}_${role}`
    await owner.query(`create role ${login} login in role ${role}`)
    const url = new URL(service.database.url)
    url.username = login
    const client = new Client({ connectionString: url.href })
    await client.connect()
    logins.set(role, client)
  }
})

afterAll(async () => {
  for (const [role, client] of logins) {
    await client.end()
    await owner.query(`drop owned by ${service.database.name}_${role}`)
    await owner.query(`drop role ${service.database.name}_${role}`)
  }
  await owner.end()
})

/** Runs a statement and rolls it back. Returns 'done' or the SQLSTATE of the error. */
async function attempt(role: Role, statement: string): Promise<string> {
  const client = logins.get(role)
  if (!client) throw new Error(`no login for ${role}`)
  await client.query('begin')
  try {
    await client.query(statement)
    return 'done'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  } finally {
    await client.query('rollback')
  }
}

const DENIED = '42501'
const digest = `'\\x${key.digest.toString('hex')}'::bytea`

const STATEMENTS = {
  ...buildOwnStatements(digest),
  ...buildWatchStatements(digest),
  ...NOTIFY_STATEMENTS,
  'read the catalog': 'select name from catalog.dataset',
  'read the products of CVEs': "select vendor from catalog.cve_product_name where vendor operator(catalog.%) 'maker'",
  'change an alias': "update catalog.alias set source = 'x'",
  'add a product': "insert into catalog.product (vendor, product) values ('maker', 'thing')",
  'write the catalog': "update catalog.dataset set table_count = 1 where name = 'kev'",
  'add to the catalog': "insert into catalog.dataset (name, stale_after_seconds) values ('x', 1)",
  'delete from the catalog': 'delete from catalog.dataset',
  'empty the catalog': 'truncate catalog.dataset',
  'empty the pending lists of the search indexes': 'select catalog.empty_pending_lists()',
  'drop a search index': 'drop index catalog.cve_words',
  'empty the pending list of an index': "select gin_clean_pending_list('catalog.cve_words')",
  'look up a key': `select * from accounts.find_caller(${digest})`,
  'look up a session': `select * from accounts.use_session(${digest})`,
  'describe a session': `select * from accounts.read_session(${digest})`,
  'exchange a key for a session': `select accounts.create_session(sha256('x'), ${digest})`,
  'end a session': `select accounts.end_session(${digest})`,
  'end the sessions of a key': `select accounts.end_sessions(${digest})`,
  'delete old sessions': 'select accounts.delete_old_sessions()',
  'count a read of the console': 'select accounts.count_console_reads(1, 1, 1, 1, 10, 10)',
  'list the keys of a caller': `select * from accounts.read_keys('key', ${digest})`,
  'create a key for a caller': `select * from accounts.create_key('key', ${digest}, sha256('new'), 'vis_test_', 'last', 'new', '{read}', null, '{}')`,
  'rotate a key of a caller': `select * from accounts.rotate_key('key', ${digest}, 1, sha256('new'), 'vis_test_', 'last', interval '1 day')`,
  'revoke a key of a caller': `select * from accounts.revoke_key('key', ${digest}, 1)`,
  'list the origins of a caller': `select * from accounts.read_origins('key', ${digest})`,
  'change the origins of a caller': `select accounts.change_origins('key', ${digest}, '{https://a.example}', '{}')`,
  'read the audit log of a caller': `select * from accounts.read_audit('key', ${digest}, null, 10)`,
  'read the usage of a caller': `select * from accounts.read_usage_between('key', ${digest}, current_date, current_date)`,
  'read the member of a caller': `select * from accounts.read_own_member('key', ${digest})`,
  'mark changes as seen': `select * from accounts.mark_seen('key', ${digest}, '1:0000000000000000')`,
  'note where a session was opened': `select accounts.note_session_client(${digest}, 'Firefox on Linux', null)`,
  'list the sessions of a session': `select * from accounts.list_sessions(${digest})`,
  'end a listed session': `select accounts.end_listed_session(${digest}, 'x')`,
  'ask for a link': "select * from accounts.request_link('a@example.org', '192.0.2.1')",
  'take a mail': "select * from accounts.take_mail(1, sha256('x'))",
  'finish a mail': 'select accounts.finish_mail(1)',
  'find mails without a job': 'select accounts.has_mail_without_job()',
  'mark mails as queued': 'select * from accounts.queue_mail(10)',
  'prepare the ledger': 'select accounts.prepare_ledger()',
  'sum up the ledger': 'select accounts.roll_up_portion()',
  'detach old days of the ledger': 'select accounts.detach_ledger_day()',
  'read jobs': 'select * from jobs.job',
  'make a job': "insert into jobs.job (name, data) values ('mail', '{}')",
  'make a job in the partition': "insert into jobs.job_common (name, data) values ('mail', '{}')",
  'change a job': "update jobs.job set state = 'created'",
  'delete jobs': 'delete from jobs.job',
  'make a queue': 'select jobs.create_queue(\'other\', \'{"policy": "standard"}\')',
  'change the times of jobs': "update jobs.schedule set cron = '* * * * *'",
  'empty the table of jobs': 'truncate jobs.job',
  'drop the table of jobs': 'drop table jobs.job',
  'run any statement as a job': "select jobs.job_table_run('select 1')",
  'create a table among the jobs': 'create table jobs.t (id int)',
  'describe a link': "select accounts.describe_token(sha256('x'))",
  'use a link': "select accounts.use_token(sha256('x'), sha256('y'), '192.0.2.1')",
  'sign in with an identity':
    "select accounts.sign_in_with_identity('i', 's', 'a@example.org', '{}', sha256('y'), '192.0.2.1')",
  'delete old sign-in data': 'select accounts.delete_old_sign_in_data()',
  'take requests for sign-ins': 'select * from accounts.take_identity_requests(1)',
  'answer a request for a sign-in': "select accounts.answer_identity_request(gen_random_uuid(), '{}')",
  'report that sign-ins are decided': 'select accounts.report_identity(false, null)',
  'read the rules of sign-ins': 'select accounts.read_sign_in_rule()',
  'count new owners': 'select * from accounts.count_new_owners()',
  'list new owners': 'select * from accounts.list_new_owners(0, 1)',
  'forward a sign-in': "select accounts.ask_identity(gen_random_uuid(), 'token', '{}', 1)",
  'take the answer to a sign-in': 'select accounts.take_identity_answer(gen_random_uuid())',
  'read whether sign-ins are decided': 'select * from accounts.read_identity_status()',
  'read the requests of other nodes': 'select * from accounts.identity_request',
  'change the rules of sign-ins': 'update accounts.sign_in_rule set allows_sign_up = true',
  'list the members of a caller': `select * from accounts.read_members('key', ${digest})`,
  'invite a member for a caller': `select * from accounts.invite_member('key', ${digest}, 'a@example.org', 'viewer', null)`,
  'change a member of a caller': `select * from accounts.change_member('key', ${digest}, 1, 'viewer')`,
  'read the role of groups': "select accounts.find_group_role('{}')",
  'end the membership of anybody': 'select accounts.end_membership(1)',
  'read members': 'select * from accounts.member',
  'read the digests of links': 'select * from accounts.sign_in_token',
  'read queued mails': 'select * from accounts.mail',
  'make somebody an owner': "update accounts.member set role = 'owner'",
  'find the actor of a key': `select * from accounts.find_actor('key', ${digest})`,
  'begin a change': `select accounts.begin_change('key', ${digest})`,
  'read the usage of any account': 'select * from accounts.usage_between(1, current_date, current_date)',
  'read the state of keys': 'select * from accounts.key_state',
  'give a key more rights': "update accounts.api_key set scopes = '{read,manage}'",
  'read session digests': 'select digest from accounts.session',
  'read the state of sessions': 'select * from accounts.session_state',
  'create a session without a key':
    "insert into accounts.session (digest, account_id, key_id, role) values (sha256('x'), 1, 1, 'owner')",
  'raise the limit of console reads': 'update accounts.console_window set day_reads = 0',
  'read accounts': 'select * from accounts.account',
  'read key digests': 'select digest from accounts.api_key',
  'write accounts': "update accounts.account set plan = 'enterprise'",
  'record the use of a key': "select accounts.record_key_use('{1}')",
  'read the use of keys': 'select * from accounts.key_use',
  'add to the audit log': "insert into accounts.audit (actor, action) values ('x', 'x')",
  'issue a key':
    "insert into accounts.api_key (account_id, digest, prefix, last_four) values (1, sha256('x'), 'x', 'x')",
  'create a temporary table': 'create temporary table t (id int)',
  'create a table in the catalog': 'create table catalog.t (id int)',
  'create a table in public': 'create table public.t (id int)',
  'drop a table': 'drop table catalog.dataset',
  'forge the record of migrations': "insert into catalog.migration (name, checksum) values ('9999_x', 'x')",
  'create a role': 'create role another',
  'become a superuser': 'set role postgres',
  'read a file of the server': "select pg_read_file('/etc/passwd')",
  'run a program on the server': "copy (select 1) to program 'true'",
  'read password hashes': 'select rolpassword from pg_authid',
  'load code into the server': "create function f() returns int language c as 'x'",
} as const

type Action = keyof typeof STATEMENTS

const ACTIONS = Object.keys(STATEMENTS) as Action[]

/** The owner of the schemas may do anything in them, and nothing outside. */
const DENIED_TO_OWNER = [
  'create a temporary table',
  'create a table in public',
  'create a role',
  'become a superuser',
  'read a file of the server',
  'run a program on the server',
  'read password hashes',
  'load code into the server',
] as const satisfies readonly Action[]

const MEMBER_FUNCTIONS = [
  'forward a sign-in',
  'take the answer to a sign-in',
  'read whether sign-ins are decided',
  'note where a session was opened',
  'list the sessions of a session',
  'end a listed session',
  'list the members of a caller',
  'invite a member for a caller',
  'change a member of a caller',
] as const

const SELF_SERVICE_FUNCTIONS = [
  ...OWN_FUNCTIONS,
  'list the keys of a caller',
  'create a key for a caller',
  'rotate a key of a caller',
  'revoke a key of a caller',
  'list the origins of a caller',
  'change the origins of a caller',
  'read the audit log of a caller',
  'read the usage of a caller',
  'read the member of a caller',
  'mark changes as seen',
] as const

const SESSION_FUNCTIONS = [
  'look up a session',
  'describe a session',
  'exchange a key for a session',
  'end a session',
  'end the sessions of a key',
  'count a read of the console',
] as const

// Statements that each role may run. All other statements in STATEMENTS must be denied.
const ALLOWED: Record<Role, readonly Action[]> = {
  vis_api: [
    'read the catalog',
    'read the products of CVEs',
    'look up a key',
    'record the use of a key',
    ...SESSION_FUNCTIONS,
    ...SELF_SERVICE_FUNCTIONS,
    ...MEMBER_FUNCTIONS,
    ...WATCH_FUNCTIONS,
  ],
  vis_feeds: [
    'read the catalog',
    'read the products of CVEs',
    'change an alias',
    'add a product',
    'write the catalog',
    'add to the catalog',
    'delete from the catalog',
    'empty the pending lists of the search indexes',
    'create a temporary table',
  ],
  vis_identity: [...IDENTITY_FUNCTIONS],
  vis_jobs: [
    'delete old sessions',
    'delete old sign-in data',
    'find mails without a job',
    'mark mails as queued',
    'prepare the ledger',
    'sum up the ledger',
    'detach old days of the ledger',
    'delete old events',
    'read jobs',
    'make a job',
    'make a job in the partition',
    'change a job',
    'delete jobs',
    'make a queue',
    'change the times of jobs',
  ],
  vis_migrate: ACTIONS.filter((action) => !DENIED_TO_OWNER.some((denied) => denied === action)),
  vis_notify: ['read the catalog', 'read the products of CVEs', ...EVALUATOR_STATEMENTS],
}

describe.each(roles)('Database role %s', (role) => {
  it.each(
    Object.entries(STATEMENTS).map(([action, statement]) => ({
      action,
      statement,
      permission: ALLOWED[role].some((each) => each === action) ? 'may' : 'may not',
    })),
  )(`${role} $permission $action`, async ({ action, statement }) => {
    const isAllowed = ALLOWED[role].some((each) => each === action)
    expect(await attempt(role, statement)).toBe(isAllowed ? 'done' : DENIED)
  })

  it('has none of the special attributes superuser, createrole, createdb, replication, bypassrls and login', async () => {
    const { rows } = await owner.query(
      'select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls, rolcanlogin from pg_roles where rolname = $1',
      [role],
    )
    expect(Object.values(rows[0] ?? { missing: true })).toEqual([false, false, false, false, false, false])
  })
})

describe('Audit log', () => {
  const INSERT_ONLY = '23000'

  it.each([
    "update accounts.audit set actor = 'x'",
    'delete from accounts.audit',
    'delete from accounts.audit where id = -1',
    'truncate accounts.audit',
    'merge into accounts.audit audit using (select 1 as id) one on audit.id = one.id when matched then delete',
  ])('refuses "%s" to its owner, to a superuser and to a superuser in replica mode', async (statement) => {
    expect(await attempt('vis_migrate', statement)).toBe(INSERT_ONLY)
    for (const mode of ['origin', 'replica']) {
      await owner.query('begin')
      await owner.query(`set local session_replication_role = ${mode}`)
      await expect(owner.query(statement)).rejects.toMatchObject({ code: INSERT_ONLY })
      await owner.query('rollback')
    }
  })

  it.each(['vis_api', 'vis_feeds'] as const)('cannot be read or changed by %s', async (role) => {
    for (const statement of ['select * from accounts.audit', 'delete from accounts.audit', 'truncate accounts.audit'])
      expect(await attempt(role, statement)).toBe(DENIED)
  })
})

describe('Tables in later migrations', () => {
  it('get the default privileges of their schema', async () => {
    await owner.query('begin')
    await owner.query('set local role vis_migrate')
    await owner.query('create table catalog.later (id int)')
    await owner.query('create table source.later (id int)')
    await owner.query('create table accounts.later (id int)')
    await owner.query("create function accounts.later() returns int language sql as 'select 1'")
    const { rows } = await owner.query(`
      select has_table_privilege('vis_api', 'catalog.later', 'select') as api_reads_catalog,
             has_table_privilege('vis_api', 'catalog.later', 'insert') as api_writes_catalog,
             has_table_privilege('vis_api', 'source.later', 'select') as api_reads_source,
             has_table_privilege('vis_feeds', 'source.later', 'insert') as feeds_write_source,
             has_table_privilege('vis_feeds', 'catalog.later', 'insert') as feeds_write_catalog,
             has_table_privilege('vis_feeds', 'accounts.later', 'select') as feeds_read_accounts,
             has_function_privilege('vis_feeds', 'accounts.later()', 'execute') as feeds_execute_accounts`)
    await owner.query('rollback')
    expect(rows[0]).toEqual({
      api_reads_catalog: true,
      api_writes_catalog: false,
      api_reads_source: false,
      feeds_write_source: true,
      feeds_write_catalog: true,
      feeds_read_accounts: false,
      feeds_execute_accounts: false,
    })
  })
})

describe("Functions that run with their owner's rights", () => {
  it.each(['accounts', 'catalog'])('set their own search_path in the schema %s', async (schema) => {
    const { rows } = await owner.query<{ name: string; settings: string[] | null }>(
      `select proname as name, proconfig as settings
         from pg_proc
        where pronamespace = $1::regnamespace
          and prosecdef`,
      [schema],
    )
    const unsafe = rows.filter(({ settings }) => !settings?.some((each) => each.startsWith('search_path=')))
    expect(rows.length).toBeGreaterThan(schema === 'accounts' ? 3 : 0)
    expect(unsafe).toEqual([])
  })
})

describe('Functions in the schema accounts', () => {
  it('are not executable by public in a separate accounts database', async () => {
    const separate = await createEmptyDatabase()
    await migrate(separate.url, 'accounts', MIGRATIONS_FOLDER)
    const client = new Client({ connectionString: separate.url })
    await client.connect()
    const { rows } = await client.query<{ name: string; open: boolean }>(
      `select proname as name, has_function_privilege('public', oid, 'execute') as open
         from pg_proc
        where pronamespace = 'accounts'::regnamespace`,
    )
    await client.end()
    expect(rows.length).toBeGreaterThan(3)
    expect(rows.filter(({ open }) => open)).toEqual([])
  })
})

describe('roles.sql', () => {
  it('lets vis_feeds create temporary tables after the right was revoked from public', async () => {
    const { url, name } = await createEmptyDatabase()
    await runStatements(url, `revoke temporary on database ${name} from public`, await readFile(ROLES, 'utf8'))
    const { rows } = await owner.query(
      `select has_database_privilege('vis_feeds', $1, 'temporary') as feeds,
              has_database_privilege('vis_api', $1, 'temporary') as api`,
      [name],
    )
    expect(rows).toEqual([{ feeds: true, api: false }])
  })
})

describe('API node with a login in the role vis_api', () => {
  it('answers /health with 200', async () => {
    const url = new URL(service.database.url)
    url.username = `${service.database.name}_vis_api`
    const least = await startTestService({ environment: { DATABASE_READ_URL: url.href } })
    expect((await least.api.get('/health')).status).toBe(200)
  })
})
