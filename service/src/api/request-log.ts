// Writes one log line and one observation of the duration metric per request, even for requests that never reach a
// handler.
import { type Log, openFormattedLines } from '../log.ts'
import type { HttpMetrics } from './metrics.ts'

export interface AnsweredRequest {
  readonly correlationId: string
  readonly clientRequestId?: string | undefined
  /** Method and path are absent if the HTTP parser rejected the request. */
  readonly method?: string
  /** Decoded and without the query string, which may contain secrets. */
  readonly path?: string
  readonly endpoint: string
  readonly accountId?: string | undefined
  /** Why a valid API key was refused. */
  readonly refusal?: string | undefined
  readonly status: number
  readonly ms: number
  /** Error code of the HTTP parser. */
  readonly reason?: string | undefined
}

export type RecordRequest = (request: AnsweredRequest) => void

const MAX_PATH_LENGTH = 256
const MAX_REQUEST_ID_LENGTH = 128

export function createRequestLog(log: Log, metrics: HttpMetrics): RecordRequest {
  const write = openFormattedLines(log)
  return (request) => {
    metrics.observe(request.endpoint, request.status, request.ms)
    write(formatRequest(request))
  }
}

/** Escapes all texts from the caller except the method: Node's HTTP parser accepts only known names. */
function formatRequest(request: AnsweredRequest): string {
  const { correlationId, clientRequestId, method, path, endpoint, accountId, refusal, status, ms, reason } = request
  let members = `"correlationId":"${correlationId}"`
  if (clientRequestId !== undefined) members += `,"clientRequestId":${JSON.stringify(clientRequestId)}`
  if (method !== undefined) members += `,"method":"${method}"`
  if (path !== undefined) members += `,"path":${JSON.stringify(path)}`
  members += `,"endpoint":"${endpoint}"`
  if (accountId !== undefined) members += `,"accountId":"${accountId}"`
  if (refusal !== undefined) members += `,"refusal":"${refusal}"`
  members += `,"status":${status},"ms":${Math.round(ms * 10) / 10}`
  if (reason !== undefined) members += `,"reason":${JSON.stringify(reason)}`
  return `${members},"msg":"request"`
}

/** Formats a path for the log: decoded, without the query string and without the secret of a feed, truncated. */
export function formatPath(target: string): string {
  const path = target.split('?', 1)[0] ?? ''
  return hideSecret(decodePath(path)).slice(0, MAX_PATH_LENGTH)
}

export function truncateRequestId(id: string | string[] | undefined): string | undefined {
  return id?.toString().slice(0, MAX_REQUEST_ID_LENGTH)
}

/** A feed's address is a secret, so its route is logged, whatever a client made of it. */
function hideSecret(path: string): string {
  const at = path.search(FEEDS)
  if (at === -1) return path
  const form = ['.atom', '.json'].find((end) => path.includes(end, at)) ?? ''
  return `${path.slice(0, at)}feeds/{token}${form}`
}

const FEEDS = /feeds(?:\/|%2f)/i

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
