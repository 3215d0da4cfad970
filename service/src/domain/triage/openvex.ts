// Triage states as statements of OpenVEX 0.2.0, and back.
//
// OpenVEX has no word for an accepted risk, no end and no condition that reopens a statement. Other tools must not
// conclude more than holds, so such a state gets the status that is true for them, and the rest is the last line of
// status_notes, which the import reads again.
import { type CveId, parseCveId } from '../cve-id.ts'
import { parseDate, parseDateTime } from '../instant.ts'
import { LEVELS, type Level } from '../priority/policy.ts'
import { ALL, nameVersion, parseScope, type Scope } from './scope.ts'
import {
  canSuppress,
  JUSTIFICATIONS,
  type Justification,
  MAX_STATEMENT_LENGTH,
  REOPENERS,
  type Reopener,
  TRIAGE_STATES,
  type TriageEffect,
  type TriageState,
} from './words.ts'

export const OPENVEX_CONTEXT = 'https://openvex.dev/ns/v0.2.0'
const CONTEXT = /^https:\/\/openvex\.dev\/ns(?:\/|$)/

export const isOpenVexContext = (context: unknown) => typeof context === 'string' && CONTEXT.test(context)

/** The members of a state that a document carries. */
export interface VexState {
  readonly cveId: string
  readonly scope: Scope
  readonly state: TriageState
  readonly justification: Justification | null
  readonly impactStatement: string | null
  readonly actionStatement: string | null
  readonly note: string | null
  readonly until: string | null
  readonly unless: readonly Reopener[]
  /** What was known when the state was set; undefined if the document does not say it. */
  readonly known?: { readonly level: Level | null; readonly isExploited: boolean } | undefined
}

export interface ExportedState extends VexState {
  readonly effect: TriageEffect
  /** As in RFC 3339. */
  readonly setAt: string
}

/** OpenVEX requires an action_statement for what is affected. */
export const NO_ACTION = 'No action is recorded.'

const REST = 'Triage: '

/** Returns a statement, and which members only this service reads. */
export function toStatement(entry: ExportedState): {
  readonly statement: object
  readonly unexpressed: readonly string[]
} {
  const status = toStatus(entry)
  const rest = findRest(entry, status)
  const isStated = status === entry.state || status === 'affected'
  const notes = [entry.note, rest && `${REST}${JSON.stringify(rest)}`].filter(
    (each) => each !== null && each !== undefined,
  )
  return {
    statement: {
      vulnerability: { name: entry.cveId },
      timestamp: entry.setAt,
      ...(entry.scope.scope !== ALL && { products: [toProduct(entry.scope)] }),
      status,
      ...(notes.length > 0 && { status_notes: notes.join('\n') }),
      ...(isStated && entry.justification !== null && { justification: entry.justification }),
      ...(isStated && entry.impactStatement !== null && { impact_statement: entry.impactStatement }),
      ...(status === 'affected' && { action_statement: entry.actionStatement ?? NO_ACTION }),
    },
    unexpressed: [
      ...(entry.scope.versions !== '' && nameVersion(entry.scope) === undefined ? ['version_range'] : []),
      ...Object.keys(rest ?? {}),
    ],
  }
}

type Status = Exclude<TriageState, 'accepted'>

/** A state that hides nothing any more must not hide anything in another tool. */
function toStatus({ state, effect }: ExportedState): Status {
  if (effect === 'ended' || effect === 'reopened') return 'under_investigation'
  return state === 'accepted' ? 'affected' : state
}

function findRest(entry: ExportedState, status: Status): Readonly<Record<string, unknown>> | undefined {
  const { state, until, unless, justification, impactStatement, actionStatement, known, effect } = entry
  const isStated = status === state || status === 'affected'
  const hasConditions = canSuppress(state) && !REOPENERS.every((each) => unless.includes(each))
  const rest = {
    ...(status !== state && { state }),
    ...(until !== null && { until }),
    ...(hasConditions && { unless }),
    ...(!isStated && justification !== null && { justification }),
    ...(!isStated && impactStatement !== null && { impact_statement: impactStatement }),
    ...(!isStated && actionStatement !== null && { action_statement: actionStatement }),
    ...(effect === 'reopened' && known && { level_when_set: known.level, exploited_when_set: known.isExploited }),
  }
  return Object.keys(rest).length === 0 ? undefined : rest
}

/**
 * A package with a range has the range as qualifier `vers`: tools that do not know it find no such package, instead of
 * taking the statement for one about all versions. A CPE name cannot carry a range, so such a product has only an @id.
 */
function toProduct(scope: Scope): object {
  const { kind, scope: name, versions } = scope
  const single = versions === '' ? name : nameVersion(scope)
  if (kind === 'package') {
    const purl = single ?? `${name}${name.includes('?') ? '&' : '?'}vers=${encodeURIComponent(`${VERS}${versions}`)}`
    return { '@id': purl, identifiers: { purl } }
  }
  if (single === undefined) return { '@id': `${name}#${encodeURIComponent(`${VERS}${versions}`)}` }
  return { '@id': single, identifiers: { cpe23: single } }
}

