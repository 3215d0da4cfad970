// Sends one HTTP request with time limits and a checked destination.
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { type RequestOptions, request as secureRequest } from 'node:https'
import type { TcpNetConnectOpts } from 'node:net'
import { createLookup, type HostPolicy } from './destination.ts'
import { type DownloadError, isProtocolError, toNetworkError, transient } from './request-error.ts'
import { type RequestTimers, startRequestTimers, type Timeouts } from './timeouts.ts'

/** Node's default of 250 ms before it tries the next IP address is too short for distant servers. */
const NEXT_ADDRESS_DELAY_MS = 2_000

export interface OutgoingRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly policy: HostPolicy
  readonly timeouts: Timeouts
  readonly signal: AbortSignal
}

export interface Exchange {
  readonly timers: RequestTimers
  /** Aborted on a timeout, when the feed run is stopped, and on a violation of the HTTP protocol. */
  readonly signal: AbortSignal
}

/** Closes the connection before it returns. Throws a DownloadError, or the abort signal's reason. */
export async function sendRequest<T>(
  request: OutgoingRequest,
  onResponse: (response: IncomingMessage, exchange: Exchange) => Promise<T>,
): Promise<T> {
  const end = new AbortController()
  const abort = (error: DownloadError) => end.abort(error)
  const exchange = {
    timers: startRequestTimers(request.timeouts, abort),
    signal: AbortSignal.any([end.signal, request.signal]),
  }
  try {
    return await onResponse(await openResponse(request, exchange, abort), exchange)
  } catch (error) {
    throw exchange.signal.aborted ? exchange.signal.reason : toNetworkError(error)
  } finally {
    exchange.timers.end()
    end.abort()
  }
}

function openResponse(
  { url, headers, policy }: OutgoingRequest,
  { timers, signal }: Exchange,
  abort: (error: DownloadError) => void,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  const options: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> = {
    headers,
    signal,
    lookup: createLookup(url, policy),
    agent: false,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_DELAY_MS,
    // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED can switch off Node's default verification.
    rejectUnauthorized: true,
  }
  return new Promise((resolve, reject) => {
    const request = (isSecure ? secureRequest : plainRequest)(url, options)
    request.once('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', () => timers.connected()))
    request.once('response', (response) => {
      timers.responded()
      resolve(response)
    })
    request.on('error', (error) => {
      reject(error)
      // For example, the response stream itself does not report bytes beyond the announced length.
      if (isProtocolError(error)) abort(toNetworkError(error))
    })
    // A server that switches protocols causes neither a response nor an error.
    request.once('close', () => reject(transient('the connection was closed before a response')))
    request.end()
  })
}
