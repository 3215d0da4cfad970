// Raw path, query and body → typed input, or one error that lists every fault in the order of the specification.
import type { AnyInput, Endpoint } from './endpoint.ts'
import { invalidParameters } from './errors.ts'
import type { Parameters, Sent } from './parameters.ts'
import { MAX_PARAMETERS, splitQuery } from './query-string.ts'
import { type Fault, fault, type Reading, unknownName } from './validation-issue.ts'

export interface RawInput {
  readonly path: Readonly<Record<string, string | undefined>>
  readonly query: string
  readonly body: unknown
}

export function readInput(endpoint: Pick<Endpoint<never>, 'parameters' | 'body' | 'rules'>, raw: RawInput): AnyInput {
  const sent = splitQuery(raw.query)
  const path = gather(readPath(endpoint.parameters.path, raw.path))
  const query = gather(readKnown(endpoint.parameters.query, sent))
  const body = gather(readBody(endpoint, raw.body))
  const input = { path: path.values, query: query.values, body: body.values }
  const known = [...path.faults, ...query.faults, ...body.faults]
  const broken = brokenRules(endpoint, input, { known, sent, body: raw.body })
  const faults = [...inOrder(endpoint, [...known, ...broken]), ...strangers(endpoint, sent, raw.body)]
  const [first, ...rest] = faults
  if (first) throw invalidParameters([first, ...rest])
  return input
}

type Readings = readonly (readonly [string, Reading<unknown>])[]

function gather(readings: Readings) {
  const values: Record<string, unknown> = Object.create(null)
  const faults: Fault[] = []
  for (const [name, reading] of readings) {
    if ('value' in reading) values[name] = reading.value
    else faults.push(...reading.faults)
  }
  return { values, faults }
}

function readPath(parameters: Parameters, path: RawInput['path']): Readings {
  return Object.entries(parameters).map(([name, parameter]) => {
    return [name, parameter.read(name, [{ text: path[name] ?? '', isBroken: false }])]
  })
}

function readKnown(parameters: Parameters, sent: ReadonlyMap<string, readonly Sent[]>): Readings {
  return Object.entries(parameters).map(([name, parameter]) => [name, parameter.read(name, sent.get(name) ?? [])])
}

function readBody(endpoint: Pick<Endpoint<never>, 'body'>, body: unknown): Readings {
  if (endpoint.body === undefined) return []
  if (!isObject(body)) return [['body', { faults: [fault('body', body ?? null, 'a JSON object')] }]]
  return Object.entries(endpoint.body).map(([name, field]) => [
    name,
    field.read(name, Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined),
  ])
}

interface Known {
  readonly known: readonly Fault[]
  readonly sent: ReadonlyMap<string, readonly Sent[]>
  readonly body: unknown
}

/** A rule is judged only when everything it reads could be read. */
function brokenRules(endpoint: Pick<Endpoint<never>, 'rules'>, input: AnyInput, { known, sent, body }: Known): Fault[] {
  if (endpoint.rules.length === 0) return []
  const unreadable = new Set(known.map(({ parameter }) => parameter))
  if (unreadable.has('body')) return []
  return endpoint.rules.flatMap((rule) => {
    const [named] = rule.of
    const message = rule.of.some((name) => unreadable.has(name)) ? undefined : rule.broken(input)
    if (message === undefined) return []
    const value = sent.get(named)?.[0]?.text ?? (isObject(body) ? body[named] : null) ?? null
    return [{ ...fault(named, value, message), message }]
  })
}

function inOrder(endpoint: Pick<Endpoint<never>, 'parameters' | 'body'>, faults: readonly Fault[]): Fault[] {
  if (faults.length < 2) return [...faults]
  const { path, query } = endpoint.parameters
  // The specification's table of an endpoint with a body begins with the body; a name in both stands there.
  const order = [...Object.keys(path), ...Object.keys(endpoint.body ?? {}), ...Object.keys(query)]
  return [...faults].sort((a, b) => order.indexOf(a.parameter) - order.indexOf(b.parameter))
}

/** Names nobody knows, after those that somebody does: a typo must not return the whole corpus (decision B6). */
function strangers(
  endpoint: Pick<Endpoint<never>, 'parameters' | 'body'>,
  sent: ReadonlyMap<string, readonly Sent[]>,
  body: unknown,
): Fault[] {
  if (sent.size === 0 && endpoint.body === undefined) return []
  const knownQuery = Object.keys(endpoint.parameters.query)
  const knownBody = Object.keys(endpoint.body ?? {})
  const inQuery = [...sent].filter(([name]) => !knownQuery.includes(name))
  const inBody =
    endpoint.body !== undefined && isObject(body)
      ? Object.entries(body).filter(([name]) => !knownBody.includes(name))
      : []
  return [
    ...tooMany(sent),
    ...inQuery
      .slice(0, MAX_PARAMETERS)
      .map(([name, values]) => unknownName(name, values[0]?.text ?? '', knownQuery, 'query parameter')),
    ...inBody.slice(0, MAX_PARAMETERS).map(([name, value]) => unknownName(name, value, knownBody, 'body field')),
  ]
}

function tooMany(sent: ReadonlyMap<string, readonly Sent[]>): Fault[] {
  const names = [...sent].flatMap(([name, values]) => values.map(() => name))
  const extra = names[MAX_PARAMETERS]
  return extra === undefined
    ? []
    : [fault(extra, null, `among at most ${MAX_PARAMETERS} parameters; ${names.length} were sent`)]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
