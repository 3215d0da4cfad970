// This server's OpenID Connect provider, used with the authorization code flow, PKCE, state and nonce. The library
// openid-client checks the provider's answers, including the signature of the ID token. Only the sign-in process calls
// the provider: an API node has neither the client secret nor the nonce and verifier of a sign-in.
import * as client from 'openid-client'
import type { Identity } from '../../accounts/people/sign-in.ts'
import { parseEmail } from '../../domain/account/email.ts'

export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The address to which the provider sends the browser back. It is registered with the provider. */
  readonly callbackUrl: string
  readonly scopes: string
}

/** Secrets of one sign-in. Only the browser that began it holds them, in encrypted form. */
export interface FlowSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

type OidcProblem = 'provider' | 'state' | 'denied' | 'email'

export interface OidcProvider {
  /** Name of the provider for the button on the sign-in page. */
  readonly name: string
  /** Throws if the provider does not respond. */
  start(): Promise<{ readonly url: URL; readonly secrets: FlowSecrets }>
  /** Identifies the person from the query with which the provider sent the browser back. */
  finish(query: string, secrets: FlowSecrets): Promise<Identity | { readonly problem: OidcProblem }>
}

const TIMEOUT_SECONDS = 5
/** Time after which the provider's addresses and keys are read again. */
const DISCOVERY_LIFETIME_MS = 60 * 60_000
const MAX_GROUPS = 1000
const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']

type Log = (error: unknown) => void

export function createOidcProvider(settings: OidcSettings, onError: Log): OidcProvider {
  const discover = createDiscovery(settings)
  return {
    name: new URL(settings.issuer).host,
    start: async () => {
      const configuration = await discover()
      const secrets = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: settings.callbackUrl,
        scope: settings.scopes,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
      })
      return { url, secrets }
    },
    finish: async (query, secrets) => {
      try {
        const claims = await readClaims(await discover(), new URL(`${settings.callbackUrl}${query}`), secrets)
        return toIdentity(claims)
      } catch (error) {
        onError(error)
        return { problem: classifyError(error) }
      }
    },
  }
}

function createDiscovery({ issuer, clientId, clientSecret }: OidcSettings): () => Promise<client.Configuration> {
  let known: { readonly configuration: Promise<client.Configuration>; readonly readAtMs: number } | undefined
  const url = new URL(issuer)
  // A provider on the same computer, as in tests, may use HTTP. Configuration allows it for loopback addresses only.
  const isLoopback = url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname)
  return () => {
    if (known && performance.now() - known.readAtMs < DISCOVERY_LIFETIME_MS) return known.configuration
    const configuration = client.discovery(url, clientId, clientSecret, undefined, {
      timeout: TIMEOUT_SECONDS,
      execute: [client.enableNonRepudiationChecks, ...(isLoopback ? [client.allowInsecureRequests] : [])],
    })
    const reading = { configuration, readAtMs: performance.now() }
    known = reading
    // After a failure, the next sign-in reads the configuration again.
    configuration.catch(() => {
      if (known === reading) known = undefined
    })
    return configuration
  }
}

interface Claims {
  readonly issuer: string
  readonly subject: string
  readonly email: unknown
  readonly isEmailVerified: boolean
  readonly groups: readonly string[]
}

/** Claims that are not in the ID token are read from the provider's userinfo endpoint. */
async function readClaims(configuration: client.Configuration, url: URL, secrets: FlowSecrets): Promise<Claims> {
  const tokens = await client.authorizationCodeGrant(configuration, url, {
    pkceCodeVerifier: secrets.verifier,
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new Error('the provider sent no ID token')
  const needsMore = claims['email'] === undefined || claims['groups'] === undefined
  const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
  const more = needsMore && hasMore ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
  // The address and its confirmation come from the same answer, so that one answer cannot confirm the other's address.
  const source = claims['email'] === undefined ? more : claims
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: Reflect.get(source, 'email'),
    isEmailVerified: Reflect.get(source, 'email_verified') === true,
    groups: readGroups(claims['groups'] ?? Reflect.get(more, 'groups')),
  }
}

function readGroups(sent: unknown): readonly string[] {
  return Array.isArray(sent) ? sent.filter((group) => typeof group === 'string').slice(0, MAX_GROUPS) : []
}

function toIdentity({
  issuer,
  subject,
  email: sent,
  isEmailVerified,
  groups,
}: Claims): Identity | { readonly problem: OidcProblem } {
  const email = typeof sent === 'string' ? parseEmail(sent) : undefined
  return email === undefined || !isEmailVerified ? { problem: 'email' } : { issuer, subject, email, groups }
}

/** The provider may have refused the person (`denied`), or it may not be working. */
function classifyError(error: unknown): OidcProblem {
  if (error instanceof client.AuthorizationResponseError) return 'denied'
  // The code in the answer was already used, or the answer belongs to another sign-in.
  if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') return 'state'
  if (error instanceof client.ClientError && error.code === 'OAUTH_INVALID_RESPONSE') return 'state'
  return 'provider'
}
