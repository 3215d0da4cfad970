// Checks a single answer, and all answers against the ledger.
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import type { ServedEndpoint } from '../../../src/api/services.ts'
import { ERRORS } from '../../../src/contract/response/errors.ts'
import type { Database } from '../../../src/database/postgres.ts'
import { toHalfCredits } from '../../../src/domain/account/credits.ts'
import { containsKey } from '../../../src/domain/account/key-form.ts'
import type { WireResponse } from '../../support/network/http-responses.ts'
import { createAnswerValidator, createErrorValidator } from '../../support/schema-assertions.ts'

/** The parts of an answer that are later compared with the ledger. */
export interface Answer {
  readonly kind: string
  readonly requestId: string
  readonly status: number
  /** Name of the endpoint that answered, as logged. */
  readonly endpoint: string
  /** True for a detail response without a record, whose credits are refunded (decision A9). */
  readonly isMissing: boolean
}

type AnswerCheck = (response: WireResponse, method: string, endpointName: string) => void

/** Returns a check that throws an error if a response is not exactly one valid envelope. */
export function createAnswerCheck(endpoints: readonly ServedEndpoint[]): AnswerCheck {
  const [validate, checkError] = [createAnswerValidator(endpoints), createErrorValidator(endpoints)]
  return ({ status, headers, body }, method, endpointName) => {
    if (status >= 500) throw new Error(`The status is ${status}: ${body.toString('utf8')}`)
    if (containsKey(JSON.stringify(headers))) throw new Error('A header contains a key.')
    // A part of a snapshot is a file, not an envelope.
    if (status === 200 && headers['content-type'] === 'application/gzip') return
    const text = (headers['content-encoding'] === 'gzip' && body.length > 0 ? gunzipSync(body) : body).toString('utf8')
    // The list of keys contains each key's prefix, which all keys share.
    if (containsKey(text.replaceAll('"prefix":"vis_test_"', ''))) throw new Error(`The body contains a key: ${text}`)
    const json: unknown = text === '' ? undefined : JSON.parse(text)
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
    if (hasBody !== (json !== undefined)) throw new Error(`The body of a ${status} is ${JSON.stringify(text)}.`)
    const endpoint = endpoints.find(({ name }) => name === endpointName)
    if (status >= 400 && hasBody) checkErrorBody(json, status, checkError)
    // The body of an error is checked above, because the HTTP parser's errors have a status that openapi.json does not
    // list for the endpoint. The headers are checked here, as if the response had no body.
    const isSuccess = hasBody && status < 400
    const path = (isSuccess ? endpoint?.path : undefined) ?? '/none'
    validate({ method: isSuccess ? method : 'HEAD', path, status, headers, json })
  }
}

function checkErrorBody(json: unknown, status: number, checkError: (json: unknown) => void): void {
  checkError(json)
  const code: string = Object(Object(json).error).code
  const expected = Object.hasOwn(ERRORS, code) ? ERRORS[code as keyof typeof ERRORS].status : undefined
  if (expected !== status) throw new Error(`The error ${code} has the status ${status}.`)
}

interface LedgerRow {
  readonly request_id: string
  readonly charged_half: string
}

/**
 * Returns every answer that was charged although it is not 2xx or has no record, and every other 2xx answer that was
 * not charged its price.
 */
export async function findWrongCharges(
  db: Database,
  answers: readonly Answer[],
  endpoints: readonly ServedEndpoint[],
): Promise<string[]> {
  const { rows } = await sql<LedgerRow>`
    select request_id::text, sum(case kind when 'charge' then cost_half else -cost_half end) as charged_half
      from accounts.ledger
     group by request_id
  `.execute(db)
  const charged = new Map(rows.map((row) => [row.request_id, Number(row.charged_half)]))
  const prices = new Map(endpoints.map(({ name, credits }) => [name, toHalfCredits(credits)]))
  const wrong: string[] = []
  for (const { kind, requestId, status, endpoint, isMissing } of answers) {
    const isCharged = status >= 200 && status < 300 && !isMissing
    const [paid, price] = [charged.get(requestId) ?? 0, isCharged ? (prices.get(endpoint) ?? 0) : 0]
    charged.delete(requestId)
    if (paid !== price) wrong.push(`${kind}: ${endpoint} → ${status}, charged ${paid} instead of ${price} half credits`)
  }
  const unanswered = [...charged].filter(([, paid]) => paid !== 0)
  return [...wrong, ...unanswered.map(([id, paid]) => `no answer: request ${id} was charged ${paid} half credits`)]
}
