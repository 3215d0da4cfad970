// Requests of the attacks, as bytes. Each function prepares what its requests have in common, and returns the function
// that builds one request.
import { createToken } from '../../../service/src/accounts/keys/token.ts'
import { buildRequest } from '../../../service/test/faults/isolation/loopback-clients.ts'
import { createTestKey } from '../../../service/test/support/builders.ts'
import { SAME_ORIGIN, SESSION_PATH } from '../../../service/test/support/console.ts'
import type { Dice } from '../../../service/test/support/generator/dice.ts'
import { buildGetRequest, buildPostRequest } from '../../../service/test/support/load/connection.ts'
import { buildLargeBatch, type Call } from './calls.ts'
import type { Subjects } from './subjects.ts'

interface AttackInput {
  /** API key of the attacking account; empty for a client without credentials. */
  readonly key: string
  readonly dice: Dice
}

type BuildAttack = (input: AttackInput) => string
export type PrepareAttack = (subjects: Subjects) => BuildAttack

const pick = <T>(values: readonly T[], dice: Dice): T | undefined => values[dice.below(values.length)]

const API = '/api/v1'
const MEGABYTE = 1024 * 1024
const DOCUMENT_COMPONENTS = 5000
/** Versions of each large product in a document. */
const DOCUMENT_VERSIONS = 20
const UNFINISHED_BYTES = 8 * MEGABYTE
/** Together larger than the buffers of a connection. */
const UNREAD_FILES = 12
const SIGN_INS_PER_CONNECTION = 20

/** Sends calls of which each is drawn by the dice. */
export function sendCalls(build: (dice: Dice, subjects: Subjects) => Call, headers = ''): PrepareAttack {
  return (subjects) =>
    ({ key, dice }) => {
      const { path, body } = build(dice, subjects)
      return body === undefined ? buildGetRequest(path, key, headers) : buildPostRequest(path, key, body, headers)
    }
}

/** Reads paths below /api/v1 in turn. A path may name a CVE as {id}, and the newest position as {newest}. */
export function readPaths(...paths: readonly string[]): PrepareAttack {
  return ({ cold, newest }) => {
    let next = 0
    return ({ key, dice }) => {
      next += 1
      const path = paths[next % paths.length] ?? ''
      return buildGetRequest(API + path.replace('{id}', pick(cold, dice) ?? '').replace('{newest}', newest), key)
    }
  }
}

/** Sends bodies to paths below /api/v1 in turn. */
export function postBodies(
  ...posts: readonly (readonly [path: string, body: (dice: Dice) => object])[]
): PrepareAttack {
  return () => {
    let next = 0
    return ({ key, dice }) => {
      next += 1
      const [path, body] = posts[next % posts.length] ?? ['', () => ({})]
      return buildPostRequest(API + path, key, JSON.stringify(body(dice)))
    }
  }
}

/** Reads the first paths as a client without a key. */
export function readAsStranger(...paths: readonly string[]): PrepareAttack {
  return () =>
    ({ dice }) => {
      const headers = dice.below(2) === 0 ? { 'Accept-Encoding': 'gzip' } : {}
      return buildRequest({ path: pick(paths, dice) ?? '/', headers })
    }
}

/** Matches 100 versions of one of the products with the most ranges; the largest one only, if `which` says so. */
export function matchVersions(which: 'largest' | 'any'): PrepareAttack {
  return ({ products }) => {
    const bodies = (which === 'largest' ? products.slice(0, 1) : products).map((product) =>
      JSON.stringify({ components: toComponents(product) }),
    )
    return ({ key, dice }) => buildPostRequest(`${API}/match`, key, pick(bodies, dice) ?? '{}')
  }
}

export const toComponents = ({ vendor, product, versions }: Subjects['products'][number]) =>
  versions.map((version) => ({ vendor, product, version }))

/** Searches by component and asks for facets, so that nothing can be answered from a cache. */
export const searchByProduct: PrepareAttack = ({ products }) => {
  const facets = 'facets=cwe,product,product_vendor,assigner,technique&facet_size=50'
  return ({ key, dice }) => {
    const { vendor = '', product = '', versions = [] } = pick(products, dice) ?? {}
    const cpe = encodeURIComponent(`cpe:2.3:a:${vendor}:${product}:${pick(versions, dice) ?? '1.0'}:*:*:*:*:*:*:*`)
    const query = [`cpe=${cpe}`, 'q=allows%20remote%20attackers', `cpe=${cpe}&exploit=false`][dice.below(3)]
    const after = new Date(dice.below(31_536_000) * 1000).toISOString().slice(0, 19)
    const form = dice.below(2) === 0 ? `/cves/facets?${facets}&` : '/cves?sort=epss_asc&limit=100&'
    return buildGetRequest(`${API}${form}${query}&modified_after=${after}Z`, key)
  }
}

/** Facets of common words over nearly the whole catalog. */
export const countFacets: PrepareAttack =
  () =>
  ({ key, dice }) => {
    const after = new Date(dice.below(31_536_000) * 1000).toISOString().slice(0, 19)
    const facets = 'facets=cwe,product,product_vendor,assigner,technique&facet_size=50'
    return buildGetRequest(`${API}/cves/facets?${facets}&q=vulnerability&modified_after=${after}Z`, key)
  }

