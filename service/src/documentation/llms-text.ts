// /llms.txt: a summary of the API in Markdown for language models and their tools (llmstxt.org), built from the pages of
// the guide and from the endpoints. The convention permits a title, a summary, notes, and sections of links.
import type { TSchema } from 'typebox'
import type { ServedEndpoint } from '../api/services.ts'
import { INTRODUCTION } from '../contract/openapi.ts'
import type { Parameters } from '../contract/parameters.ts'
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
        [
          link(`${endpoint.method} ${endpoint.path}`, toPointer(endpoint.path), describeEndpoint(endpoint)),
          ...listInput(endpoint),
        ].join('\n'),
      )
      .join('\n'),
  ].join('\n\n')}\n`
}

/** Returns the address of a path in openapi.json, with a JSON pointer (RFC 6901) as the fragment. */
function toPointer(path: string): string {
  return encodeURI(`/openapi.json#/paths/${path.replaceAll('/', '~1')}`)
}

function describeEndpoint({ summary, description, access, credits }: ServedEndpoint): string {
  const price = credits === 0 ? 'free' : `${credits} ${credits === 1 ? 'credit' : 'credits'}`
  return `${summary}. ${description} (${access === 'key' ? 'Needs a key' : 'Needs no key'}; ${price}.)`
}

function listInput({ parameters, body }: ServedEndpoint): string[] {
  return [
    ...listParameters('path', parameters.path),
    ...listParameters('query', parameters.query),
    ...Object.entries(body ?? {}).map(([name, { schema, isRequired }]) => {
      const { description = '' }: Described = schema
      return formatInput(name, 'body', isRequired, [description])
    }),
  ]
}

function listParameters(location: 'path' | 'query', parameters: Parameters): string[] {
  return Object.entries(parameters).map(([name, { description, schema, isRequired, example }]) =>
    formatInput(name, location, isRequired, [description, describeValues(schema), `Example: \`${String(example)}\`.`]),
  )
}

function formatInput(name: string, location: string, isRequired: boolean, sentences: readonly string[]): string {
  const kind = isRequired ? `${location}, required` : location
  return `  - \`${name}\` (${kind}): ${sentences.filter((each) => each !== '').join(' ')}`
}

interface Described {
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly items?: Described
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: string | number | boolean
}

function describeValues(schema: TSchema): string {
  const { items, minimum, maximum, default: fallback, ...rest }: Described = schema
  const choices = rest.enum ?? items?.enum
  const sentences = [
    ...(choices === undefined ? [] : [`Values: ${choices.join(', ')}.`]),
    ...(maximum === undefined ? [] : [`From ${minimum ?? 0} to ${maximum}.`]),
    ...(fallback === undefined ? [] : [`Default: ${fallback}.`]),
  ]
  return sentences.join(' ')
}
