// /llms.txt: a summary of the API in Markdown for language models and their tools (llmstxt.org), built from the pages of
// the guide and from the endpoints. The convention permits a title, a summary, notes, and sections of links.

import type { ServedEndpoint } from '../api/services.ts'
import { INTRODUCTION } from '../contract/openapi/openapi.ts'
import type { Parameter } from '../contract/request/parameters.ts'
import type { GuidePage } from './page.ts'

export function buildLlmsText(
  guide: readonly GuidePage[],
  endpoints: readonly ServedEndpoint[],
  publicUrl: string | null,
): string {
  const toAddress = (path: string) => (publicUrl === null ? path : new URL(path, publicUrl).href)
  const link = (text: string, path: string, about: string) => `- [${text}](${toAddress(path)}): ${about}`
  const [summary, ...notes] = INTRODUCTION.map((paragraph) => paragraph.replaceAll('](/', `](${toAddress('/')}`))
  return `${[
    '# Vulnerability Intelligence Service',
    `> ${summary}`,
    notes.map((note) => `- ${note}`).join('\n'),
    '## Guide',
    guide.map((page) => link(page.title, page.path, page.summary)).join('\n'),
    '## Reference',
    [
      link('openapi.json', '/openapi.json', 'Every call, parameter, response and error, as OpenAPI 3.1.'),
      link('API reference', '/docs', 'The same for people, with test requests.'),
    ].join('\n'),
    '## Calls',
    endpoints
      .map((endpoint) =>
        link(`${endpoint.method} ${endpoint.path}`, toPointer(endpoint.path), describeEndpoint(endpoint)),
      )
      .join('\n'),
    '## Parameters',
    'Values of query parameters. openapi.json explains each of them.',
    listParameters(endpoints).join('\n'),
  ].join('\n\n')}\n`
}

/** Returns the address of a path in openapi.json, with a JSON pointer (RFC 6901) as the fragment. */
function toPointer(path: string): string {
  return encodeURI(`/openapi.json#/paths/${path.replaceAll('/', '~1')}`)
}

function describeEndpoint({ summary, access, credits, parameters, body }: ServedEndpoint): string {
  const price = credits === 0 ? 'free' : `${credits} ${credits === 1 ? 'credit' : 'credits'}`
  const inputs = [
    ['Query', Object.keys(parameters.query)],
    ['Body', Object.keys(body ?? {})],
  ] as const
  const names = inputs.flatMap(([place, each]) => (each.length === 0 ? [] : [` ${place}: ${each.join(', ')}.`]))
  return `${summary} (${access === 'key' ? price : `${price}, no key`}).${names.join('')}`
}

/** Describes the values of each query parameter once. Parameters of the same name can have different values. */
function listParameters(endpoints: readonly ServedEndpoint[]): readonly string[] {
  const lines = endpoints.flatMap(({ parameters: { query } }) =>
    Object.entries(query).map(([name, parameter]) => `- ${name}: ${describeValues(parameter)}`),
  )
  return [...new Set(lines)]
}

interface Described {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly items?: Described
  readonly minimum?: number
  readonly maximum?: number
}

function describeValues({ schema, example, isList }: Parameter<unknown>): string {
  const described: Described = schema
  const { type, minimum, maximum, enum: words } = described.items ?? described
  if (type === 'boolean') return 'true, false'
  if (words) return `${isList ? 'list of ' : ''}${words.join(', ')}`
  if (maximum !== undefined) return `${minimum ?? 0} to ${maximum}`
  return `${isList ? 'list such as' : 'such as'} ${String(example).slice(0, MAX_EXAMPLE_LENGTH)}`
}

/** Longer examples, such as cursors, are cut off. */
const MAX_EXAMPLE_LENGTH = 64
