// Valid calls to all endpoints, as parts that a mutation can change, and their bytes.
import type { Dice } from '../../support/generator/dice.ts'

export interface Call {
  readonly method: string
  readonly target: string
  readonly version: string
  readonly headers: readonly string[]
  readonly body?: string
}

/** A call that is ready to be sent. */
export interface HostileCall {
  /** Name of the mutation. */
  readonly kind: string
  readonly method: string
  /** One character represents one byte. */
  readonly bytes: string
  /** Whether the service may close the connection after its response, so that no call may follow in the same write. */
  readonly mayClose: boolean
}

const IDS = ['CVE-2021-44228', 'CVE-2023-34362', 'CVE-2024-3094', 'CVE-2026-9999'] as const

const TARGETS: readonly ((dice: Dice) => string)[] = [
  () => '/health',
  () => '/api/v1/ping',
  () => '/api/v1/ping-lite',
  () => '/api/v1/usage',
  (dice) => `/api/v1/usage/breakdown?by=${pick(dice, ['day', 'endpoint,key', 'day,endpoint,key'])}`,
  () => '/api/v1/keys',
  () => '/api/v1/origins',
  () => '/api/v1/members',
  (dice) => `/api/v1/audit?limit=${1 + dice.below(200)}`,
  () => '/api/v1/views',
  () => '/api/v1/views/not-assessed',
  () => '/api/v1/watches',
  (dice) => `/api/v1/events?${pick(dice, ['since=start', 'before=now', 'since=0&wait=1'])}`,
  (dice) => `/api/v1/triage?limit=${1 + dice.below(100)}`,
  (dice) => `/api/v1/triage/cve/${pick(dice, IDS)}`,
  () => '/api/v1/triage/openvex',
  () => '/api/v1/stats',
  (dice) => `/api/v1/stats/series?metric=${pick(dice, ['published', 'kev_added', 'became_urgent'])}`,
  (dice) => `/api/v1/stats/top?of=${pick(dice, ['vendor', 'cwe'])}&metric=published`,
  () => '/api/v1/policy',
  () => '/api/v1/filters',
  (dice) => `/api/v1/cve/${pick(dice, IDS)}`,
  (dice) => `/api/v1/cve/${pick(dice, IDS)}?fields=cve_id,epss`,
  (dice) => `/api/v1/cve/${pick(dice, IDS)}/detail`,
  (dice) => `/api/v1/cve/${pick(dice, IDS)}/exploits?limit=${1 + dice.below(100)}`,
  (dice) => `/api/v1/cve/${pick(dice, IDS)}/history?limit=${1 + dice.below(100)}`,
  // The test's catalog has kept its records since 2026-08-21.
  (dice) => `/api/v1/cve/${pick(dice, IDS)}/as-of/${pick(dice, ['2026-08-21', '2026-08-22', '2026-08-10'])}`,
  (dice) => `/api/v1/cve/${pick(dice, IDS)}/epss?to=2026-08-${10 + dice.below(20)}`,
  (dice) => `/api/v1/epss/movers?days=${pick(dice, ['1', '7', '30'])}&limit=${1 + dice.below(100)}`,
  (dice) => `/api/v1/cves?${pick(dice, ['q=log4j', 'severity=critical', `ids=${IDS.join()}`, 'kev=true', 'limit=1'])}`,
  (dice) => `/api/v1/cves/facets?facets=${pick(dice, ['severity', 'cwe,product', 'kev,year,source'])}`,
  (dice) => `/api/v1/suggest?of=${pick(dice, ['product', 'vendor', 'cwe'])}&q=${pick(dice, ['win', 'co', '79'])}`,
  (dice) => `/api/v1/alias/${pick(dice, ['GHSA-jfh8-c2jp-5v3q', 'GCVE-0-2021-44228', 'KB5008212'])}`,
  (dice) => `/api/v1/cves/recent?days=${1 + dice.below(30)}`,
  (dice) => `/api/v1/kev?limit=${1 + dice.below(100)}`,
  (dice) => `/api/v1/kev/history?limit=${1 + dice.below(100)}`,
  (dice) => `/api/v1/changes?since=start&limit=${1 + dice.below(500)}`,
  (dice) => `/api/v1/changes/records?since=start&limit=${1 + dice.below(100)}`,
  () => '/api/v1/changes/summary?since=start',
  () => '/api/v1/snapshots',
  (dice) => `/api/v1/snapshots/20260822T000000Z-5f0c2d9e/parts/${1 + dice.below(3)}`,
]

/** Paths of the endpoints that accept a list or a document in the body. */
export const LIST_PATHS = ['/api/v1/cve/batch', '/api/v1/match', '/api/v1/prioritize', '/api/v1/sbom'] as const

export function pick<T>(dice: Dice, choices: readonly [T, ...T[]]): T
export function pick<T>(dice: Dice, choices: readonly T[]): T | undefined
export function pick<T>(dice: Dice, choices: readonly T[]): T | undefined {
  return choices[dice.below(choices.length)]
}

export function createValidCall(dice: Dice, key: string): Call {
  const headers = ['Host: hostile.test', `X-API-Key: ${key}`]
  const build = pick(dice, [...TARGETS, ...LIST_PATHS.map(() => undefined)])
  if (build) return { method: 'GET', target: build(dice), version: 'HTTP/1.1', headers }
  const target = pick(dice, LIST_PATHS)
  const body = JSON.stringify(createBody(dice, target))
  return { method: 'POST', target, version: 'HTTP/1.1', headers, body }
}

function createBody(dice: Dice, target: (typeof LIST_PATHS)[number]): object {
  const version = `2.${dice.below(20)}`
  if (target === '/api/v1/match') return { components: [{ product: 'log4j', version }] }
  if (target === '/api/v1/sbom')
    return { bomFormat: 'CycloneDX', specVersion: '1.6', components: [{ name: 'log4j', version }] }
  return { cve_ids: IDS.slice(0, 1 + dice.below(IDS.length)) }
}

/** Returns the bytes of a call. A body gets a Content-Length header, unless a header of the call announces the body. */
export function serialize({ method, target, version, headers, body }: Call): string {
  const announcesBody = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header))
  const length = body === undefined || announcesBody ? [] : [`Content-Length: ${body.length}`]
  return `${[`${method} ${target} ${version}`, ...headers, ...length].join('\r\n')}\r\n\r\n${body ?? ''}`
}
