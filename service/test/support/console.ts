// Helpers for tests of the web console: they send requests as a page of the console does.
import type { OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { endpoints as allEndpoints } from '../../src/api/endpoints/index.ts'
import type { ServedEndpoint } from '../../src/api/services.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { assembleNode } from '../../src/runtime/api-node.ts'
import { type Api, type ApiAnswer, createApiClient } from './api.ts'
import { cleanUpAfterTests } from './cleanup.ts'
import { createAnswerValidator } from './schema-assertions.ts'
import type { TestService } from './service.ts'

export const SESSION_PATH = '/console/api/session'

/** Headers that a browser sends with a change from a console page. */
export const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' } as const

export interface SignedIn {
  /** The Cookie header of the session. */
  readonly cookie: string
  /** Requests a path below /console without an API key. */
  get(path: string, headers?: OutgoingHttpHeaders): Promise<ApiAnswer>
  send(method: string, path: string, body?: string): Promise<ApiAnswer>
}

export function postKey(api: Api, key: unknown, headers: OutgoingHttpHeaders = {}): Promise<ApiAnswer> {
  return api.send('POST', SESSION_PATH, {
    key: null,
    headers: { ...SAME_ORIGIN, ...headers },
    body: JSON.stringify({ api_key: key }),
  })
}

/** Requests a mail with a sign-in link. */
export function askForLink(api: Api, email: unknown, headers: OutgoingHttpHeaders = {}): Promise<ApiAnswer> {
  return api.send('POST', '/console/api/sign-in/link', {
    key: null,
    headers: { ...SAME_ORIGIN, ...headers },
    body: JSON.stringify({ email }),
  })
}

/** Uses the token of a one-time link. */
export function postToken(api: Api, token: string, headers: OutgoingHttpHeaders = {}): Promise<ApiAnswer> {
  return api.send('POST', '/console/api/sign-in/token', {
    key: null,
    headers: { ...SAME_ORIGIN, ...headers },
    body: JSON.stringify({ token }),
  })
}

/** Asks who the token of a one-time link would sign in. */
export function describeToken(api: Api, token: string, headers: OutgoingHttpHeaders = {}): Promise<ApiAnswer> {
  return api.send('POST', '/console/api/sign-in/token/description', {
    key: null,
    headers: { ...SAME_ORIGIN, ...headers },
    body: JSON.stringify({ token }),
  })
}

/** Exchanges an API key for a session and returns a client with its cookie. */
export async function signIn(api: Api, key: string): Promise<SignedIn> {
  const answer = await postKey(api, key)
  if (answer.status !== 201) throw new Error(`sign-in failed: ${answer.status} ${answer.text}`)
  return useCookie(api, (answer.headers['set-cookie'] ?? '').split(';', 1)[0] ?? '')
}

export function useCookie(api: Api, cookie: string): SignedIn {
  return {
    cookie,
    get: (path, headers = {}) => api.get(path, { key: null, headers: { Cookie: cookie, ...headers } }),
    send: (method, path, body) =>
      api.send(method, path, {
        key: null,
        headers: { Cookie: cookie, ...SAME_ORIGIN },
        ...(body === undefined ? {} : { body }),
      }),
  }
}

/** Starts another node on the database of a service. Returns a client for the node. */
export async function startSecondNode(
  { environment, clock }: TestService,
  endpoints: readonly ServedEndpoint[] = allEndpoints,
): Promise<Api> {
  const log = createLog('silent')
  const node = await assembleNode(loadConfig(environment), { endpoints, clock: clock.now, log })
  await node.app.listen({ host: '127.0.0.1', port: 0 })
  cleanUpAfterTests(async () => {
    node.app.server.closeAllConnections()
    await node.close()
  })
  const { port } = node.app.server.address() as AddressInfo
  return createApiClient(port, () => undefined, createAnswerValidator(endpoints))
}
