// Decides one sign-in request that an API node has forwarded. The node is not trusted and may send anything, so every
// parameter is checked. Who is signed in depends on evidence alone: a link that was mailed or handed over, or the
// OpenID Connect provider's answer to this process.
import type { IdentityRequestKind, TakenRequest } from '../../accounts/people/identity-requests.ts'
import { describeToken, requestLink, signInWithIdentity, useToken } from '../../accounts/people/sign-in.ts'
import type { Database } from '../../database/postgres.ts'
import { parseEmail } from '../../domain/account/email.ts'
import type { OidcProvider } from './oidc-provider.ts'
import { openPending, sealPending } from './sealed-flow.ts'

/** The OpenID Connect provider, and the key that encrypts the state of a pending sign-in. */
export interface OidcSignIn {
  readonly provider: OidcProvider
  readonly flowKey: Buffer
}

export interface SignInDependencies {
  readonly accounts: Database
  /** Undefined if there is no provider. */
  readonly oidc: OidcSignIn | undefined
  readonly sendsMail: boolean
  readonly onMailAsked: () => void
  readonly onProviderError: (error: unknown) => void
}

/** Error: a node sent a request that our own nodes never send. */
class InvalidRequestError extends Error {
  override name = 'InvalidRequestError'
}

type Handler = (sent: Parameters, dependencies: SignInDependencies) => Promise<unknown>

const HANDLERS: Readonly<Record<IdentityRequestKind, Handler>> = {
  link: async (sent, { accounts, sendsMail, onMailAsked }) => {
    if (!sendsMail) throw new InvalidRequestError('no mails are sent')
    const asked = await requestLink(accounts, sent.email(), sent.network())
    onMailAsked()
    return asked
  },
  token: async (sent, { accounts }) => ({
    result: await useToken(accounts, sent.digest('tokenDigest'), readContext(sent)),
  }),
  description: (sent, { accounts }) => describeToken(accounts, sent.digest('tokenDigest')),
  'oidc-start': startAtProvider,
  'oidc-finish': finishAtProvider,
}

/** Returns the answer, which may be a refusal. Throws if the request could not be answered. */
export async function handleRequest(
  { kind, parameters }: Pick<TakenRequest, 'kind' | 'parameters'>,
  dependencies: SignInDependencies,
): Promise<unknown> {
  return HANDLERS[kind](readParameters(parameters), dependencies)
}

async function startAtProvider(sent: Parameters, { oidc, onProviderError }: SignInDependencies): Promise<unknown> {
  const { provider, flowKey } = requireOidc(oidc)
  const returnPath = sent.text('returnPath', 2000)
  try {
    const { url, secrets } = await provider.start()
    return { url: url.href, sealed: sealPending({ ...secrets, returnPath }, flowKey, Date.now()) }
  } catch (error) {
    onProviderError(error)
    return { problem: 'provider' }
  }
}

/**
 * The provider's answer must carry the state of this browser; any other state belongs to a sign-in that someone else
 * began.
 */
async function finishAtProvider(sent: Parameters, { accounts, oidc }: SignInDependencies): Promise<unknown> {
  const { provider, flowKey } = requireOidc(oidc)
  const query = new URLSearchParams(sent.text('query', 8000))
  const pending = openPending(sent.text('sealed', 4096), flowKey, Date.now())
  if (!pending || query.get('state') !== pending.state) return { problem: 'state' }
  const identity = await provider.finish(`?${query.toString()}`, pending)
  if ('problem' in identity) return identity
  const result = await signInWithIdentity(accounts, identity, readContext(sent))
  return { result, returnPath: pending.returnPath }
}

function requireOidc(oidc: OidcSignIn | undefined): OidcSignIn {
  if (oidc) return oidc
  throw new InvalidRequestError('this process has no OpenID Connect provider')
}

function readContext(sent: Parameters) {
  return { sessionDigest: sent.digest('sessionDigest'), network: sent.network() }
}

const DIGEST_PATTERN = /^[0-9a-f]{64}$/

interface Parameters {
  text(name: string, maxLength: number): string
  digest(name: string): string
  email(): string
  network(): string
}

function readParameters(sent: unknown): Parameters {
  const text = (name: string, maxLength: number): string => {
    const value: unknown = typeof sent === 'object' && sent !== null ? Reflect.get(sent, name) : undefined
    if (typeof value === 'string' && value.length <= maxLength) return value
    throw new InvalidRequestError(`${name} is missing or too long`)
  }
  return {
    text,
    digest: (name) => {
      const digest = text(name, 64)
      if (DIGEST_PATTERN.test(digest)) return digest
      throw new InvalidRequestError(`${name} is no digest`)
    },
    email: () => {
      const email = parseEmail(text('email', 254))
      if (email !== undefined) return email
      throw new InvalidRequestError('email is no e-mail address')
    },
    network: () => text('network', 64),
  }
}
