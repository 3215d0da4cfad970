// A real OpenID Connect provider on a loopback address, for tests. It signs in the person chosen by the test without
// asking for a password.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, Provider } from 'oidc-provider'
import { cleanUpAfterTests } from '../cleanup.ts'

/** The claims that the provider returns about a person. */
export interface Person {
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
  readonly groups?: readonly string[]
}

export interface TestProvider {
  /** Settings of a service that uses this provider. */
  readonly environment: Readonly<Record<string, string>>
  /** Chooses the person who is signed in when a browser visits the provider. */
  choose(person: Person): void
  /**
   * Signs a person in at the address that the service has sent the browser to. Returns the path and query on the
   * service to which the provider sends the browser back.
   */
  signIn(address: string, person: Person): Promise<string>
  stop(): Promise<void>
  restart(): Promise<void>
}

const CLIENT = { id: 'vis', secret: 'a secret of the tests of at least 32 characters' }
const PUBLIC_URL = 'http://127.0.0.1'

/** Starts a provider for a service with the given address. */
export async function startOidcProvider(publicUrl = PUBLIC_URL): Promise<TestProvider> {
  const people = new Map<string, Person>()
  let chosen = ''
  let server = createServer()
  await listen(server, 0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, configure(people, publicUrl))
  const answer = provider.callback()
  const connect = () =>
    server.on('request', (request, response) => {
      if (!request.url?.startsWith('/login/')) return void answer(request, response)
      return void provider.interactionFinished(request, response, { login: { accountId: chosen } })
    })
  connect()
  const choose = (person: Person) => {
    people.set(person.sub, person)
    chosen = person.sub
  }
  const stop = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  cleanUpAfterTests(stop)
  return {
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      PUBLIC_URL: publicUrl,
    },
    choose,
    signIn: (address, person) => {
      choose(person)
      return followRedirects(address, publicUrl)
    },
    stop,
    restart: async () => {
      server = createServer()
      connect()
      await listen(server, port)
    },
  }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

function configure(people: ReadonlyMap<string, Person>, publicUrl: string): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${publicUrl}/console/api/sign-in/oidc/callback`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
    features: { devInteractions: { enabled: false } },
    // Without these settings, the package prints a notice for each of them.
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the tests'] },
    interactions: { url: (_context, { uid }) => `/login/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...people.get(id), sub: id }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

/** Follows the redirects of the provider as a browser does, until they lead to the service. */
async function followRedirects(start: string, publicUrl: string): Promise<string> {
  const cookies = new Map<string, string>()
  let address = start
  for (let step = 0; step < 10; step += 1) {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split(/=(.*)/s)
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    const next = new URL(location, address)
    if (next.origin === publicUrl) return next.pathname + next.search
    address = next.href
  }
  throw new Error('the provider redirects for ever')
}
