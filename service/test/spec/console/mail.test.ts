import { describe, expect, it } from 'vitest'
import { account } from '../../support/builders.ts'
import { askForLink, postToken, SESSION_PATH, useCookie } from '../../support/console.ts'
import { addMember } from '../../support/members.ts'
import { readToken, startMailServer } from '../../support/network/mail-server.ts'
import { readRows } from '../../support/run-statements.ts'
import { createManager, post } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'

const mail = await startMailServer()
const service = await startTestService({
  environment: {
    SMTP_URL: mail.url,
    MAIL_FROM: 'vis@example.org',
    PUBLIC_URL: 'http://127.0.0.1',
    SIGN_UP: 'open',
    SIGN_UPS_PER_NETWORK_DAY: '2',
    SIGN_UPS_PER_DOMAIN_DAY: '3',
    TRUST_PROXY: '127.0.0.1',
  },
})
const { api, given, database, identity } = service
const readIdentityMetrics = async () => (await identity?.metricsText()) ?? ''
const owner = account('pro')
await given(owner)

/** Numbers the networks, so that each request comes from a different one. */
let network = 0
const fromElsewhere = () => {
  network += 1
  return { 'X-Forwarded-For': `198.51.${Math.floor(network / 250)}.${(network % 250) + 1}` }
}

const addPerson = (email: string) => addMember(database.url, { accountId: owner.id, email, role: 'viewer' })
const readState = async () => (await api.get(SESSION_PATH, { key: null })).json.data.sign_in.mail

async function waitFor(description: string, isTrue: () => Promise<boolean>): Promise<void> {
  await expect.poll(isTrue, { timeout: 20_000, message: description }).toBe(true)
}

describe('An e-mail', () => {
  it('is plain text with one recipient, and says how long its link works', async () => {
    await addPerson('ada@example.org')
    await askForLink(api, 'ada@example.org', fromElsewhere())

    const { source, from, to } = await mail.receive('ada@example.org')

    expect({ from, to }).toEqual({ from: 'vis@example.org', to: 'ada@example.org' })
    expect(source).toContain('Content-Type: text/plain')
    expect(source).toContain('Auto-Submitted: auto-generated')
    expect(source).toMatch(/works once, within 15 minutes/)
    expect(source.match(/^(?:to|cc|bcc):/gim)).toEqual(['To:'])
  })

  it('invites a member, who joins with its link; the response contains no link', async () => {
    const { key } = await createManager(service)

    const { json } = await post(api, key, '/api/v1/members', { email: 'invited@example.org', role: 'admin' })
    const received = await mail.receive('invited@example.org')

    expect(json.data.link).toBeUndefined()
    expect(received.source).toContain('a pro account')
    expect((await postToken(api, readToken(received))).json.data.session.role).toBe('admin')
  })

  it('leaves the queue if the mail server does not know the recipient', async () => {
    await addPerson('nobody@example.org')
    await askForLink(api, 'nobody@example.org', fromElsewhere())

    await waitFor('the queue is empty', async () => {
      const [row] = await readRows(database.url, 'select count(*)::integer as waiting from accounts.mail')
      return row?.waiting === 0
    })
    expect(await readIdentityMetrics()).toMatch(/^vis_mails_total\{result="refused"\} 1$/m)
    expect(await readState()).toBe('normal')
  })
})

describe('Sign-up', () => {
  const signUp = async (email: string, headers: Record<string, string>) => {
    await askForLink(api, email, fromElsewhere())
    return postToken(api, readToken(await mail.receive(email)), headers)
  }

  it('creates a free account whose owner has the confirmed e-mail address, once', async () => {
    const [headers, email] = [fromElsewhere(), 'new@sign-up.example']
    const first = await signUp(email, headers)
    const second = await signUp(email, headers)

    expect(first.status).toBe(201)
    expect(first.json.data.session).toMatchObject({ account: { plan: 'free' }, role: 'owner', member: { email } })
    expect(second.json.data.session.member).toEqual(first.json.data.session.member)
    const rows = await readRows(
      database.url,
      'select limit_half from accounts.account where id = (select account_id from accounts.member where email = $1)',
      [email],
    )
    expect(rows).toEqual([{ limit_half: '2000' }])
  })

  it('is limited per day by network and by e-mail domain, while people with an account can still sign in', async () => {
    const headers = fromElsewhere()
    const domain = 'limited.example'
    const statuses = async (emails: readonly string[], sent = headers) => {
      const results: number[] = []
      for (const email of emails) results.push((await signUp(email, sent)).status)
      return results
    }

    expect(await statuses([`a@${domain}`, `b@${domain}`, `c@${domain}`])).toEqual([201, 201, 429])
    expect(await statuses([`d@${domain}`, `e@${domain}`], fromElsewhere())).toEqual([201, 429])
    expect(await statuses([`a@${domain}`])).toEqual([201])
  })
})

describe('Responses to link requests', () => {
  it('take as long for unknown e-mail addresses as for known ones', async () => {
    const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
    const rounds = 15
    for (let round = 0; round < rounds; round += 1) await addPerson(`timed${round}@example.org`)
    for (let round = 0; round < rounds; round += 1) {
      for (const [kind, email] of [
        ['known', `timed${round}@example.org`],
        ['unknown', `other${round}@example.org`],
      ] as const) {
        const started = performance.now()
        const { status } = await askForLink(api, email, fromElsewhere())
        times[kind].push(performance.now() - started)
        expect(status).toBe(202)
      }
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
    const ratio = median(times.known) / median(times.unknown)

    expect(ratio).toBeGreaterThan(1 / 3)
    expect(ratio).toBeLessThan(3)
  })
})

describe('While the mail server is unavailable, the service', () => {
  it('says that e-mails are delayed, keeps everything else running, and sends the e-mail afterwards', async () => {
    await addPerson('patient@example.org')
    await mail.stop()

    const asked = await askForLink(api, 'patient@example.org', fromElsewhere())
    const unknown = await askForLink(api, 'missing@elsewhere.example', fromElsewhere())
    await waitFor('mails are delayed', async () => (await readState()) === 'delayed')

    expect([asked.status, unknown.status]).toEqual([202, 202])
    expect((await api.get('/api/v1/ping')).status).toBe(200)
    await expect.poll(readIdentityMetrics).toMatch(/^vis_mail_delayed 1$/m)
    await mail.restart()
    const { status, headers } = await postToken(api, readToken(await mail.receive('patient@example.org')))
    expect(status).toBe(201)
    const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? ''
    expect((await useCookie(api, cookie).get('/console/api/v1/ping')).status).toBe(200)
    await waitFor('mails are sent again', async () => (await readState()) === 'normal')
  })
})
