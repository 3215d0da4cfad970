// Building blocks of shapes. A shape is a function (value, path, problems) that appends each violation to problems.

import assert from 'node:assert/strict'

const MAX_SHOWN_VALUE = 80
const MAX_SHOWN_PROBLEMS = 5

const show = (value) => (JSON.stringify(value) ?? 'undefined').slice(0, MAX_SHOWN_VALUE)

export const when = (test, what) => (value, path, problems) => {
  if (!test(value)) problems.push(`${path}: ${show(value)} is not ${what}`)
}
export const matching = (regex, what) => when((value) => typeof value === 'string' && regex.test(value), what)

function isRealDate(value) {
  return !Number.isNaN(Date.parse(value)) && new Date(value).toISOString().startsWith(value.slice(0, 10))
}

function isScore(value) {
  const hasOneDecimal = Math.abs(value * 10 - Math.round(value * 10)) < 1e-9
  return typeof value === 'number' && value >= 0 && value <= 10 && hasOneDecimal
}

const DATE = /^\d{4}-\d\d-\d\d$/
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

export const string = when((value) => typeof value === 'string', 'a string')
export const text = when((value) => typeof value === 'string' && value !== '', 'a non-empty string')
export const bool = when((value) => typeof value === 'boolean', 'a boolean')
export const count = when((value) => Number.isInteger(value) && value >= 0, 'a count')
export const date = when((value) => DATE.test(value) && isRealDate(value), 'a date YYYY-MM-DD')
export const dateTime = when((value) => DATE_TIME.test(value) && isRealDate(value), 'a date-time YYYY-MM-DDTHH:MM:SSZ')
export const cveId = matching(/^CVE-\d{4}-\d{4,19}$/, 'a CVE id')
export const score = when(isScore, 'a score 0.0-10.0')

export function number(min, max) {
  return when((value) => typeof value === 'number' && value >= min && value <= max, `a number ${min}-${max}`)
}
export const fraction = number(0, 1)

export function oneOf(...values) {
  return when((value) => values.includes(value), `one of ${values.join(', ')}`)
}

export function orNull(shape) {
  return (value, path, problems) => {
    if (value !== null) shape(value, path, problems)
  }
}

export function list(shape) {
  return (value, path, problems) => {
    if (!Array.isArray(value)) problems.push(`${path}: ${show(value)} is not an array`)
    else for (const [index, item] of value.entries()) shape(item, `${path}[${index}]`, problems)
  }
}

/** An object may have further keys, because the API may add members. `absent` lists keys that must be missing. */
export function object(required, optional = {}, absent = []) {
  return (value, path, problems) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      problems.push(`${path}: ${show(value)} is not an object`)
      return
    }
    for (const [key, shape] of Object.entries(required)) {
      if (key in value) shape(value[key], `${path}.${key}`, problems)
      else problems.push(`${path}.${key}: is missing`)
    }
    for (const [key, shape] of Object.entries(optional)) if (key in value) shape(value[key], `${path}.${key}`, problems)
    for (const key of absent) if (key in value) problems.push(`${path}.${key}: must be absent`)
  }
}

export function and(...shapes) {
  return (value, path, problems) => {
    for (const shape of shapes) shape(value, path, problems)
  }
}

export function assertShape(value, shape, what) {
  const problems = []
  shape(value, what, problems)
  if (problems.length === 0) return
  const shown = problems.slice(0, MAX_SHOWN_PROBLEMS).join('; ')
  assert.fail(`${problems.length} shape problems: ${shown}`)
}
