// Reads CVE ids from arguments, a file or standard input. Text that is not a CVE id is an error and is never skipped,
// because checking only part of a list would report too little.
import { readFile } from 'node:fs/promises'
import { getErrorMessage, UsageError } from './command.ts'
import type { Input } from './render/terminal.ts'

export interface GivenId {
  /** CVE id in upper case. */
  readonly id: string
  /** Line number of the id in its file, starting at 1; always 1 for arguments and JSON. */
  readonly line: number
}

export interface IdList {
  /** File with the ids, or `arguments` or `stdin`. */
  readonly origin: string
  /** Distinct ids in input order. */
  readonly ids: readonly GivenId[]
}

const CVE_ID = /^CVE-\d{4}-\d{4,19}$/i
/** There is a maximum because each group of ids is a call that costs credits. */
const MAX_IDS = 10_000

const ADVICE = 'Give CVE ids as arguments, in a file with --file FILE, or on standard input.'

/**
 * Reads the ids from the arguments and the file. Reads standard input if there is neither, or if an argument is `-`.
 */
export async function readIds(words: readonly string[], file: string | undefined, input: Input): Promise<IdList> {
  const isStandardInput = words.includes('-') || (words.length === 0 && file === undefined)
  const fromArguments = parseWords(
    words.filter((word) => word !== '-'),
    'arguments',
    1,
  )
  const fromFile = file === undefined ? [] : parseIds(await readListFile(file), file)
  const fromInput = isStandardInput ? parseIds(await readInput(input), 'stdin') : []
  const ids = [...fromArguments, ...fromFile, ...fromInput]
  const distinct = [...new Map(ids.toReversed().map((each) => [each.id, each])).values()].toReversed()
  if (distinct.length > MAX_IDS) {
    throw new UsageError(
      `At most ${MAX_IDS.toLocaleString('en')} CVE ids can be given, but there are ${distinct.length.toLocaleString('en')}.`,
    )
  }
  return { origin: file ?? (isStandardInput ? 'stdin' : 'arguments'), ids: distinct }
}

async function readInput(input: Input): Promise<string> {
  if (input.isTerminal) throw new UsageError('There are no CVE ids.', ADVICE)
  return input.readText()
}

export async function readListFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`The file ${file} could not be read: ${getErrorMessage(error)}.`)
  }
}

/** Parses ids separated by white space or commas, with `#` comments, or the JSON output of visctl. */
function parseIds(text: string, origin: string): readonly GivenId[] {
  const content = text.replace(/^\ufeff/, '')
  if (/^\s*[[{]/.test(content)) return parseJsonIds(content, origin)
  return content.split('\n').flatMap((line, at) => parseWords(line.replace(/#.*/, '').split(/[\s,]+/), origin, at + 1))
}

function parseWords(words: readonly string[], origin: string, line: number): readonly GivenId[] {
  return words.filter((word) => word !== '').map((word) => toGivenId(word, origin, line))
}

function toGivenId(text: unknown, origin: string, line: number): GivenId {
  if (typeof text === 'string' && CVE_ID.test(text)) return { id: text.toUpperCase(), line }
  const shown = typeof text === 'string' ? `"${text.slice(0, 60)}"` : 'An item without a CVE id'
  const place = origin === 'arguments' ? '' : `${origin}, line ${line}: `
  throw new UsageError(
    `${place}${shown} is not a CVE id such as CVE-2021-44228.`,
    'A list contains CVE ids separated by line breaks, spaces or commas, or the JSON output of visctl.',
  )
}

/** Accepts the output of `visctl get|search|recent|kev --json`, and arrays of ids. */
function parseJsonIds(text: string, origin: string): readonly GivenId[] {
  const json = parseJson(text, origin)
  const items: readonly unknown[] = Array.isArray(json) ? json : [json]
  return items.map((item) => toGivenId(findId(item), origin, 1))
}

function parseJson(text: string, origin: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`The JSON in ${origin} is invalid or incomplete.`)
  }
}

function findId(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item
  return 'cve_id' in item ? item.cve_id : 'cveId' in item ? item.cveId : undefined
}