/** The scheme of the versions follows from the scope, so it is not named. */
const VERS = 'vers:'

export interface ImportedDocument {
  readonly states: readonly VexState[]
  readonly problems: readonly ImportProblem[]
}

interface ImportProblem {
  /** Position of the statement in the document. */
  readonly index: number
  readonly why: string
  /** Whether the statement, or its product, was left out. */
  readonly isLeftOut: boolean
}

/** Returns how many products the statements name; one without products counts as one. Much faster than reading them. */
export function countProducts(statements: readonly unknown[]): number {
  return statements.reduce((sum: number, statement) => {
    const products = isRecord(statement) ? statement['products'] : undefined
    return sum + (Array.isArray(products) ? Math.max(1, products.length) : 1)
  }, 0)
}

/**
 * Nothing is guessed: what cannot be expressed as a state is left out and reported. A statement without a time has the
 * time of its document.
 */
export function readStatements(statements: readonly unknown[], documentTime?: unknown): ImportedDocument {
  const problems: ImportProblem[] = []
  const states = new Map<string, { readonly time: number; readonly state: VexState }>()
  for (const [index, statement] of statements.entries()) {
    const leaveOut = (why: string) => problems.push({ index, why, isLeftOut: true })
    if (!isRecord(statement)) {
      leaveOut('It is not an object.')
      continue
    }
    const read = readStatement(statement)
    if ('error' in read) {
      leaveOut(read.error)
      continue
    }
    for (const product of listProducts(statement)) {
      if ('error' in product) {
        leaveOut(product.error)
        continue
      }
      if (product.note !== undefined) problems.push({ index, why: product.note, isLeftOut: false })
      const key = JSON.stringify([read.cveId, product.scope.scope, product.scope.versions])
      const time = readTime(readText(statement, 'timestamp')) ?? readTime(documentTime) ?? 0
      const earlier = states.get(key)
      if (earlier !== undefined)
        problems.push({
          index,
          why: 'Another statement is about the same CVE and product; the newer one counts.',
          isLeftOut: false,
        })
      if (earlier === undefined || earlier.time <= time)
        states.set(key, { time, state: { ...read, scope: product.scope } })
    }
  }
  return { states: [...states.values()].map(({ state }) => state), problems }
}

