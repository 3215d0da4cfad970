// Parses the pasted lines: a package URL, a CPE name, or "vendor product version" per line.
import type { Component } from 'vis-sdk'

/** Maximum number of components that the service matches in one call. */
export const MAX_LINES = 100
const MAX_NAME_LENGTH = 512
const MAX_WORDS_LENGTH = 128
/** A digit, or one letter and a digit: `2.14.1`, `v2.14.1`. Names such as `log4j` also contain digits. */
const VERSION = /^[a-z]?\d/i

export interface ComponentLine {
  /** Line number, starting at 1. */
  readonly line: number
  readonly component: Component
}

export interface LineIssue {
  readonly line: number
  /** A sentence that says what is wrong and what to write instead. */
  readonly message: string
}

export interface ReadLines {
  readonly lines: readonly ComponentLine[]
  readonly issues: readonly LineIssue[]
}

/** Parses text line by line. Empty lines and lines that begin with `#` are skipped. */
export function readLines(text: string): ReadLines {
  const given = text
    .split(/\r\n|\r|\n/)
    .map((each, index) => ({ line: index + 1, words: each.trim() }))
    .filter(({ words }) => words !== '' && !words.startsWith('#'))
  const read = given.slice(0, MAX_LINES).map(({ line, words }) => ({ line, ...readLine(words) }))
  const excess = given[MAX_LINES]
  return {
    lines: read.flatMap(({ line, component }) => (component ? [{ line, component }] : [])),
    issues: [
      ...read.flatMap(({ line, message }) => (message === undefined ? [] : [{ line, message }])),
      ...(excess ? [{ line: excess.line, message: describeExcess(given.length) }] : []),
    ],
  }
}

/** A component, or what is wrong with the line. */
type LineResult =
  | { readonly component: Component; readonly message?: undefined }
  | { readonly component?: undefined; readonly message: string }

function readLine(words: string): LineResult {
  if (/^pkg:/i.test(words)) return readPurl(words)
  if (/^cpe:/i.test(words)) return readCpe(words)
  return readWords(words)
}

function readPurl(purl: string): LineResult {
  if (/\s/.test(purl)) return { message: 'A package URL contains no blank. Write one component per line.' }
  if (purl.length > MAX_NAME_LENGTH) return { message: `A package URL has at most ${MAX_NAME_LENGTH} characters.` }
  if (!/^pkg:\/{0,2}[a-z][a-z0-9.+-]*\/[^/]/i.test(purl))
    return { message: 'This is no package URL. Write a type and a name, such as pkg:npm/lodash@4.17.20.' }
  return { component: { purl } }
}

function readCpe(cpe: string): LineResult {
  if (cpe.length > MAX_NAME_LENGTH) return { message: `A CPE name has at most ${MAX_NAME_LENGTH} characters.` }
  if (!/^cpe:(?:2\.3:|\/)[aoh*]:[^:]+:[^:]/i.test(cpe))
    return {
      message:
        'This is no CPE name with a vendor and a product. Write it like cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*.',
    }
  return { component: { cpe } }
}

/** Parses "product version" or "vendor product version", where the product may have several words. */
function readWords(text: string): LineResult {
  const words = text.split(/\s+/)
  const version = words.at(-1) ?? ''
  if (words.length < 2 || !VERSION.test(version)) return { message: describeMissingVersion(words) }
  const [first = '', ...rest] = words.slice(0, -1)
  const product = rest.length === 0 ? first : rest.join(' ')
  if ([first, product, version].some((each) => each.length > MAX_WORDS_LENGTH))
    return { message: `Vendor, product and version have at most ${MAX_WORDS_LENGTH} characters each.` }
  return { component: { ...(rest.length > 0 && { vendor: first }), product, version } }
}

function describeMissingVersion(words: readonly string[]): string {
  const [first = ''] = words
  const npm = words.length === 1 ? /^(?<name>@?[^@\s]{1,100})@(?<version>\d\S{0,50})$/.exec(first)?.groups : undefined
  if (npm) return `A package needs its type: write a package URL such as pkg:npm/${first}.`
  return 'The version is missing. Write vendor, product and version separated by blanks, a package URL, or a CPE name.'
}

function describeExcess(count: number): string {
  return `At most ${MAX_LINES} components can be checked at once, and there are ${count}. Remove lines, or send an SBOM file.`
}

/** Replaces one line of a text. Line numbers start at 1. */
export function replaceLine(text: string, line: number, replacement: string): string {
  const lines = text.split(/\r\n|\r|\n/)
  return lines.map((each, index) => (index === line - 1 ? replacement : each)).join('\n')
}
