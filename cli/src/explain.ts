// What went wrong, why, and what to do next: in sentences, for people.
import { isVisError, type VisError } from '@vis/sdk'
import { flagName, UsageError } from './command.ts'
import { cleanLine } from './render/text.ts'
import type { Settings } from './settings.ts'

export interface Explanation {
  readonly what: string
  readonly why?: string | undefined
  readonly next?: string | undefined
  readonly exitCode: number
}

const KEY_REASONS = {
  missing: 'The service saw none.',
  invalid: 'The service does not know it: a letter too few, perhaps, or it is of another service.',
  revoked: 'It was revoked.',
  expired: 'It has expired.',
  suspended: 'The account it belongs to is suspended.',
}

export function explain(error: unknown, settings: Settings, now: Date): Explanation {
  if (error instanceof UsageError) return { what: error.message, next: error.next, exitCode: 2 }
  if (!isVisError(error)) throw error
  return { exitCode: 1, ...(ofRefusal(error, now) ?? ofTransport(error, settings) ?? ofOther(error)) }
}

type Words = Omit<Explanation, 'exitCode'>

function ofRefusal(error: VisError, now: Date): Words | undefined {
  if (isVisError(error, 'UNAUTHORIZED')) {
    const { reason = 'invalid' } = error.details
    const next = 'Check VIS_API_KEY or --key-file; whoever runs the service can issue a new one: vis-server keys issue.'
    return { what: 'The API key is not accepted.', why: KEY_REASONS[reason], next }
  }
  if (isVisError(error, 'CREDIT_LIMIT_EXCEEDED')) return ofCredits(error, now)
  if (isVisError(error, 'RATE_LIMIT_EXCEEDED')) {
    const { limit = 60, window_seconds = 60 } = error.details
    const why = `The free plan allows ${limit} calls in ${window_seconds} seconds.`
    return { what: 'Too many calls.', why, next: `Try again in ${error.retryAfter ?? window_seconds} seconds.` }
  }
  if (isVisError(error, 'FORBIDDEN')) {
    const plan = error.details.required_plan
    return { what: error.message, next: plan ? `It needs the plan ${cleanLine(plan)}.` : undefined }
  }
  if (isVisError(error, 'INVALID_PARAMETER')) return ofParameters(error)
  return undefined
}

function ofCredits(error: VisError<'CREDIT_LIMIT_EXCEEDED'>, now: Date): Words {
  const { credits_used = 0, credits_limit = 0, reset_at } = error.details
  const days = reset_at === undefined ? undefined : Math.ceil((Date.parse(reset_at) - now.getTime()) / 86_400_000)
  return {
    what: 'There are not enough credits left for this call.',
    why: `${credits_used.toLocaleString('en')} of the ${credits_limit.toLocaleString('en')} credits of this month are used; nothing was charged.`,
    next: reset_at
      ? `They come back at ${cleanLine(reset_at)}${days !== undefined && days > 0 ? `, in ${days} ${days === 1 ? 'day' : 'days'}` : ''}. Until then cheaper calls may still work; vis usage is free.`
      : undefined,
  }
}

function ofParameters(error: VisError): Words {
  const [first, ...rest] = error.faults.map(({ parameter, value, message, did_you_mean }) => {
    const given = typeof value === 'string' ? ` "${value}"` : ''
    const guess = did_you_mean === undefined ? '' : ` Did you mean ${did_you_mean}?`
    return `${nameFor(parameter)}${given}: ${message}.${guess}`
  })
  return { what: first ?? error.message, why: rest.length > 0 ? rest.join('\n') : undefined }
}

/** As the caller gave it; ids are no flags. */
function nameFor(parameter: string): string {
  return /^(cve-id|cve_ids|body)$/.test(parameter) ? 'the CVE id' : flagName(parameter)
}

function ofTransport({ code, message, status, retryAfter }: VisError, { url, urlFrom }: Settings): Words | undefined {
  const next = `Is ${url} right? That is what ${urlFrom} says. And is the service running there?`
  switch (code) {
    case 'NETWORK_ERROR':
    case 'TIMEOUT':
      return { what: `${message}.`, next }
    case 'INVALID_RESPONSE':
      return { what: `Something that is not the service answered at ${url}, with status ${status}.`, next }
    case 'SERVICE_UNAVAILABLE':
    case 'QUERY_TIMEOUT':
      return { what: `${message}.`, next: `Try again in ${retryAfter ?? 30} seconds; nothing was charged.` }
    default:
      return undefined
  }
}

function ofOther({ message, code, correlationId }: VisError): Words {
  return {
    what: `${message} (${code}).`,
    next: correlationId ? `Whoever runs the service finds it in the log as ${correlationId}.` : undefined,
  }
}
