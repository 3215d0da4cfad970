// Accounts, credentials and calls for tests of triage states.
import type { Api } from '../../support/api.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { useCookie } from '../../support/console.ts'
import { addMember, openMemberSession } from '../../support/members.ts'
import { post } from '../../support/self-service.ts'
import type { TestService } from '../../support/service.ts'

export const LODASH = 'pkg:npm/lodash'

export const TRIAGE = '/api/v1/triage'

export interface Triager {
  readonly key: string
  readonly accountId: string
}

export async function createTriager(
  { given }: Pick<TestService, 'given'>,
  plan: 'free' | 'pro' = 'pro',
): Promise<Triager> {
  const key = createTestKey()
  const owner = account(plan).withKey(key, { scopes: ['read', 'triage'] })
  await given(owner)
  return { key: key.key, accountId: owner.id }
}

export const set = (api: Api, { key }: Pick<Triager, 'key'>, entry: object) => post(api, key, TRIAGE, entry)

export const list = async (api: Api, { key }: Pick<Triager, 'key'>, query = '') =>
  (await api.get(`${TRIAGE}${query}`, { key })).json.data.triage_entries

export const getHistory = async (api: Api, { key }: Pick<Triager, 'key'>, cveId: string) =>
  (await api.get(`${TRIAGE}/cve/${cveId}`, { key })).json.data.revisions

export async function openSession({ api, database }: TestService, accountId: string, role: string) {
  const email = `${role}-${accountId}@example.org`
  const memberId = await addMember(database.url, { accountId, email, role })
  return { memberId, session: useCookie(api, await openMemberSession(database.url, memberId)) }
}