type JsonRecord = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readText(record: JsonRecord, name: string): string | undefined {
  const value = Object.hasOwn(record, name) ? record[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** As a number, because the same time has many texts. */
const readTime = (sent: unknown) => (typeof sent === 'string' ? parseDateTime(sent)?.getTime() : undefined)

/** A text of blanks says nothing. */
function readStatedText(record: JsonRecord, name: string): string | null {
  const text = readText(record, name)?.trim() ?? ''
  return text === '' ? null : text
}

interface Fault {
  readonly error: string
}

function readStatement(statement: JsonRecord): Omit<VexState, 'scope'> | Fault {
  const cveId = findCveId(statement)
  if (cveId === undefined) return { error: 'It names no CVE, neither as vulnerability nor as an alias.' }
  const status = readText(statement, 'status')
  const stated = TRIAGE_STATES.find((each) => each === status && each !== 'accepted')
  if (stated === undefined)
    return { error: 'Its status is none of not_affected, affected, fixed, under_investigation.' }
  const { note, rest } = splitNotes(readText(statement, 'status_notes'))
  const texts = { ...statement, ...rest }
  const state = TRIAGE_STATES.find((each) => each === rest?.['state']) ?? stated
  const justification = readText(texts, 'justification')
  const action = readStatedText(texts, 'action_statement')
  const read = {
    cveId,
    state,
    justification: JUSTIFICATIONS.find((each) => each === justification) ?? null,
    impactStatement: readStatedText(texts, 'impact_statement'),
    actionStatement: action === NO_ACTION ? null : action,
    note,
    until: readText(rest ?? {}, 'until') ?? null,
    unless: readUnless(rest),
    known: readKnown(rest),
  }
  return findFault(read, justification) ?? read
}

function findFault(
  { state, justification, impactStatement, actionStatement, note, until }: Omit<VexState, 'scope'>,
  sentJustification: string | undefined,
): Fault | undefined {
  const texts = [impactStatement, actionStatement, note]
  if (texts.some((each) => each !== null && each.length > MAX_STATEMENT_LENGTH))
    return { error: `A text has more than ${MAX_STATEMENT_LENGTH} characters.` }
  if (texts.some((each) => each !== null && (each.includes('\0') || !each.isWellFormed())))
    return { error: 'A text has characters that cannot be stored.' }
  if (sentJustification !== undefined && justification === null)
    return { error: `Its justification is none of ${JUSTIFICATIONS.join(', ')}.` }
  const isReasoned = justification !== null || impactStatement !== null
  if (state === 'not_affected' && !isReasoned)
    return { error: 'It says not_affected without a justification or an impact_statement.' }
  if (state !== 'not_affected' && isReasoned)
    return { error: `It says ${state}, but has a justification or an impact_statement.` }
  if (actionStatement !== null && state !== 'affected' && state !== 'accepted')
    return { error: `It says ${state}, but has an action_statement.` }
  return until !== null && parseDate(until) === undefined ? { error: 'Its end is not a date.' } : undefined
}

/** Since version 0.2.0 of OpenVEX the vulnerability is an object; before, it was a text. */
function findCveId(statement: JsonRecord): CveId | undefined {
  const vulnerability = statement['vulnerability']
  const record = isRecord(vulnerability) ? vulnerability : {}
  const aliases = Array.isArray(record['aliases']) ? record['aliases'] : []
  for (const id of [vulnerability, record['name'], ...aliases]) {
    const cveId = typeof id === 'string' ? parseCveId(id) : undefined
    if (cveId !== undefined) return cveId
  }
  return undefined
}

function splitNotes(notes: string | undefined): {
  readonly note: string | null
  readonly rest: JsonRecord | undefined
} {
  const lines = (notes ?? '').split('\n')
  const last = lines.at(-1) ?? ''
  const rest = last.startsWith(REST) ? readRest(last.slice(REST.length)) : undefined
  const note = (rest === undefined ? lines : lines.slice(0, -1)).join('\n')
  return { note: note.trim() === '' ? null : note, rest }
}

function readRest(text: string): JsonRecord | undefined {
  try {
    const rest: unknown = JSON.parse(text)
    return isRecord(rest) ? rest : undefined
  } catch {
    return undefined
  }
}

function readUnless(rest: JsonRecord | undefined): readonly Reopener[] {
  const sent = rest?.['unless']
  return Array.isArray(sent) ? REOPENERS.filter((each) => sent.includes(each)) : REOPENERS
}

function readKnown(rest: JsonRecord | undefined): VexState['known'] {
  const isExploited = rest?.['exploited_when_set']
  if (rest === undefined || typeof isExploited !== 'boolean') return undefined
  return { level: LEVELS.find((each) => each === rest['level_when_set']) ?? null, isExploited }
}

type ReadProduct = { readonly scope: Scope; readonly note?: string | undefined } | Fault

/** A statement without products is about the CVE as such. */
function listProducts(statement: JsonRecord): readonly ReadProduct[] {
  const products = statement['products']
  if (products === undefined || products === null) return [{ scope: { kind: 'all', scope: ALL, versions: '' } }]
  if (!Array.isArray(products) || products.length === 0) return [{ error: 'Its products are not a list of products.' }]
  return products.map((each: unknown) => {
    // Before version 0.2.0, a product was a text.
    if (typeof each === 'string') return readProduct(each)
    if (!isRecord(each)) return { error: 'A product is not an object.' }
    if (Array.isArray(each['subcomponents']) && each['subcomponents'].length > 0)
      return { error: 'It is about a part of a product, and a scope is one package or product.' }
    const identifiers = isRecord(each['identifiers']) ? each['identifiers'] : {}
    const name = readText(identifiers, 'purl') ?? readText(identifiers, 'cpe23') ?? readText(each, '@id')
    return name === undefined ? { error: 'A product has neither purl, cpe23 nor @id.' } : readProduct(name)
  })
}

function readProduct(name: string): ReadProduct {
  const { base, versions, dropped } = splitRange(name)
  const scope = parseScope(base, versions)
  if ('error' in scope) return { error: `The product ${name.slice(0, 100)} ${scope.error}.` }
  if (dropped.length === 0) return { scope }
  return { scope, note: `Of the product, ${dropped.join(', ')} is not kept: the state is about every value of it.` }
}

/** Qualifiers that scopes keep, or that say where a package is found instead of which package it is. */
const KEPT: readonly string[] = [
  'distro',
  'epoch',
  'upstream',
  'vers',
  'vcs_url',
  'download_url',
  'checksum',
  'file_name',
]

function splitRange(name: string): {
  readonly base: string
  readonly versions: string
  readonly dropped: readonly string[]
} {
  if (!name.startsWith('pkg:')) {
    const [base = '', range = ''] = name.split('#', 2)
    return { base, versions: removePrefix(decode(range)), dropped: [] }
  }
  const start = name.indexOf('?')
  if (start === -1) return { base: name, versions: '', dropped: [] }
  const [text = '', ...subpath] = name.slice(start + 1).split('#')
  const qualifiers = new URLSearchParams(text)
  const versions = removePrefix(qualifiers.get('vers') ?? '')
  const dropped = [...qualifiers.keys()].filter((each) => !KEPT.includes(each))
  qualifiers.delete('vers')
  return { base: [`${name.slice(0, start)}?${qualifiers}`, ...subpath].join('#'), versions, dropped }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Other tools name the scheme, as in `vers:npm/>=1.0|<2.0`. */
const removePrefix = (range: string) => range.replace(/^vers:(?:[a-z]{1,20}\/)?/, '')
