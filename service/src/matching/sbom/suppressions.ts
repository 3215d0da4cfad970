// Reads the hits that the sender has already assessed, from a list or an OpenVEX document.
import { isObject, readMember } from '../../contract/request/body.ts'
import { packageUrl } from '../../contract/request/component-types.ts'
import { invalidParameters } from '../../contract/response/errors.ts'
import { MAX_SUPPRESSIONS, suppressField } from '../../contract/suppress.ts'
import type { Suppression } from '../suppress.ts'
import { notExpected } from './document/document-error.ts'
import { type JsonObject, readObject, readObjects, readText } from './document/entry.ts'

const PATH = 'suppress'
const OPENVEX = /^https:\/\/openvex\.dev\/ns(?:\/|$)/
/** OpenVEX statuses that require no action. */
const JUDGED = ['not_affected', 'fixed']
const MAX_ID_LENGTH = 64
const MAX_REASON_LENGTH = 500
const FIELD = suppressField()
const PURL = packageUrl()

export function readSuppressions(sent: unknown): readonly Suppression[] {
  if (isObject(sent)) return readOpenVex(sent)
  const reading = FIELD.read(PATH, sent)
  if ('value' in reading) return reading.value
  const [first, ...rest] = reading.issues
  throw first === undefined ? new Error('The field suppress has no issue.') : invalidParameters([first, ...rest])
}

function readOpenVex(document: JsonObject): readonly Suppression[] {
  const context = readMember(document, '@context')
  if (typeof context !== 'string' || !OPENVEX.test(context))
    throw notExpected(`${PATH}.@context`, context, 'https://openvex.dev/ns/v0.2.0, or suppress must be a list')
  const statements = readMember(document, 'statements')
  if (!Array.isArray(statements)) throw notExpected(`${PATH}.statements`, statements, 'an array of statements')
  const suppressions = statements.filter(isObject).flatMap(readStatement)
  if (suppressions.length > MAX_SUPPRESSIONS)
    throw notExpected(`${PATH}.statements`, null, `statements about at most ${MAX_SUPPRESSIONS} products together`)
  return suppressions
}

/** A statement without a purl names no component of the document. */
function readStatement(statement: JsonObject): readonly Suppression[] {
  const status = readText(statement, 'status') ?? ''
  if (!JUDGED.includes(status)) return []
  const reason = describeReason(statement, status)
  const purls = readObjects(statement, 'products').flatMap(listPurls)
  const judged = { reason, ...(status === 'fixed' && { isFixed: true as const }) }
  return listIds(statement).flatMap((id) => purls.map((purl) => ({ id, purl, ...judged })))
}

/** Since version 0.2.0 of OpenVEX the vulnerability is an object; before, it was a text. */
function listIds(statement: JsonObject): readonly string[] {
  const vulnerability = readObject(statement, 'vulnerability') ?? {}
  const aliases = readMember(vulnerability, 'aliases')
  return [
    readText(statement, 'vulnerability'),
    readText(vulnerability, 'name'),
    ...(Array.isArray(aliases) ? aliases : []),
  ].filter((id) => typeof id === 'string' && id.length <= MAX_ID_LENGTH)
}

/** A statement about subcomponents does not apply to the rest of the product. */
function listPurls(product: JsonObject) {
  const parts = readObjects(product, 'subcomponents')
  return (parts.length > 0 ? parts : [product]).flatMap((each) => {
    const texts = [readText(readObject(each, 'identifiers') ?? {}, 'purl'), readText(each, '@id')]
    return texts.flatMap((text) => (text === undefined ? [] : (PURL.parse(text) ?? []))).slice(0, 1)
  })
}

function describeReason(statement: JsonObject, status: string): string {
  const texts = ['impact_statement', 'status_notes', 'justification'].map((name) => readText(statement, name))
  const text = texts.find((each) => each !== undefined) ?? `The OpenVEX document says ${status}.`
  return text.slice(0, MAX_REASON_LENGTH).toWellFormed()
}
