// The envelope around every answer: { data, meta } or { error, meta }. Text in, text out: `data` arrives rendered.
import { formatInstant } from '../domain/instant.ts'
import type { ApiError } from './errors.ts'

export interface Stamp {
  readonly correlationId: string
  readonly now: Date
}

/** `beside`: members next to data and meta, which only /health has (decision D15). */
export function success(data: string, stamp: Stamp, beside: Readonly<Record<string, unknown>> = {}): string {
  const extra = Object.entries(beside).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`)
  return `{${extra.join('')}${dataMember(data)}${metaTail(stamp)}`
}

/** The same in two parts: one that stays for as long as `data` does, and one for each answer. */
export function dataHead(data: string): string {
  return `{${dataMember(data)}`
}

export function metaTail(stamp: Stamp): string {
  return `,"meta":${meta(stamp)}}`
}

const dataMember = (data: string) => `"data":${data}`

export function failure(error: ApiError, stamp: Stamp): string {
  const { parameter, value = null, details } = error.extras
  const body = {
    code: error.code,
    message: error.message,
    ...(parameter === undefined ? {} : { parameter, value }),
    ...(details === undefined ? {} : { details }),
  }
  return `{"error":${JSON.stringify(body)},"meta":${meta(stamp)}}`
}

function meta({ correlationId, now }: Stamp): string {
  return JSON.stringify({ timestamp: formatInstant(now), version: 'v1', correlationId })
}
