// Asks a registry for the digest of an image, with the HTTP API of the OCI distribution specification. The digest is
// computed from the manifest itself, so that a wrong header from the registry is noticed.
import { createHash } from 'node:crypto'

export interface ImageReference {
  /** Host of the registry, such as docker.io. */
  readonly registry: string
  readonly repository: string
  readonly tag: string
  readonly digest: string | undefined
}

/** Returns the base URL of a registry. */
export type FindRegistry = (registry: string) => string

/** Docker Hub's API has a different host than its image names. */
export const findRegistry: FindRegistry = (registry) =>
  registry === 'docker.io' ? 'https://registry-1.docker.io' : `https://${registry}`

const DIGEST = /^sha256:[0-9a-f]{64}$/
const REFERENCE = /^(?:([a-z0-9.-]+(?::\d+)?)\/)?([a-z0-9._/-]+?)(?::([\w.-]+))?(?:@(sha256:[0-9a-f]{64}))?$/
/** Multi-architecture indexes come first, because the digest of an index is valid on all architectures. */
const MEDIA_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]
const TIMEOUT_MS = 30_000
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024

/** Parses a reference such as postgres:17, ghcr.io/owner/name:1.2.3 or name@sha256:…, following Docker's rules. */
export function parseReference(text: string): ImageReference {
  const [, host, path = '', tag = 'latest', digest] = REFERENCE.exec(text) ?? []
  if (path === '') throw new Error(`${JSON.stringify(text)} is not a reference to an image.`)
  const isHost = host !== undefined && (/[.:]/.test(host) || host === 'localhost')
  const full = host === undefined || isHost ? path : `${host}/${path}`
  const registry = isHost ? host : 'docker.io'
  const repository = registry === 'docker.io' && !full.includes('/') ? `library/${full}` : full
  return { registry, repository, tag, digest }
}

/** Returns the digest to which the registry resolves the tag of an image. */
export async function resolveDigest(text: string, find: FindRegistry = findRegistry): Promise<string> {
  const { registry, repository, tag } = parseReference(text)
  const url = `${find(registry)}/v2/${repository}/manifests/${tag}`
  const answer = await fetchManifest(url, text)
  const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
  if (!MEDIA_TYPES.includes(type))
    throw new Error(`${text}: the registry sent ${type || 'no type'} instead of a manifest.`)
  const body = Buffer.from(await answer.arrayBuffer())
  if (body.length > MAX_MANIFEST_BYTES) throw new Error(`${text}: the manifest has ${body.length} bytes.`)
  const digest = `sha256:${createHash('sha256').update(body).digest('hex')}`
  const stated = answer.headers.get('docker-content-digest')
  if (stated !== null && stated !== digest)
    throw new Error(`${text}: the registry states the digest ${stated}, but its manifest has ${digest}.`)
  return digest
}

async function fetchManifest(url: string, text: string): Promise<Response> {
  const get = (headers: Readonly<Record<string, string>>) =>
    fetch(url, { headers: { Accept: MEDIA_TYPES.join(', '), ...headers }, signal: AbortSignal.timeout(TIMEOUT_MS) })
  let answer = await get({})
  if (answer.status === 401) {
    const token = await fetchToken(answer.headers.get('www-authenticate') ?? '', text)
    answer = await get({ Authorization: `Bearer ${token}` })
  }
  if (!answer.ok) throw new Error(`${text}: the registry answered with ${answer.status}.`)
  return answer
}

/** Fetches a token for a public image, as the registry's WWW-Authenticate header requests. */
async function fetchToken(challenge: string, text: string): Promise<string> {
  const parameters = new Map(
    Array.from(challenge.matchAll(/(realm|service|scope)="([^"]*)"/g), ([, name = '', value = '']) => [name, value]),
  )
  const realm = parameters.get('realm')
  if (!/^Bearer /i.test(challenge) || realm === undefined)
    throw new Error(`${text}: the registry asks for credentials in an unknown way.`)
  const url = new URL(realm)
  for (const name of ['service', 'scope']) {
    const value = parameters.get(name)
    if (value !== undefined) url.searchParams.set(name, value)
  }
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  const { token, access_token: accessToken }: { token?: string; access_token?: string } = answer.ok
    ? await answer.json()
    : {}
  const found = token ?? accessToken
  if (found === undefined) throw new Error(`${text}: the registry gave no token (${answer.status}).`)
  return found
}

export const isDigest = (text: string): boolean => DIGEST.test(text)
