// The types of mutation. Each takes a valid call and returns a call that a hostile or broken client could send. Every
// call must get exactly one final response.
import type { Dice } from '../../support/generator/dice.ts'
import { type Call, createValidCall, type HostileCall, LIST_PATHS, pick, serialize } from './calls.ts'

/** The changed parts of a call. */
interface Mutated extends Partial<Call> {
  readonly mayClose?: boolean
}

type Mutate = (call: Call, dice: Dice, key: string) => Mutated

const withHeaders = ({ headers }: Call, ...more: readonly string[]) => ({ headers: [...headers, ...more] })
const withQuery = ({ target }: Call, text: string) => ({
  target: `${target}${target.includes('?') ? '&' : '?'}${text}`,
})
const percentEncode = (text: string) =>
  [...text].map((each) => `%${each.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')

/** Random characters of one byte each. */
const noise = (dice: Dice, length: number) =>
  Array.from({ length }, () => String.fromCharCode(dice.below(256))).join('')

/** Returns the key in one of the forms in which an answer must not repeat it. */
const disguise = (dice: Dice, key: string) =>
  pick(dice, [key, key.toUpperCase(), percentEncode(key), percentEncode(key).replaceAll('%', '%25'), key.slice(0, 30)])

export const MUTATIONS: Readonly<Record<string, Mutate>> = {
  'no change': () => ({}),
  'another method': (_call, dice) => ({
    method: pick(dice, ['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY', 'OPTIONS', 'POST', 'GET', 'PURGE']),
  }),
  'another spelling of the path': ({ target }, dice) => ({
    target: pick(dice, [
      target.replace('api', 'API'),
      target.replace('/v1/', '/v1//'),
      target.replace('/v1/', '/v1/../v1/'),
      target.replace('/v1/', '/v1/./'),
      target.replace('/v1/', '%2Fv1%2F'),
      target.replace(/(?=\?|$)/, '/'),
      target.replace(/(?=\?|$)/, ';a=b'),
      target.replace(/(?=\?|$)/, '%00'),
      target.replace(/(?=\?|$)/, '/x'),
    ]),
  }),
  'escaped characters in the path': ({ target }, dice) => {
    const at = 1 + dice.below(target.length - 1)
    return { target: target.slice(0, at) + percentEncode(target[at] ?? '') + target.slice(at + 1) }
  },
  'malformed escapes': ({ target }, dice) => {
    const at = 1 + dice.below(target.length)
    return { target: target.slice(0, at) + pick(dice, ['%', '%z', '%FF', '%C0%AF', '%E0%A4%A']) + target.slice(at) }
  },
  'an unknown or repeated parameter': (call, dice) => {
    const name = pick(dice, ['limit', 'q', 'ids', 'fields', 'days', 'sort', '__proto__', 'constructor', 'a[b]', ''])
    return withQuery(call, Array.from({ length: 1 + dice.below(60) }, (_, n) => `${name}=${n}`).join('&'))
  },
  'a random value of a parameter': (call, dice) => {
    const name = pick(dice, ['q', 'after', 'ids', 'severity', 'published_after', 'cvss_min', 'fields', 'sort', 'limit'])
    return withQuery(call, `${name}=${percentEncode(noise(dice, dice.below(300)))}`)
  },
  'an absolute URL': ({ target }, dice) => ({
    target:
      pick(dice, ['http://a', 'HTTPS://A:8080', 'http://a:99999', 'http://[::1', 'ftp://a', 'http://u:p@a']) + target,
  }),
  'another Host': ({ headers }, dice) => ({
    headers: [
      ...headers.slice(1),
      ...(pick(dice, [
        [],
        ['Host: a', 'Host: b'],
        ['Host:'],
        ['Host: [::1'],
        ['Host: a b'],
        [`Host: ${'x'.repeat(300)}`],
      ]) ?? []),
    ],
  }),
  'another key': ({ headers: [host = ''] }, dice, key) => ({
    headers: [
      host,
      ...(pick(dice, [
        [],
        ['X-API-Key:'],
        [`X-API-Key: ${key}x`],
        [`X-API-Key: ${key}`, `X-API-Key: ${key}`],
        [`X-API-Key: ${key},${key}`],
        [`Authorization: Bearer ${key}`],
        [`X-API-Key: ${key.toLowerCase()}`],
      ]) ?? []),
    ],
  }),
  'a key in a wrong place': (call, dice, key) => {
    const text = disguise(dice, key)
    return pick<(text: string) => Mutated>(dice, [
      () => withQuery(call, `${pick(dice, ['api_key', 'q', 'after', 'ids', 'severity'])}=${text}`),
      () => withQuery(call, `${text}=1`),
      () => ({ target: `/api/v1/cve/${text}` }),
      () => ({ target: `http://${text}@a:99999/` }),
      () =>
        withHeaders(call, `${pick(dice, ['X-Request-Id', 'Referer', 'Cookie', 'Origin', 'If-None-Match'])}: ${text}`),
      () => ({
        ...call,
        method: 'POST',
        target: pick(dice, LIST_PATHS),
        body: JSON.stringify({ cve_ids: [text], [text]: text }),
      }),
    ])(text)
  },
  'unusual headers': (call, dice) =>
    withHeaders(
      call,
      ...Array.from({ length: 1 + dice.below(20) }, (_, n) => {
        const name = pick(dice, ['X', 'Accept', 'Range', 'Origin', 'If-Match', 'Content-Type', 'Via', 'TE', 'Cookie'])
        return `${name}${n}: ${noise(dice, dice.below(80)).replaceAll(/\p{Cc}/gu, '~')}`
      }),
    ),
  'a malformed header': (call, dice) => ({
    ...withHeaders(call, pick(dice, ['X-A : b', ' folded', 'no colon', ': b', 'X-A: a\0b', 'X-A: a\rb', 'X(A): b'])),
    mayClose: true,
  }),
  'a malformed request line': (call, dice) => ({
    ...pick(dice, [
      { method: 'FETCH' },
      { method: 'get' },
      { version: 'HTTP/1.2' },
      { version: 'HTTP/2.0' },
      { version: 'HTTP/x' },
      { version: 'ICE/1.0' },
      { target: 'relative' },
      { target: `${call.target}#fragment` },
      { target: `${call.target} x` },
      { target: `${call.target}\xe9` },
      { method: 'CONNECT', target: 'a:443' },
    ]),
    mayClose: true,
  }),
  'an Expect header': (call, dice) => ({
    ...withHeaders(call, `Expect: ${pick(dice, ['100-continue', '100-Continue', 'miracles', '100-continue, x'])}`),
    mayClose: true,
  }),
  'another kind of connection': (call, dice) => ({
    ...withHeaders(call, ...(pick(dice, [['Connection: close'], ['Connection: Upgrade', 'Upgrade: h2c'], []]) ?? [])),
    version: pick(dice, ['HTTP/1.0', 'HTTP/1.1']),
    mayClose: true,
  }),
  'a hostile body': (call, dice) => ({
    ...call,
    method: 'POST',
    target: pick(dice, LIST_PATHS),
    body: pick(dice, [
      '',
      'null',
      '[]',
      '{"cve_ids":',
      '{"cve_ids":[]}',
      '{"cve_ids":[1,null,{},[]]}',
      '{"items":[{"cve_id":"CVE-2021-44228","exposure":{}},null,1,{"ref":[]}]}',
      '{"cve_ids":["CVE-2021-44228"],"cve_ids":["x"]}',
      '{"__proto__":{"cve_ids":["CVE-2021-44228"]}}',
      `{"cve_ids":${'['.repeat(2000)}${']'.repeat(2000)}}`,
      `{"cve_ids":["${'x'.repeat(5000)}"]}`,
      `{"cve_ids":[${Array.from({ length: 200 }, () => '"CVE-2021-44228"').join()}]}`,
      `{"cve_ids":["\\ud800"],"fields":1e999}`,
      noise(dice, dice.below(200)),
    ]),
  }),
  'another framing of the body': (call, dice) => {
    const body = call.body ?? '{"cve_ids":["CVE-2024-3094"]}'
    const size = body.length.toString(16)
    const headers = [...call.headers, 'Transfer-Encoding: chunked']
    const chunks = pick(dice, [
      `${size}\r\n${body}\r\n0\r\n\r\n`,
      `${size};x=y\r\n${body}\r\n0\r\nX-Trailer: z\r\n\r\n`,
      `zz\r\n${body}\r\n0\r\n\r\n`,
      `5\r\n${body}\r\n0\r\n\r\n`,
      `${size}\n${body}\n0\n\n`,
      `${'f'.repeat(17)}\r\n${body}`,
    ])
    const length = pick(dice, [[], [], [], ['Content-Length: 5'], ['Transfer-Encoding: identity']]) ?? []
    return { headers: [...headers, ...length], body: chunks, mayClose: true }
  },
  'another type of the body': (call, dice) =>
    withHeaders(
      { ...call },
      `Content-Type: ${pick(dice, ['text/plain', 'application/json; charset=utf-16', 'application/xml', 'x', 'application/JSON'])}`,
      `Content-Encoding: ${pick(dice, ['gzip', 'identity', 'x'])}`,
    ),
  'too large': (call, dice) =>
    pick<() => Mutated>(dice, [
      () => ({ target: `/api/v1/cve/${'x'.repeat(8100 + dice.below(300))}` }),
      () => withQuery(call, `q=${'x'.repeat(9000)}`),
      () => ({ ...withHeaders(call, `X-Padding: ${'x'.repeat(17_000)}`), mayClose: true }),
      () => ({ target: `/${'x'.repeat(20_000)}`, mayClose: true }),
      () => ({ method: 'POST', target: pick(dice, LIST_PATHS), body: 'x'.repeat(65_500 + dice.below(100)) }),
    ])(),
  'conditions and encodings': (call, dice) => ({
    ...withHeaders(
      call,
      `If-None-Match: ${pick(dice, ['*', '"x"', 'W/"x", *', ',', '"'])}`,
      `Accept-Encoding: ${pick(dice, ['gzip', 'gzip;q=0', '*', 'br', ';', 'gzip, gzip;q=0'])}`,
    ),
    ...(call.body === undefined ? { method: pick(dice, ['GET', 'HEAD']) } : {}),
  }),
}

export function createHostileCall(dice: Dice, key: string): HostileCall {
  const kind = pick(dice, Object.keys(MUTATIONS)) ?? ''
  const call = createValidCall(dice, key)
  const { mayClose = false, ...changes }: Mutated = MUTATIONS[kind]?.(call, dice, key) ?? {}
  const mutated = { ...call, ...changes }
  return { kind, method: mutated.method, bytes: serialize(mutated), mayClose }
}
