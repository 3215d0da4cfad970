// Downloads with the manners of a guest and the caution of a stranger: what download.ts promises.
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../domain/clock.ts'
import type { Download, Downloaded, DownloadRequest } from '../download.ts'
import { FeedError } from '../feed.ts'
import { checkHost, checkPlace, checkRedirect } from './destination.ts'
import { lasting, toNetworkError, Trouble } from './download-error.ts'
import { shownAddress } from './redact-url.ts'
import { checkHead, redirectOf, saveBody } from './response.ts'
import { pauseMs } from './retry.ts'
import { ask, type Exchange } from './send-request.ts'
import { duration, type Patience, USUAL_PATIENCE } from './timeouts.ts'

export interface DownloadSettings {
  /** How we introduce ourselves: a name, a version, and where to complain. */
  readonly userAgent: string
  /** As addresses spell them: with the port unless it is the usual one. No other host is asked for anything. */
  readonly allowedHosts: readonly string[]
  /**
   * Those among them that are inside one's own network: they may have loopback and private addresses, and may be asked
   * in plain HTTP.
   */
  readonly privateHosts?: readonly string[]
  /** Ends whatever is under way. If its reason is a FeedError, that is what is thrown. */
  readonly signal?: AbortSignal
  readonly attempts?: number
  readonly patience?: Partial<Patience>
  readonly now: Clock
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** From 0 to 1, so that many workers do not come back at the same moment. */
  readonly random?: () => number
  readonly resolve?: (hostname: string) => Promise<readonly LookupAddress[]>
}

type Terms = ReturnType<typeof termsOf>

function termsOf(settings: DownloadSettings) {
  return {
    privateHosts: [],
    attempts: 4,
    sleep: (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }),
    random: Math.random,
    resolve: (hostname: string) => lookup(hostname, { all: true }),
    ...settings,
    patience: { ...USUAL_PATIENCE, ...settings.patience },
  }
}

interface Task {
  readonly request: DownloadRequest
  readonly path: string
  readonly signal: AbortSignal
}

export function openDownload(settings: DownloadSettings): Download {
  const terms = termsOf(settings)
  const { wholeMs } = terms.patience
  return {
    file: async (request, path) => {
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(lasting(`it took longer than ${duration(wholeMs)}`)), wholeMs)
      const signal = AbortSignal.any([late.signal, ...(settings.signal ? [settings.signal] : [])])
      return persist(terms, { request, path, signal }).finally(() => clearTimeout(timer))
    },
  }
}

async function persist(terms: Terms, task: Task, attempt = 1): Promise<Downloaded> {
  try {
    return await attemptOnce(terms, task)
  } catch (error) {
    const isWorthAnother = error instanceof Trouble && error.isPassing && attempt < terms.attempts
    if (!isWorthAnother) throw faultOf(error, task, attempt)
    await terms.sleep(pauseMs(attempt, error.waitMs, terms.random()), task.signal).catch(() => {
      throw faultOf(task.signal.reason, task, attempt)
    })
  }
  return persist(terms, task, attempt + 1)
}

async function attemptOnce(terms: Terms, { request, path, signal }: Task): Promise<Downloaded> {
  const url = URL.parse(request.url)
  if (!url) throw lasting('it is not a complete address, expected https://host/path')
  checkHost(url, terms.allowedHosts)
  checkPlace(url, terms)

  const common = { reach: terms, patience: terms.patience, signal }
  const take = async (answer: IncomingMessage, exchange: Exchange): Promise<Downloaded> =>
    checkHead(answer, request, terms.now()) === 'unchanged'
      ? { isUnchanged: true }
      : saveBody(answer, { path, request, exchange })
  const outcome = await ask(
    { ...common, url, headers: headersFor(request, url, terms) },
    async (answer, exchange) => redirectOf(answer, url) ?? take(answer, exchange),
  )
  if (!(outcome instanceof URL)) return outcome

  checkRedirect(url, outcome, request.redirectHosts ?? [])
  checkPlace(outcome, terms)
  return ask({ ...common, url: outcome, headers: headersFor(request, outcome, terms) }, take)
}

/** Those of the feed go only where the feed wanted to go. */
function headersFor(request: DownloadRequest, place: URL, { userAgent }: Terms): Record<string, string> {
  const { headers = {}, validators: { etag, lastModified } = {} } = request
  const isOwnPlace = place.origin === URL.parse(request.url)?.origin
  return {
    accept: '*/*',
    ...(isOwnPlace ? headers : {}),
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
    'accept-encoding': 'identity',
    'user-agent': userAgent,
  }
}

function faultOf(error: unknown, { request, signal }: Task, attempts: number): FeedError {
  if (error instanceof FeedError) return error
  const words = signal.aborted && !(error instanceof Trouble) ? 'the run was stopped' : toNetworkError(error).message
  const tried = attempts === 1 ? 'Tried once.' : `Tried ${attempts} times.`
  return new FeedError(`${shownAddress(request.url)} could not be downloaded: ${words}. ${tried}`, { cause: error })
}
