// What is wrong with one parameter, in the words the caller will read (decision B3).
import { nearest } from './did-you-mean.ts'

export interface Fault {
  readonly parameter: string
  /** As sent, cut; null for something missing or too many. */
  readonly value: unknown
  readonly message: string
  /** Values that would pass, or one phrase that describes them. */
  readonly allowed?: readonly string[]
  readonly did_you_mean?: string
  /** Begins the sentence about it, where that is not the parameter as a whole. Not shown by itself. */
  readonly subject?: string
}

export type Reading<T> = { readonly value: T } | { readonly faults: readonly Fault[] }

const MAX_ECHO_LENGTH = 200
const KEY_FORM = /vis_(?:live|test)_/i

/** Cut at 200 characters; text of a key's form is never repeated (threat A-4). */
function echo(value: unknown): unknown {
  if (typeof value === 'string')
    return KEY_FORM.test(value) ? '[redacted]' : value.slice(0, MAX_ECHO_LENGTH).toWellFormed()
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  return echo(textOf(value))
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    // JSON.parse reads deeper nesting than JSON.stringify can write.
    return '[nested too deeply to repeat]'
  }
}

export function fault(parameter: string, value: unknown, expects: string, choices?: readonly string[]): Fault {
  const meant = choices && typeof value === 'string' ? nearest(value, choices) : undefined
  return {
    parameter,
    value: echo(value),
    message: `must be ${expects}`,
    allowed: choices ?? [expects],
    ...(meant === undefined ? {} : { did_you_mean: meant }),
  }
}

/** Of one item of a list. */
export function itemFault(parameter: string, value: unknown, expects: string, choices?: readonly string[]): Fault {
  return { ...fault(parameter, value, expects, choices), subject: `each of ${parameter}` }
}

export function unknownName(name: string, value: unknown, known: readonly string[], kind: string): Fault {
  const meant = nearest(name, known)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  const offer = known.length === 0 ? `this endpoint takes no ${kind}s` : `allowed are ${known.join(', ')}`
  return {
    parameter: String(echo(name)),
    value: echo(value),
    message: `is not a ${kind} of this endpoint${hint || `; ${offer}`}`,
    allowed: known,
    ...(meant === undefined ? {} : { did_you_mean: meant }),
  }
}
