// Turns the raw path, query and body of a request into typed input. Throws one error that lists every validation issue,
// in the specification's order of parameters.

import type { AnyInput, Endpoint, Rule } from './endpoint.ts'
import { isObject, readMember } from './request/body.ts'
import type { Parameters, RawValue } from './request/parameters.ts'
import { MAX_PARAMETERS, splitQuery } from './request/query-string.ts'
import {
  createIssue,
  createUnknownNameIssue,
  echoName,
  type Reading,
  type ValidationIssue,
} from './request/validation-issue.ts'
import { invalidParameters } from './response/errors.ts'

export interface RawInput {
  readonly path: Readonly<Record<string, string | undefined>>
  readonly query: string
  /** The parsed JSON body; undefined if the body is empty. */
  readonly body: unknown
}

type RawQuery = ReadonlyMap<string, readonly RawValue[]>

export function readInput(endpoint: Pick<Endpoint<never>, 'parameters' | 'body' | 'rules'>, raw: RawInput): AnyInput {
  const rawQuery = raw.query === '' ? NO_QUERY : splitQuery(raw.query)
  const path = collect(readPath(endpoint.parameters.path, raw.path))
  const query = rawQuery === NO_QUERY ? readNoQuery(endpoint) : collect(readQuery(endpoint.parameters.query, rawQuery))
  const body = collect(readBody(endpoint, raw.body))
  const input = { path: path.values, query: query.values, body: body.values }
  const valueIssues = [...path.issues, ...query.issues, ...body.issues]
  const ruleIssues = checkRules(endpoint, input, { valueIssues, rawQuery, rawBody: raw.body })
  const issues = [
    ...sortIssues(endpoint, [...valueIssues, ...ruleIssues]),
    ...findUnknownNames(endpoint, rawQuery, raw.body),
  ]
  const [first, ...rest] = issues
  if (first) throw invalidParameters([first, ...rest])
  return input
}

/**
 * Throws if the path or query of an endpoint with a body is invalid. It is called before the body is read, so that an
 * invalid call costs little (decision E52).
 */
export function checkParameters(
  endpoint: Pick<Endpoint<never>, 'parameters' | 'body'>,
  raw: Pick<RawInput, 'path' | 'query'>,
): void {
  const rawQuery = raw.query === '' ? NO_QUERY : splitQuery(raw.query)
  const { issues: pathIssues } = collect(readPath(endpoint.parameters.path, raw.path))
  const { issues: queryIssues } = collect(readQuery(endpoint.parameters.query, rawQuery))
  const [first, ...rest] = [...pathIssues, ...queryIssues, ...findUnknownNames(endpoint, rawQuery, undefined)]
  if (first) throw invalidParameters([first, ...rest])
}

/** Reads a query string that is a value itself, such as the query of a saved search. */
export function readQueryString(
  contract: { readonly parameters: Parameters; readonly rules: readonly Rule<never>[]; readonly owner: string },
  text: string,
): Reading<Readonly<Record<string, unknown>>> {
  // The cast is safe: the rules check values that the same parameters have read.
  const rules = contract.rules as Endpoint<never>['rules']
  const parts = { parameters: { path: {}, query: contract.parameters }, body: undefined, rules }
  const rawQuery = splitQuery(text)
  const { values, issues: valueIssues } = collect(readQuery(contract.parameters, rawQuery))
  const input = { path: {}, query: values, body: {} }
  const ruleIssues = checkRules(parts, input, { valueIssues, rawQuery, rawBody: undefined })
  const unknown = findUnknownNames(parts, rawQuery, undefined, contract.owner)
  const issues = [...sortIssues(parts, [...valueIssues, ...ruleIssues]), ...unknown]
  return issues.length > 0 ? { issues } : { value: values }
}

const NO_QUERY: RawQuery = new Map()

/** Values and issues of a request without a query string, which are the same for every request to an endpoint. */
const withoutQuery = new WeakMap<Parameters, Collected>()

function readNoQuery({ parameters: { query } }: Pick<Endpoint<never>, 'parameters'>): Collected {
  const known = withoutQuery.get(query)
  if (known) return known
  const collected = collect(readQuery(query, NO_QUERY))
  withoutQuery.set(query, Object.freeze({ ...collected, values: Object.freeze(collected.values) }))
  return collected
}

interface Collected {
  readonly values: Record<string, unknown>
  readonly issues: readonly ValidationIssue[]
}

type Readings = readonly (readonly [string, Reading<unknown>])[]

function collect(readings: Readings): Collected {
  const values: Record<string, unknown> = Object.create(null)
  const issues: ValidationIssue[] = []
  for (const [name, reading] of readings) {
    if ('value' in reading) values[name] = reading.value
    else issues.push(...reading.issues)
  }
  return { values, issues }
}

