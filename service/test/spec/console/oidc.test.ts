import { describe, expect, it } from 'vitest'
import type { Api, ApiAnswer } from '../../support/api.ts'
import { account } from '../../support/builders.ts'
import { startSecondNode, useCookie } from '../../support/console.ts'
import { addMember, openMemberSession } from '../../support/members.ts'
import { type Person, startOidcProvider } from '../../support/network/oidc-provider.ts'
import { readRows } from '../../support/run-statements.ts'
import { startTestService } from '../../support/service.ts'

const provider = await startOidcProvider()
const environment = { ...provider.environment, CURSOR_SECRET: 'a secret that all nodes of this test share' }
const service = await startTestService({ environment })
const { api, given, database, logLines } = service
const owner = account('pro')
await given(owner)
const START = '/console/api/sign-in/oidc'
let count = 0

function createPerson(values: Partial<Person> = {}): Person {
  count += 1
  return { sub: `subject-${count}`, email: `person${count}@example.org`, email_verified: true, ...values }
}

const join = ({ email }: Person, role = 'viewer') => addMember(database.url, { accountId: owner.id, email, role })

/** Returns the name and value of each cookie that a response sets. */
const readCookies = ({ headers }: ApiAnswer): readonly string[] =>
  (headers['set-cookie'] ?? '').split(/, ?(?=[\w-]+=)/).map((cookie) => cookie.split(';', 1)[0] ?? '')

/**
 * Goes to the provider and back. Returns the answer to the callback, and what a browser would need to send it again.
 */
async function signIn(
  person: Person,
  { node = api, path = '/console/cves?q=log4j' }: { node?: Api; path?: string } = {},
) {
  const started = await api.get(`${START}?return=${encodeURIComponent(path)}`, { key: null })
  const [cookie = ''] = readCookies(started)
  const callback = await provider.signIn(String(started.headers['location']), person)
  const send = (to: Api = node, Cookie = cookie, target = callback) =>
    to.get(target, { key: null, headers: { Cookie, 'Sec-Fetch-Site': 'cross-site' } })
  return { answer: await send(), send, callback, cookie }
}

/** Returns a client with the session that the answer to a callback has set. */
function useSession(answer: ApiAnswer) {
  const cookie = readCookies(answer).find((each) => /^vis=./.test(each))
  if (cookie === undefined) throw new Error(`no session: ${answer.status} ${String(answer.headers['location'])}`)
  return useCookie(api, cookie)
}

