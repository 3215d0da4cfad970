// The rows of the isolation table against openapi.json: every endpoint is attacked, or covered by an attack on the same
// work, and the attacks send what they say.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { createDice } from '../../../service/test/support/generator/dice.ts'
import { sendRaw } from '../../../service/test/support/network/raw-socket.ts'
import { startTestService } from '../../../service/test/support/service.ts'
import { ATTACK_NAMES, findAttack } from './attacks.ts'
import type { Subjects } from './subjects.ts'

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const openapi: OpenApi = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
const endpoints = Object.entries(openapi.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => method in item).map((method) => `${method.toUpperCase()} ${path}`),
)

const SUBJECTS: Subjects = {
  warm: Array.from({ length: 30 }, (_, index) => `CVE-2024-${1000 + index}`),
  cold: ['CVE-2024-2000', 'CVE-2024-2001'],
  largest: ['CVE-2024-3000'],
  products: [{ vendor: 'maker', product: 'kernel', versions: ['1.0', '1.1'] }],
  packages: ['npm/lark'],
  newest: 'start',
  snapshot: { id: '20261117T020000Z-5f0c2d9e', parts: 1 },
}
const BUILT_REQUESTS = 60
const REQUEST_LINE = /^([A-Z]+) (\S+) HTTP\/1\.1\r$/gm

/** Builds requests of an attack and returns each different form once, by its method, path and names of parameters. */
function listTargets(name: (typeof ATTACK_NAMES)[number], key = 'a key'): Map<string, string> {
  const [build, dice] = [findAttack(name).prepare(SUBJECTS), createDice(1, 0, 0)]
  const targets = new Map<string, string>()
  for (let index = 0; index < BUILT_REQUESTS; index += 1) {
    const request = build({ key, dice })
    for (const [, method = '', url = ''] of request.slice(0, 100_000).matchAll(REQUEST_LINE))
      targets.set(`${method} ${url.replaceAll(/=[^&]*/g, '')}`, request)
  }
  return targets
}

/** Whether a request line such as "GET /api/v1/cve/CVE-2024-1" is of the endpoint "GET /api/v1/cve/{cve-id}". */
function isOf(endpoint: string, request: string): boolean {
  const [target = ''] = request.split('?', 1)
  const form = endpoint.split('/').map((part) => (part.startsWith('{') ? '[^/]+' : part.replaceAll('.', '\\.')))
  // A fixed path such as /cve/batch is not an id.
  return new RegExp(`^${form.join('/')}$`).test(target) && (endpoint === target || !endpoints.includes(target))
}

describe('Attacks in the isolation table', () => {
  it('call every endpoint in openapi.json, or name it as covered by another call', () => {
    const named = new Set(
      ATTACK_NAMES.map(findAttack).flatMap(({ calls, covers = {} }) => [...calls, ...Object.keys(covers)]),
    )
    expect(endpoints.filter((endpoint) => !named.has(endpoint))).toEqual([])
    expect([...named].filter((endpoint) => !endpoints.includes(endpoint))).toEqual([])
  })

  it.each(ATTACK_NAMES)('call the endpoints that they name: %s', (name) => {
    const targets = [...listTargets(name).keys()]
    const missing = findAttack(name).calls.filter((endpoint) => !targets.some((target) => isOf(endpoint, target)))
    expect([missing, targets.length > 0]).toEqual([[], true])
  })
})

describe('Calls in the attacks', async () => {
  const { api, given } = await startTestService({ environment: { CONSOLE_KEY_SIGN_IN: 'on' } })
  const key = createTestKey()
  await given(
    account('pro')
      .withQuota(1_000_000)
      .withKey(key, { scopes: ['read', 'manage', 'watch', 'triage'] }),
  )
  const byAnswer = ATTACK_NAMES.filter((name) => name !== 'invalid-calls' && findAttack(name).manner !== 'hold')

  it.each(byAnswer)('are valid, so that they are not refused early: %s', async (name) => {
    const answers = []
    for (const [target, request] of listTargets(name, key.key)) {
      const closing = request.replace('HTTP/1.1\r\n', 'HTTP/1.1\r\nConnection: close\r\n')
      const { status, body } = await sendRaw(api.port, closing, name === 'long-polls' ? 500 : undefined)
      answers.push({ target, status, problem: [400, 403, 413, 415].includes(status) ? body : '' })
    }
    // A call that waits for changes is not answered while there are none.
    const expectsAnswer = name !== 'long-polls'
    expect(answers.filter(({ status, problem }) => (expectsAnswer && status === 0) || problem !== '')).toEqual([])
  })
})
