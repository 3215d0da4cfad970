// Assertions about answers. Each assertion fails with a message that says what was received and what was expected.

import assert from 'node:assert/strict'
import { CODES } from './ledger.mjs'

const MAX_SHOWN_VALUE = 220

function shorten(value) {
  const text = value === undefined ? 'undefined' : JSON.stringify(value)
  return text.length > MAX_SHOWN_VALUE ? `${text.slice(0, MAX_SHOWN_VALUE)}…` : text
}

export function ensure(condition, message) {
  if (!condition) assert.fail(typeof message === 'function' ? message() : message)
}

export function equal(actual, expected, what) {
  assert.ok(Object.is(actual, expected), `${what}: got ${shorten(actual)}, expected ${shorten(expected)}`)
}

export function same(actual, expected, what) {
  try {
    assert.deepEqual(actual, expected)
  } catch {
    assert.fail(`${what}: got ${shorten(actual)}, expected ${shorten(expected)}`)
  }
}

/** Asserts that two lists have the same members in any order, and no duplicates. */
export function sameMembers(actual, expected, what) {
  const got = new Set(actual)
  const wanted = new Set(expected)
  const extra = [...got].filter((item) => !wanted.has(item))
  const missing = [...wanted].filter((item) => !got.has(item))
  ensure(got.size === actual.length, () => `${what}: ${actual.length - got.size} duplicates`)
  ensure(extra.length === 0 && missing.length === 0, () => {
    const samples = [extra, missing].map((items) => shorten(items.slice(0, 4)))
    return `${what}: ${extra.length} extra ${samples[0]}, ${missing.length} missing ${samples[1]}`
  })
}

/** Asserts that two lists have the same order. The message names the first position that differs. */
export function sameOrder(actual, expected, what) {
  const at = expected.findIndex((item, index) => item !== actual[index])
  ensure(at === -1, () => `${what}: at position ${at} got ${actual[at]}, expected ${expected[at]}`)
  equal(actual.length, expected.length, `${what}: length`)
}

/** Asserts the status of an answer and returns its data. */
export function ok(answer, status = 200) {
  const describe = () => `expected ${status}: ${answer} ${shorten(answer.json?.error ?? answer.text)}`
  ensure(answer.status === status, describe)
  return answer.data
}

/** Asserts the status and the error code of an answer and returns the error. */
export function fails(answer, status, code = CODES[status][0]) {
  const describe = () =>
    `expected ${status} ${code}: ${answer} ${shorten(answer.json?.error ?? answer.text.slice(0, 120))}`
  ensure(answer.status === status, describe)
  equal(answer.error?.code, code, `${answer} error.code`)
  return answer.error
}

/** Asserts that an answer is a 400 for this parameter and value. Returns the first entry of details.errors. */
export function rejects(answer, parameter, value) {
  const error = fails(answer, 400)
  equal(error.parameter, parameter, `${answer} error.parameter`)
  // error.value may repeat a rejected JSON number as a number or as text.
  if (typeof value === 'string') equal(error.value, value, `${answer} error.value`)
  else if (value !== undefined) equal(String(error.value), String(value), `${answer} error.value`)
  const { errors } = error.details ?? {}
  ensure(Array.isArray(errors) && errors.length > 0, () => `${answer} details.errors is ${shorten(errors)}`)
  equal(errors[0].parameter, parameter, `${answer} details.errors[0].parameter`)
  return errors[0]
}

export function suggests(issue, name) {
  const suggestions = [issue.suggestion].flat()
  ensure(suggestions.includes(name), () => `suggestion is ${shorten(issue.suggestion)}, expected ${name}`)
}

export const idsOf = (records) => records.map((record) => record.cve_id ?? record.cveId)
