// The search as a command or a program, for people who want to run it elsewhere.
import type { SearchFilters } from 'vis-sdk'
import { CREATE_CLIENT } from '../../text/program.ts'

export type QueryLanguage = 'curl' | 'visctl' | 'typescript'

type Value = string | number | boolean | readonly string[]

const toEntries = (parameters: SearchFilters) => Object.entries(parameters) as readonly [string, Value][]

export function formatQuery(language: QueryLanguage, parameters: SearchFilters): string {
  switch (language) {
    case 'curl':
      return formatCurl(parameters)
    case 'visctl':
      return formatVisctl(parameters)
    case 'typescript':
      return formatTypeScript(parameters)
  }
}

/** Returns the query string with which the API answers the same search. */
export function formatQueryString(parameters: object): string {
  // The cast is safe: the values are those of filters.
  const entries = Object.entries(parameters) as readonly [string, Value][]
  return new URLSearchParams(
    entries.flatMap(([name, value]) => listTexts(value).map((text) => [name, text] as [string, string])),
  ).toString()
}

function formatCurl(parameters: SearchFilters): string {
  const data = toEntries(parameters).flatMap(([name, value]) =>
    listTexts(value).map((text) =>
      isPlain(text) ? `--data ${name}=${text}` : `--data-urlencode ${quote(`${name}=${text}`)}`,
    ),
  )
  return [`curl --get "$VIS_URL/api/v1/cves" --header "X-API-Key: $VIS_API_KEY"`, ...data].join(' \\\n  ')
}

/** A name with a comma is a parameter of its own, as vis-sdk sends it. */
function listTexts(value: Value): readonly string[] {
  if (typeof value !== 'object') return [String(value)]
  const plain = value.filter((item) => !item.includes(','))
  return [...(plain.length > 0 ? [plain.join(',')] : []), ...value.filter((item) => item.includes(','))]
}

function formatVisctl({ q, ...parameters }: SearchFilters): string {
  // visctl adds include=enrichment itself if a filter needs it.
  const entries = toEntries(parameters).filter(([name]) => name !== 'include')
  const options = entries.map(([name, value]) => {
    const flag = name.replaceAll('_', '-')
    if (typeof value === 'boolean') return value ? `--${flag}` : `--no-${flag}`
    return `--${flag} ${quoteIfNeeded(String(value))}`
  })
  return [q === undefined ? 'visctl search' : `visctl search --q=${quoteIfNeeded(q)}`, ...options].join(' \\\n  ')
}

function formatTypeScript(parameters: SearchFilters): string {
  const members = toEntries(parameters).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`)
  return `${CREATE_CLIENT}
const cves = client.search({
${members.join('\n')}
})
for await (const cve of cves) console.log(cve.cve_id, cve.severity)`
}

/** Returns whether a shell and curl pass the text on unchanged. */
function isPlain(text: string): boolean {
  return /^[\w.,:-]+$/.test(text)
}

function quoteIfNeeded(text: string): string {
  return isPlain(text) ? text : quote(text)
}

/** Quotes a text for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
