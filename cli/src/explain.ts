// Turns errors into messages for people: what went wrong, why, and what to do next.
import { isVisError, type VisError } from 'vis-sdk'
import { FailedCheck, getErrorMessage, type NameParameter, UsageError } from './command.ts'
import { MirrorError } from './mirror/error.ts'
import { toFlag } from './options.ts'
import { cleanLine } from './render/text.ts'
import type { Settings } from './settings.ts'

export interface Explanation {
  readonly message: string
  readonly reason?: string | undefined
  readonly advice?: string | undefined
  readonly exitCode: number
}

const KEY_REASONS = {
  missing: 'The request contained no key.',
  invalid: 'The service does not know the key. It may be incomplete, or belong to another service.',
  revoked: 'The key was revoked.',
  expired: 'The key has expired.',
  suspended: 'The account of the key is suspended.',
}

export function explain(error: unknown, settings: Settings, now: Date): Explanation {
  if (error instanceof FailedCheck) return explainFailedCheck(error, settings, now)
  if (error instanceof UsageError) return { message: error.message, advice: error.advice, exitCode: 2 }
  if (error instanceof MirrorError) return { message: error.message, advice: error.advice, exitCode: 1 }
  if (!isVisError(error)) throw error
  return { exitCode: 1, ...(explainRejection(error, now) ?? explainTransport(error, settings) ?? explainOther(error)) }
}

/** Explains every error, even an unexpected one, so that a failing check always exits with 2. */
function explainFailedCheck({ cause, nameParameter }: FailedCheck, settings: Settings, now: Date): Explanation {
  if (nameParameter && isVisError(cause, 'INVALID_PARAMETER')) {
    return { ...explainParameters(cause, nameParameter), exitCode: 2 }
  }
  const isExpected = cause instanceof UsageError || isVisError(cause)
  const explanation = isExpected
    ? explain(cause, settings, now)
    : { message: `Internal error: ${getErrorMessage(cause)}.` }
  return { ...explanation, exitCode: 2 }
}

type Texts = Omit<Explanation, 'exitCode'>

function explainRejection(error: VisError, now: Date): Texts | undefined {
  if (isVisError(error, 'UNAUTHORIZED')) {
    const { reason = 'invalid' } = error.details
    const advice =
      'Check VIS_API_KEY or --key-file. Operators of the service issue new keys with: vis-server keys issue.'
    return { message: 'The API key is not accepted.', reason: KEY_REASONS[reason], advice }
  }
  if (isVisError(error, 'CREDIT_LIMIT_EXCEEDED')) return explainCredits(error, now)
  if (isVisError(error, 'RATE_LIMIT_EXCEEDED')) {
    const { limit = 60, window_seconds = 60 } = error.details
    const reason = `The free plan allows ${limit} calls in ${window_seconds} seconds.`
    return { message: 'Too many calls.', reason, advice: `Try again in ${error.retryAfter ?? window_seconds} seconds.` }
  }
  if (isVisError(error, 'FORBIDDEN')) {
    const plan = error.details.required_plan
    return { message: error.message, advice: plan ? `This call requires the ${cleanLine(plan)} plan.` : undefined }
  }
  if (isVisError(error, 'INVALID_PARAMETER')) return explainParameters(error)
  return undefined
}

function explainCredits(error: VisError<'CREDIT_LIMIT_EXCEEDED'>, now: Date): Texts {
  const { credits_used = 0, credits_limit = 0, reset_at } = error.details
  return {
    message: 'Not enough credits are left for this call.',
    reason: `${credits_used.toLocaleString('en')} of the ${credits_limit.toLocaleString('en')} credits of this month are used. This call was not charged.`,
    advice: reset_at
      ? `Credits are reset at ${cleanLine(reset_at)}${formatDaysUntil(reset_at, now)}. Cheaper calls may still work until then; visctl usage is free.`
      : undefined,
  }
}

function formatDaysUntil(instant: string, now: Date): string {
  const days = Math.ceil((Date.parse(instant) - now.getTime()) / 86_400_000)
  return days > 0 ? `, in ${days} ${days === 1 ? 'day' : 'days'}` : ''
}

function explainParameters(error: VisError, nameParameter: NameParameter = toArgumentName): Texts {
  const [first, ...rest] = error.issues.map(({ parameter, value, message, suggestion }) => {
    // The value comes from a document: a line break in it could start a line that a CI system reads as a command.
    const given = typeof value === 'string' ? ` "${cleanLine(value)}"` : ''
    const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
    return cleanLine(`${nameParameter(parameter)}${given}: ${message}.${hint}`)
  })
  return { message: first ?? error.message, reason: rest.length > 0 ? rest.join('\n') : undefined }
}

/** Returns the command-line name of an API parameter: CVE ids are arguments, other parameters are options. */
function toArgumentName(parameter: string): string {
  return /^(cve-id|cve_ids|body)$/.test(parameter) ? 'the CVE id' : toFlag(parameter)
}

function explainTransport(error: VisError, { url, urlOrigin }: Settings): Texts | undefined {
  const { code, message, status, retryAfter } = error
  const advice = `Check that the service is running and that ${url} is right. The url comes from ${urlOrigin}.`
  switch (code) {
    case 'NETWORK_ERROR':
    case 'TIMEOUT':
      return { message: `${message}.`, advice }
    case 'INVALID_RESPONSE':
      return { message: `The response from ${url} with status ${status} is not one of this service.`, advice }
    case 'SERVICE_UNAVAILABLE':
    case 'NOT_READY':
    case 'QUERY_TIMEOUT':
      return {
        message: `${message}.`,
        advice: `Try again in ${retryAfter ?? 30} seconds. This call was not charged.`,
      }
    default:
      return undefined
  }
}

function explainOther({ message, code, correlationId }: VisError): Texts {
  return {
    message: `${message} (${code}).`,
    advice: correlationId
      ? `Operators of the service find this call in the log by the id ${correlationId}.`
      : undefined,
  }
}