/** Facets with many values, over nearly the whole catalog and without words. */
export const countAllFacets: PrepareAttack =
  () =>
  ({ key, dice }) => {
    const after = new Date(dice.below(31_536_000) * 1000).toISOString().slice(0, 19)
    const facets = 'facets=cwe,product,product_vendor,assigner,technique&facet_size=50'
    return buildGetRequest(`${API}/cves/facets?${facets}&modified_after=${after}Z`, key)
  }

/** A document with 5,000 components: packages that the catalog knows, and some versions of its largest products. */
function buildDocument({ packages, products }: Pick<Subjects, 'packages' | 'products'>): string {
  const named = products.flatMap(({ vendor, product, versions }) =>
    versions.slice(0, DOCUMENT_VERSIONS).map((version) => ({
      name: product,
      version,
      cpe: `cpe:2.3:a:${vendor}:${product}:${version}:*:*:*:*:*:*:*`,
    })),
  )
  const packed = Array.from({ length: Math.max(0, DOCUMENT_COMPONENTS - named.length) }, (_, index) => {
    const name = packages[index] ?? `npm/package-${index}`
    return { name, version: '1.0.0', purl: `pkg:${name}@1.0.0` }
  })
  const components = [...named, ...packed].slice(0, DOCUMENT_COMPONENTS)
  return JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: components.map((each) => ({ type: 'library', ...each })),
  })
}

export const scanDocuments: PrepareAttack = (subjects) => {
  const document = buildDocument(subjects)
  return ({ key }) => buildPostRequest(`${API}/sbom`, key, document)
}

/** Starts documents and never sends their last byte. */
export const leaveDocumentsUnfinished: PrepareAttack = () => {
  const bytes = ' '.repeat(UNFINISHED_BYTES)
  return ({ key }) => {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', 'Content-Length': String(bytes.length + 1) }
    return buildRequest({ method: 'POST', path: `${API}/sbom`, headers }) + bytes
  }
}

/** Ranks 500 CVEs, each with several contexts. */
export const prioritizeMany: PrepareAttack =
  ({ cold }) =>
  ({ key, dice }) => {
    const first = dice.below(Math.max(1, cold.length - 500))
    const items = cold.slice(first, first + 500).map((cve_id, index) => ({ cve_id, ref: `host ${index}` }))
    return buildPostRequest(`${API}/prioritize`, key, JSON.stringify({ items }))
  }

export const readSnapshotParts: PrepareAttack =
  ({ snapshot }) =>
  ({ key, dice }) =>
    buildGetRequest(`${API}/snapshots/${snapshot?.id ?? 'none'}/parts/${1 + dice.below(snapshot?.parts ?? 1)}`, key)

/** Several batches of the largest records on one connection. */
export const pipelineBatches: PrepareAttack =
  ({ largest }) =>
  ({ key, dice }) =>
    Array.from({ length: 4 }, () =>
      buildPostRequest(`${API}/cve/batch`, key, buildLargeBatch(largest, dice).body ?? ''),
    ).join('')

const signInAs = (path: string, body: object) =>
  buildRequest({ method: 'POST', path, headers: SAME_ORIGIN, body: JSON.stringify(body) })

/** A sign-in with the token of a link or with a key, neither of which was issued. */
const buildSignIn = (dice: Dice): string =>
  dice.below(2) === 0
    ? signInAs('/console/api/sign-in/token', { token: createToken() })
    : signInAs(SESSION_PATH, { api_key: createTestKey().key })

export const signIn: PrepareAttack =
  () =>
  ({ dice }) =>
    buildSignIn(dice)

/** Asks for large files and then signs in many times, over one connection. */
export const signInBehindFiles: PrepareAttack =
  () =>
  ({ dice }) =>
    buildRequest({ path: '/openapi.json' }).repeat(UNREAD_FILES) +
    Array.from({ length: SIGN_INS_PER_CONNECTION }, () => buildSignIn(dice)).join('')

export const guessSessions: PrepareAttack = () => () =>
  buildRequest({ path: SESSION_PATH, headers: { Cookie: `vis=${createToken()}` } })

export const guessKeys: PrepareAttack = () => () => buildGetRequest(`${API}/ping-lite`, createTestKey().key)

/** Calls that break the contract in their parameters, in their path or in their body. */
export const sendInvalidCalls: PrepareAttack =
  ({ warm }) =>
  ({ key, dice }) => {
    switch (dice.below(4)) {
      case 0:
        return buildGetRequest(`${API}/cves?severity=worst&limit=9999&sort=luck`, key)
      case 1:
        return buildGetRequest(`${API}/cve/${warm[0]}?colour=red`, key)
      case 2:
        return buildPostRequest(`${API}/cve/batch`, key, '{"cve_ids":')
      default:
        return buildPostRequest(`${API}/match`, key, '{"components":[]}')
    }
  }
