// HTTP download with a host allow-list and limits for size, time and retries.
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../domain/clock.ts'
import { checkDestination, checkHost, checkRedirect } from '../../outbound/destination.ts'
import { redactUrl } from '../../outbound/redact-url.ts'
import { DownloadError, permanent, toNetworkError } from '../../outbound/request-error.ts'
import { type Exchange, sendRequest } from '../../outbound/send-request.ts'
import { DEFAULT_TIMEOUTS, formatDuration, type Timeouts } from '../../outbound/timeouts.ts'
import type { Download, DownloadRequest, DownloadResult } from '../download.ts'
import { FeedError, MissingFileError } from '../feed.ts'
import { checkResponseHead, findRedirect, saveBody } from './response.ts'
import { computeRetryDelayMs } from './retry.ts'

export interface DownloadSettings {
  readonly userAgent: string
  /** The only hosts that downloads may connect to, each with its port unless that is the default port. */
  readonly allowedHosts: readonly string[]
  /** Allowed hosts in the operator's own network, which may have private addresses and use plain HTTP. */
  readonly privateHosts?: readonly string[]
  /** If the abort reason is a FeedError, the download throws it. */
  readonly signal?: AbortSignal
  readonly attempts?: number
  readonly timeouts?: Partial<Timeouts>
  readonly now: Clock
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** Returns a number from 0 to 1 that varies the retry delay, so that many workers do not retry at the same moment. */
  readonly random?: () => number
  readonly resolve?: (hostname: string) => Promise<readonly LookupAddress[]>
}

type CompleteSettings = ReturnType<typeof addDefaults>

function addDefaults(settings: DownloadSettings) {
  return {
    privateHosts: [],
    attempts: 4,
    sleep: (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }),
    random: Math.random,
    resolve: (hostname: string) => lookup(hostname, { all: true }),
    ...settings,
    timeouts: { ...DEFAULT_TIMEOUTS, ...settings.timeouts },
  }
}

interface Task {
  readonly request: DownloadRequest
  readonly path: string
  readonly signal: AbortSignal
}

export function openDownload(settings: DownloadSettings): Download {
  const complete = addDefaults(settings)
  const { totalMs } = complete.timeouts
  return {
    file: async (request, path) => {
      const late = new AbortController()
      const timer = setTimeout(
        () => late.abort(permanent(`the download took longer than ${formatDuration(totalMs)}`)),
        totalMs,
      )
      const signal = AbortSignal.any([late.signal, ...(settings.signal ? [settings.signal] : [])])
      return downloadWithRetries(complete, { request, path, signal }).finally(() => clearTimeout(timer))
    },
  }
}

async function downloadWithRetries(settings: CompleteSettings, task: Task, attempt = 1): Promise<DownloadResult> {
  try {
    return await attemptOnce(settings, task)
  } catch (error) {
    const isRetryable = error instanceof DownloadError && error.isTransient && attempt < settings.attempts
    if (!isRetryable) throw toFeedError(error, task, attempt)
    await settings.sleep(computeRetryDelayMs(attempt, error.waitMs, settings.random()), task.signal).catch(() => {
      throw toFeedError(task.signal.reason, task, attempt)
    })
  }
  return downloadWithRetries(settings, task, attempt + 1)
}

async function attemptOnce(settings: CompleteSettings, { request, path, signal }: Task): Promise<DownloadResult> {
  const url = URL.parse(request.url)
  if (!url) throw permanent('the address is not a complete URL, expected https://host/path')
  checkHost(url, settings.allowedHosts)
  checkDestination(url, settings)

  const common = { policy: settings, timeouts: settings.timeouts, signal }
  const save = async (response: IncomingMessage, exchange: Exchange): Promise<DownloadResult> =>
    checkResponseHead(response, request, settings.now()) === 'unchanged'
      ? { isUnchanged: true }
      : saveBody(response, { path, request, exchange })
  const outcome = await sendRequest(
    { ...common, url, headers: buildHeaders(request, url, settings) },
    async (response, exchange) => findRedirect(response, url) ?? save(response, exchange),
  )
  if (!(outcome instanceof URL)) return outcome

  checkRedirect(url, outcome, request.redirectHosts ?? [])
  checkDestination(outcome, settings)
  return sendRequest({ ...common, url: outcome, headers: buildHeaders(request, outcome, settings) }, save)
}

/** The feed's own headers are sent only to the origin of the requested URL. */
function buildHeaders(
  request: DownloadRequest,
  destination: URL,
  { userAgent }: CompleteSettings,
): Record<string, string> {
  const { headers = {}, validators: { etag, lastModified } = {} } = request
  const isSameOrigin = destination.origin === URL.parse(request.url)?.origin
  return {
    accept: '*/*',
    ...(isSameOrigin ? headers : {}),
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
    'accept-encoding': 'identity',
    'user-agent': userAgent,
  }
}

function toFeedError(error: unknown, { request, signal }: Task, attempts: number): FeedError {
  if (error instanceof FeedError) return error
  const reason =
    signal.aborted && !(error instanceof DownloadError) ? 'the run was stopped' : toNetworkError(error).message
  const tried = attempts === 1 ? 'Tried once.' : `Tried ${attempts} times.`
  const message = `${redactUrl(request.url)} could not be downloaded: ${reason}. ${tried}`
  const isMissing = error instanceof DownloadError && error.status === 404
  return new (isMissing ? MissingFileError : FeedError)(message, { cause: error })
}
