// Clients without credentials must not keep other people out. Each network has a quota: an attacker at one address can
// use up only the quota of its own network.
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createToken } from '../../../src/accounts/keys/token.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { SAME_ORIGIN, SESSION_PATH } from '../../support/console.ts'
import { addMember, createLinkToken, openMemberSession } from '../../support/members.ts'
import { startMailServer } from '../../support/network/mail-server.ts'
import { startTestService } from '../../support/service.ts'
import {
  ATTACKER_ADDRESS,
  buildRequest,
  type ClientAnswer,
  type ClientCall,
  callFrom,
  countStatuses,
  openSocketFrom,
  openUnread,
  toVictimAddress,
} from './loopback-clients.ts'

const PEOPLE = 20
/** Number of people who call at the same time. */
const AT_ONCE = 5
const CONNECTIONS = 20
/** More sign-ins than the node lets one account have in flight, over all connections. */
const SIGN_INS_PER_CONNECTION = 20
/** Together they are larger than a connection's buffers, so the server cannot send the answers behind them. */
const UNREAD_FILES = 12
/**
 * More connections than the number of lookups that may wait per network, and in total more guesses than the number that
 * may wait on a node. It therefore makes no difference whether the requests on a connection are handled together or one
 * by one.
 */
const [GUESSING_CONNECTIONS, GUESSES_PER_PACKET] = [220, 5]
const PAUSE_MS = 500

const LINK_PATH = '/console/api/sign-in/link'
const TOKEN_PATH = '/console/api/sign-in/token'

const mail = await startMailServer()
const { api, database, given } = await startTestService({
  environment: {
    CONSOLE_KEY_SIGN_IN: 'on',
    SMTP_URL: mail.url,
    MAIL_FROM: 'vis@example.org',
    PUBLIC_URL: 'http://127.0.0.1',
  },
})
const keys = Array.from({ length: PEOPLE }, createTestKey)
const owners = keys.map((key) => account('business').withKey(key))
await given(...owners)
const members = await Promise.all(
  owners.map(({ id }, index) =>
    addMember(database.url, { accountId: id, email: `person${index}@example.org`, role: 'viewer' }),
  ),
)

const post = (path: string, body: object) =>
  ({ method: 'POST', path, headers: SAME_ORIGIN, body: JSON.stringify(body) }) as const

/** Sends a call for each person, each from a different network, a few at the same time. */
async function callAsEverybody(buildCall: (index: number) => ClientCall): Promise<readonly ClientAnswer[]> {
  const answers: ClientAnswer[] = []
  const call = (index: number) => callFrom(toVictimAddress(index), api.port, buildCall(index))
  for (let first = 0; first < PEOPLE; first += AT_ONCE)
    answers.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, step) => call(first + step)))))
  return answers
}

describe('20 connections without credentials that leave files unread and then sign in', () => {
  it('do not keep anyone else from signing in, whether by link, token or key', async () => {
    const unread = buildRequest({ path: '/openapi.json' }).repeat(UNREAD_FILES)
    const buildSignIn = (index: number) =>
      [
        () => buildRequest(post(TOKEN_PATH, { token: createToken() })),
        () => buildRequest(post(LINK_PATH, { email: `nobody${index}@example.org` })),
        () => buildRequest(post(SESSION_PATH, { api_key: createTestKey().key })),
      ][index % 3]?.()
    const signIns = () => Array.from({ length: SIGN_INS_PER_CONNECTION }, (_, index) => buildSignIn(index)).join('')
    const packets = Array.from({ length: CONNECTIONS }, () => unread + signIns())
    const tokens = await Promise.all(members.map((id) => createLinkToken(database.url, id)))

    const attackers = await openUnread(api.port, packets)
    await sleep(500)
    const byLink = await callAsEverybody((index) => post(LINK_PATH, { email: `person${index}@example.org` }))
    const byToken = await callAsEverybody((index) => post(TOKEN_PATH, { token: tokens[index] }))
    const byKey = await callAsEverybody((index) => post(SESSION_PATH, { api_key: keys[index]?.key }))
    const stillOpen = attackers.filter(({ destroyed }) => !destroyed).length

    expect([byLink, byToken, byKey].map(countStatuses), byToken.find(({ status }) => status > 201)?.text).toEqual([
      { 202: PEOPLE },
      { 201: PEOPLE },
      { 201: PEOPLE },
    ])
    // Otherwise the attack ended before the other people signed in.
    expect(stillOpen).toBe(CONNECTIONS)
    for (const socket of attackers) socket.destroy()
  })
})

/**
 * Sends guessed session cookies as long as the connection is open: the next ones shortly after all earlier ones are
 * answered. The pause gives the process, which also runs the node and the victims, time for other work.
 */
function guessSessions(socket: Socket): { readonly answers: number } {
  const count = { answers: 0 }
  const buildGuess = () => buildRequest({ path: SESSION_PATH, headers: { Cookie: `vis=${createToken()}` } })
  const send = () => socket.writable && socket.write(Array.from({ length: GUESSES_PER_PACKET }, buildGuess).join(''))
  socket.setEncoding('latin1').on('data', (text: string) => {
    const before = count.answers
    // A status line split between two chunks is not counted; this only makes the flood a little thinner.
    count.answers += text.split('HTTP/1.1 ').length - 1
    if (Math.floor(count.answers / GUESSES_PER_PACKET) > Math.floor(before / GUESSES_PER_PACKET))
      setTimeout(send, PAUSE_MS)
  })
  send()
  return count
}

describe('A flood of guessed session cookies', () => {
  it('does not keep other users from using a new session', async () => {
    const cookies = await Promise.all(members.map((id) => openMemberSession(database.url, id)))
    const attackers = await Promise.all(
      Array.from({ length: GUESSING_CONNECTIONS }, () => openSocketFrom(ATTACKER_ADDRESS, api.port)),
    )
    const floods = attackers.map(guessSessions)

    const answers = await callAsEverybody((index) => ({
      path: '/console/api/v1/ping',
      headers: { Cookie: cookies[index] ?? '' },
    }))
    for (const socket of attackers) socket.destroy()

    expect(countStatuses(answers), answers.find(({ status }) => status !== 200)?.text).toEqual({ 200: PEOPLE })
    // Otherwise the node never handled the guesses.
    expect(floods.reduce((sum, { answers }) => sum + answers, 0)).toBeGreaterThan(0)
  })
})