describe('Sign-in with OpenID Connect', () => {
  it('opens a session for the member with the confirmed e-mail address and returns to the page', async () => {
    const person = createPerson()
    const id = await join(person, 'admin')

    const { answer } = await signIn(person)

    expect([answer.status, answer.headers['location']]).toEqual([302, '/console/cves?q=log4j'])
    const { json } = await useSession(answer).get('/console/api/session')
    expect(json.data).toMatchObject({
      session: { role: 'admin', member: { id, email: person.email }, signed_in_with: { method: 'oidc' } },
      sign_in: { oidc: { name: expect.stringContaining('127.0.0.1:') }, link: false },
    })
    expect(logLines.join('')).not.toContain(person.email)
  })

  it('can begin on one node and end on another', async () => {
    const person = createPerson()
    await join(person)

    const { answer } = await signIn(person, { node: await startSecondNode(service) })

    expect(answer.headers['location']).toBe('/console/cves?q=log4j')
  })

  it.each([
    ['has not confirmed the e-mail address', { email_verified: false }, 'email'],
    ['belongs to no account', {}, 'unknown'],
  ])('is refused for a person who %s', async (_name, values, problem) => {
    const person = createPerson(values)
    if (problem === 'email') await join(person)

    const { answer } = await signIn(person)

    expect(answer.headers['location']).toBe(`/console/sign-in?problem=${problem}`)
    expect(readCookies(answer).filter((cookie) => cookie.startsWith('vis='))).toEqual([])
  })

  it('refuses a callback that is sent again, with and without its cookie', async () => {
    const person = createPerson()
    await join(person)
    const { answer, send } = await signIn(person)
    expect(answer.headers['location']).toBe('/console/cves?q=log4j')

    expect((await send()).headers['location']).toBe('/console/sign-in?problem=state')
    expect((await send(api, '')).headers['location']).toBe('/console/sign-in?problem=state')
  })

  it('refuses the callback for a sign-in that another browser started', async () => {
    const person = createPerson()
    await join(person)
    const first = await api.get(START, { key: null })
    const second = await api.get(START, { key: null })
    const callback = await provider.signIn(String(first.headers['location']), person)

    const { headers } = await api.get(callback, { key: null, headers: { Cookie: readCookies(second)[0] ?? '' } })

    expect(headers['location']).toBe('/console/sign-in?problem=state')
  })

  it('refuses a changed cookie and a changed code', async () => {
    const person = createPerson()
    await join(person)
    const started = await api.get(START, { key: null })
    const [cookie = ''] = readCookies(started)
    const callback = await provider.signIn(String(started.headers['location']), person)
    const get = (target: string, Cookie: string) => api.get(target, { key: null, headers: { Cookie } })

    const changed = `${cookie.slice(0, -2)}${cookie.endsWith('AA') ? 'BB' : 'AA'}`
    expect((await get(callback, changed)).headers['location']).toBe('/console/sign-in?problem=state')
    const wrongCode = callback.replace(/code=[^&]+/, 'code=wrong')
    expect((await get(wrongCode, cookie)).headers['location']).toBe('/console/sign-in?problem=state')
  })

  it('recognises a person by the subject after the e-mail address has changed', async () => {
    const person = createPerson()
    const id = await join(person)
    await signIn(person)

    const { answer } = await signIn({ ...person, email: 'new-name@example.org' })

    expect((await useSession(answer).get('/console/api/session')).json.data.session.member.id).toBe(id)
  })

  it('accepts an invitation only if no other account claims the e-mail address', async () => {
    const person = createPerson()
    const stranger = account('free')
    await given(stranger)
    const claim = { email: person.email, role: 'viewer', isUnconfirmed: true }
    const claimed = await addMember(database.url, { ...claim, accountId: stranger.id })
    const invited = await addMember(database.url, { ...claim, accountId: owner.id, isInvited: true })
    expect((await signIn(person)).answer.headers['location']).toBe('/console/sign-in?problem=unknown')

    await readRows(database.url, 'update accounts.member set removed_at = now() where id = $1', [claimed])
    const { answer } = await signIn(person)

    expect((await useSession(answer).get('/console/api/session')).json.data.session.member.id).toBe(invited)
  })

  it('ends the sessions of anyone who used a link that was passed on', async () => {
    const person = createPerson()
    const member = { accountId: owner.id, email: person.email, role: 'viewer', isUnconfirmed: true }
    const id = await addMember(database.url, member)
    const earlier = useCookie(api, await openMemberSession(database.url, id))
    expect((await earlier.get('/console/api/v1/ping')).status).toBe(200)

    await signIn(person)

    await expect.poll(async () => (await earlier.get('/console/api/v1/ping')).status).toBe(401)
  })

  it('does not let another person take over a membership by acquiring the same e-mail address', async () => {
    const person = createPerson()
    await join(person)
    await signIn(person)

    const { answer } = await signIn(createPerson({ email: person.email }))

    expect(answer.headers['location']).toBe('/console/sign-in?problem=identity')
  })

  it.each([
    'https://evil.example/console/',
    '//evil.example/console/',
    '/\\evil.example',
    '/console/..//evil.example',
    '/console/../api/v1/usage',
    '/console/api/session',
    'javascript:alert(1)',
    '/console/\r\nSet-Cookie: x=y',
  ])('returns to the start page instead of %j', async (path) => {
    const person = createPerson()
    await join(person)

    const { answer } = await signIn(person, { path })

    expect(String(answer.headers['location'])).toMatch(/^\/console\/(?!api)[^/\\]*$/)
    expect(answer.headers['location']).not.toContain('evil.example/')
    expect(readCookies(answer).filter((cookie) => cookie.startsWith('x='))).toEqual([])
  })

  it('sends the browser to the provider with PKCE, state and nonce, and keeps them in a cookie for 10 minutes', async () => {
    const { headers } = await api.get(START, { key: null })
    const url = new URL(String(headers['location']))

    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(headers['set-cookie']).toMatch(/^vis-oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
    expect(String(headers['set-cookie'])).not.toContain(url.searchParams.get('state'))
  })

  it('cannot be started by a page on another site', async () => {
    const { status } = await api.get(START, { key: null, headers: { 'Sec-Fetch-Site': 'cross-site' } })

    expect(status).toBe(403)
  })
})

describe('OIDC_ALLOWED_DOMAINS, OIDC_ROLES and OIDC_ACCOUNT', async () => {
  const grouped = await startTestService({
    environment: {
      ...environment,
      OIDC_ALLOWED_DOMAINS: 'example.org',
      OIDC_ROLES: 'vis-admins:admin,analysts:viewer',
      OIDC_ACCOUNT: '1',
    },
  })
  const enter = async (person: Person) => {
    const started = await grouped.api.get(START, { key: null })
    const callback = await provider.signIn(String(started.headers['location']), person)
    return grouped.api.get(callback, { key: null, headers: { Cookie: readCookies(started)[0] ?? '' } })
  }
  const readMembers = () => readRows(grouped.database.url, 'select email, role from accounts.member order by id')

  it('let people in a group join the account, with the highest role of their groups at each sign-in', async () => {
    const person = createPerson({ groups: ['others', 'analysts', 'vis-admins'] })

    expect((await enter(person)).headers['location']).toBe('/console/')
    expect(await readMembers()).toEqual([{ email: person.email, role: 'admin' }])
    expect((await enter({ ...person, groups: ['analysts'] })).headers['location']).toBe('/console/')
    expect(await readMembers()).toEqual([{ email: person.email, role: 'viewer' }])
    expect((await enter({ ...person, groups: [] })).headers['location']).toBe('/console/sign-in?problem=group')
  })

  it('refuse e-mail addresses in other domains and people without a group', async () => {
    const elsewhere = createPerson({ email: 'ada@example.org.evil.example', groups: ['analysts'] })

    expect((await enter(elsewhere)).headers['location']).toBe('/console/sign-in?problem=domain')
    expect((await enter(createPerson())).headers['location']).toBe('/console/sign-in?problem=unknown')
  })
})

describe('While the provider is unavailable, the console', () => {
  it('shows the problem on the sign-in page and recovers by itself; sessions stay valid', async () => {
    const person = createPerson()
    await join(person)
    const session = useSession((await signIn(person)).answer)
    const fresh = await startTestService({ environment })
    await provider.stop()

    const { headers } = await fresh.api.get(START, { key: null })

    expect(headers['location']).toBe('/console/sign-in?problem=provider')
    expect((await session.get('/console/api/v1/ping')).status).toBe(200)
    await provider.restart()
    expect(String((await fresh.api.get(START, { key: null })).headers['location'])).toContain(
      provider.environment['OIDC_ISSUER'],
    )
  })
})
