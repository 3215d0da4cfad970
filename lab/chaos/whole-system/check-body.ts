// Checks that the body of an answer is one valid envelope with the data that the call asked for.
import { hash } from 'node:crypto'
import { endpoints } from '../../../service/src/api/endpoints/index.ts'
import type { CallResult } from '../../../service/test/faults/nodes/call.ts'
import { createAnswerValidator } from '../../../service/test/support/schema-assertions.ts'
import type { PlannedCall } from './calls.ts'

const ERROR_CODES: Readonly<Record<number, readonly string[]>> = {
  404: ['NOT_FOUND'],
  429: ['RATE_LIMIT_EXCEEDED', 'CREDIT_LIMIT_EXCEEDED'],
  503: ['SERVICE_UNAVAILABLE', 'NOT_READY', 'QUERY_TIMEOUT'],
}

export type CheckBody = (call: PlannedCall, answer: CallResult) => string | undefined

/** Returns a function that returns what is wrong with the body of an answer; undefined if nothing is wrong. */
export function createBodyCheck(newest: ReadonlyMap<string, number>): CheckBody {
  const validate = createAnswerValidator(endpoints)
  // The OpenAPI schema is checked once per different content, because most answers have a content that was seen before.
  const validated = new Set<string>()
  const findSchemaError = (call: PlannedCall, { status, headers, body }: CallResult, json: unknown) => {
    const content = body.slice(0, body.lastIndexOf(',"meta":'))
    const digest = hash('sha256', `${call.path} ${status} ${content}`, 'base64')
    if (validated.has(digest)) return undefined
    const [path = ''] = call.path.split('?')
    try {
      validate({ method: call.body === undefined ? 'GET' : 'POST', path, status, headers, json })
    } catch (error) {
      return String(error).slice(0, 300)
    }
    validated.add(digest)
    return undefined
  }
  return (call, answer) => {
    const json = parseJson(answer.body)
    return (
      findEnvelopeError(answer, json) ??
      findSchemaError(call, answer, json) ??
      (answer.status === 200 ? call.check(Object(json).data, newest) : undefined)
    )
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function findEnvelopeError({ status, headers }: CallResult, json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null) return 'a body that is not a JSON object'
  const members = Object.keys(json).toSorted().join()
  if (members !== (status === 200 ? 'data,meta' : 'error,meta')) return `an envelope with the members ${members}`
  const { error, meta } = json as { error?: { code: string }; meta: { correlationId: string } }
  if (meta.correlationId !== headers['x-correlation-id'])
    return `the id ${String(headers['x-correlation-id'])} in the header, but ${meta.correlationId} in the body`
  if (error && !(ERROR_CODES[status] ?? []).includes(error.code)) return `status ${status} with the code ${error.code}`
  return undefined
}