function readPath(parameters: Parameters, path: RawInput['path']): Readings {
  return Object.entries(parameters).map(([name, parameter]) => {
    return [name, parameter.read(name, [{ text: path[name] ?? '', isMalformed: false }])]
  })
}

function readQuery(parameters: Parameters, rawQuery: RawQuery): Readings {
  return Object.entries(parameters).map(([name, parameter]) => [name, parameter.read(name, rawQuery.get(name) ?? [])])
}

function readBody(endpoint: Pick<Endpoint<never>, 'body'>, sent: unknown): Readings {
  if (endpoint.body === undefined) return []
  // An empty body is read as an empty object, so that the error names the required fields.
  const body = sent === undefined ? {} : sent
  if (!isObject(body)) return [['body', { issues: [createIssue('body', body, 'a JSON object')] }]]
  return Object.entries(endpoint.body).map(([name, field]) => [name, field.read(name, readMember(body, name))])
}

interface RawParts {
  readonly valueIssues: readonly ValidationIssue[]
  readonly rawQuery: RawQuery
  readonly rawBody: unknown
}

/** Checks a rule on several parameters only if all of them have valid values. */
function checkRules(endpoint: Pick<Endpoint<never>, 'rules'>, input: AnyInput, parts: RawParts): ValidationIssue[] {
  const { valueIssues, rawQuery, rawBody } = parts
  if (endpoint.rules.length === 0) return []
  const invalid = new Set(valueIssues.map(getFieldName))
  if (invalid.has('body')) return []
  return endpoint.rules.flatMap((rule) => {
    const [first] = rule.parameters
    const message = rule.parameters.some((name) => invalid.has(name)) ? undefined : rule.check(input)
    if (message === undefined) return []
    const value = rawQuery.get(first)?.[0]?.text ?? (isObject(rawBody) ? rawBody[first] : null) ?? null
    return [{ ...createIssue(first, value, message), message }]
  })
}

function sortIssues(
  endpoint: Pick<Endpoint<never>, 'parameters' | 'body'>,
  issues: readonly ValidationIssue[],
): ValidationIssue[] {
  if (issues.length < 2) return [...issues]
  const { path, query } = endpoint.parameters
  // The specification lists body fields before query parameters. A name that is both counts as a body field.
  const order = [...Object.keys(path), ...Object.keys(endpoint.body ?? {}), ...Object.keys(query)]
  return [...issues].sort((a, b) => order.indexOf(getFieldName(a)) - order.indexOf(getFieldName(b)))
}

/** Returns the name of the parameter or body field that an issue concerns: `items` for `items[3].exposure`. */
function getFieldName({ parameter }: ValidationIssue): string {
  return parameter.split(/[[.]/, 1)[0] ?? parameter
}

const THIS_ENDPOINT = 'this endpoint'
const BODY_FIELD = { kind: 'body field', owner: THIS_ENDPOINT }

/**
 * Rejects unknown names of parameters and body fields. If a misspelt filter were ignored, the response would contain
 * CVEs that the caller wanted to exclude (decision B6).
 */
function findUnknownNames(
  endpoint: Pick<Endpoint<never>, 'parameters' | 'body'>,
  rawQuery: RawQuery,
  body: unknown,
  owner = THIS_ENDPOINT,
): ValidationIssue[] {
  if (rawQuery.size === 0 && endpoint.body === undefined) return []
  const queryNames = Object.keys(endpoint.parameters.query)
  const bodyNames = Object.keys(endpoint.body ?? {})
  const unknownInQuery = [...rawQuery].filter(([name]) => !queryNames.includes(name))
  const unknownInBody =
    endpoint.body !== undefined && isObject(body)
      ? Object.entries(body).filter(([name]) => !bodyNames.includes(name))
      : []
  return [
    ...checkParameterCount(rawQuery),
    ...unknownInQuery
      .slice(0, MAX_PARAMETERS)
      .map(([name, values]) =>
        createUnknownNameIssue(name, values[0]?.text ?? '', queryNames, { kind: 'query parameter', owner }),
      ),
    ...unknownInBody
      .slice(0, MAX_PARAMETERS)
      .map(([name, value]) => createUnknownNameIssue(name, value, bodyNames, BODY_FIELD)),
  ]
}

function checkParameterCount(rawQuery: RawQuery): ValidationIssue[] {
  const names = [...rawQuery].flatMap(([name, values]) => values.map(() => name))
  const extra = names[MAX_PARAMETERS]
  return extra === undefined
    ? []
    : [createIssue(echoName(extra), null, `among at most ${MAX_PARAMETERS} parameters; ${names.length} were sent`)]
}
