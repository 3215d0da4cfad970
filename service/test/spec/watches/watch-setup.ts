// Callers of every kind in two accounts, and events as the evaluator writes them.
import { expect } from 'vitest'
import type { ApiAnswer } from '../../support/api.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { type SignedIn, signIn, useCookie } from '../../support/console.ts'
import { addMember, openMemberSession } from '../../support/members.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService, type TestServiceOptions } from '../../support/service.ts'

export interface Caller {
  get(path: string): Promise<ApiAnswer>
  post(path: string, body: object): Promise<ApiAnswer>
}

interface StoredEvent {
  readonly watchId: string
  readonly cveId?: string
  readonly kinds?: readonly string[]
  readonly isMuted?: boolean
  readonly type?: 'matched' | 'recalculated' | 'gap'
  readonly detail?: object
  readonly record?: object
  readonly diff?: object
  readonly daysAgo?: number
}

export const RECORD = {
  severity: 9.8,
  epss_score: 0.42,
  in_kev: true,
  in_eu_kev: false,
  ransomware: false,
  priority_level: 'P0',
  exploit_maturity: 'active',
  has_fix: true,
  status: 'Analyzed',
  products: [{ vendor: 'fortinet', product: 'fortios' }],
  product_count: 1,
}

let names = 0

async function createWatch(caller: Caller, more: object = {}) {
  names += 1
  const body = { name: `watch ${names}`, query: { kev: true }, ...more }
  const { status, json, text } = await caller.post('/watches', body)
  expect(status, text).toBe(200)
  return json.data.watch
}

/** Writes events with the next numbers of an account, as the evaluator does. */
function createTeller(url: string) {
  let seq = 1000
  return async (accountId: string, ...events: readonly StoredEvent[]): Promise<readonly number[]> => {
    const numbers: number[] = []
    for (const event of events) {
      seq += 1
      const { watchId, cveId, kinds = ['entered'], isMuted = false, type = 'matched', detail, record, diff } = event
      const key = cveId === undefined ? null : seq
      const [row] = await readRows(
        url,
        `with inbox as (
         insert into notify.inbox as stored (account_id, last_nr) values ($1, 1)
         on conflict (account_id) do update set last_nr = stored.last_nr + 1
         returning last_nr
       ), news as (
         insert into notify.news (seq, subject_key, subject, at, upstream_day, types, diff, record)
         select $3, $4::bigint, $5, now(), '2026-08-21', '{kev_added}', $9, $10 where $4::bigint is not null
       )
       insert into notify.event (account_id, nr, watch_id, seq, subject_key, type, kinds, entered_by, is_muted, at, detail)
       select $1, last_nr, $2, $3, $4::bigint, $6, $7, '{kev}', $8, now() - make_interval(days => $11), $12
         from inbox
       returning nr`,
        [
          accountId,
          watchId,
          seq,
          key,
          cveId ?? null,
          type,
          type === 'matched' ? kinds : [],
          isMuted,
          JSON.stringify(diff ?? {}),
          record === undefined ? JSON.stringify(RECORD) : JSON.stringify(record),
          event.daysAgo ?? 0,
          detail === undefined ? null : JSON.stringify(detail),
        ],
      )
      numbers.push(Number(row.nr))
    }
    return numbers
  }
}

export async function startWatchSetup(plan: 'free' | 'pro' | 'business' = 'pro', options: TestServiceOptions = {}) {
  const service = await startTestService({
    ...options,
    environment: {
      CONSOLE_KEY_SIGN_IN: 'on',
      CONSOLE_READS_PER_MINUTE: '100000',
      CONSOLE_READS_PER_DAY: '100000',
      RATE_LIMIT: '100000',
      ...options.environment,
    },
  })
  const { api, database, given } = service
  const [reader, watcher, foreignWatcher] = [createTestKey(), createTestKey(), createTestKey()]
  const own = account(plan)
    .withKey(reader)
    .withKey(watcher, { scopes: ['read', 'watch', 'triage'] })
  const foreign = account(plan).withKey(foreignWatcher, { scopes: ['read', 'watch', 'triage'] })
  await given(own, foreign)
  const withKey = (key: string): Caller => ({
    get: (path) => api.get(`/api/v1${path}`, { key }),
    post: (path, body) =>
      api.send('POST', `/api/v1${path}`, {
        key,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
  })
  const withSession = (session: SignedIn): Caller => ({
    get: (path) => session.get(`/console/api/v1${path}`),
    post: (path, body) => session.send('POST', `/console/api/v1${path}`, JSON.stringify(body)),
  })
  let members = 0
  const join = async (role: string, accountId = own.id): Promise<Caller & { readonly id: string }> => {
    members += 1
    const id = await addMember(database.url, { accountId, email: `member${members}@example.org`, role })
    return { id, ...withSession(useCookie(api, await openMemberSession(database.url, id))) }
  }
  return {
    service,
    api,
    database,
    own,
    foreign,
    reader: withKey(reader.key),
    watcher: withKey(watcher.key),
    stranger: withKey(foreignWatcher.key),
    keys: { reader: reader.key, watcher: watcher.key, foreignWatcher: foreignWatcher.key },
    keySession: withSession(await signIn(api, reader.key)),
    watcherSession: withSession(await signIn(api, watcher.key)),
    withKey,
    join,
    createWatch,
    tell: createTeller(database.url),
  }
}
