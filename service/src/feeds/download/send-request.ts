// One question, one answer, and an end to waiting.
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { type RequestOptions, request as secureRequest } from 'node:https'
import type { TcpNetConnectOpts } from 'node:net'
import { lookupOf, type Reach } from './destination.ts'
import { isProtocolError, toNetworkError, passing, type Trouble } from './download-error.ts'
import { type Patience, type Watch, watchRequest } from './timeouts.ts'

/** Node gives up each address but the last after a quarter of a second, which is not enough around the world. */
const NEXT_ADDRESS_AFTER_MS = 2_000

export interface Question {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly reach: Reach
  readonly patience: Patience
  readonly signal: AbortSignal
}

/** While an answer comes. */
export interface Exchange {
  readonly watch: Watch
  /** Ends with the patience, at the end of the run, and when the server breaks the rules of HTTP. */
  readonly signal: AbortSignal
}

/** Nothing is left of the connection afterwards. Throws Trouble, or the reason of the signal. */
export async function ask<T>(
  question: Question,
  listen: (answer: IncomingMessage, exchange: Exchange) => Promise<T>,
): Promise<T> {
  const end = new AbortController()
  const giveUp = (trouble: Trouble) => end.abort(trouble)
  const exchange = {
    watch: watchRequest(question.patience, giveUp),
    signal: AbortSignal.any([end.signal, question.signal]),
  }
  try {
    return await listen(await answerTo(question, exchange, giveUp), exchange)
  } catch (error) {
    throw exchange.signal.aborted ? exchange.signal.reason : toNetworkError(error)
  } finally {
    exchange.watch.end()
    end.abort()
  }
}

function answerTo(
  { url, headers, reach }: Question,
  { watch, signal }: Exchange,
  giveUp: (trouble: Trouble) => void,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  const options: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> = {
    headers,
    signal,
    lookup: lookupOf(url, reach),
    agent: false,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    // The platform's default can be switched off by an environment variable.
    rejectUnauthorized: true,
  }
  return new Promise((resolve, reject) => {
    const request = (isSecure ? secureRequest : plainRequest)(url, options)
    request.once('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', () => watch.connected()))
    request.once('response', (answer) => {
      watch.answered()
      resolve(answer)
    })
    request.on('error', (error) => {
      reject(error)
      // Within the answer: bytes beyond the announced length, for one, which the answer itself would not show.
      if (isProtocolError(error)) giveUp(toNetworkError(error))
    })
    // A server that switches protocols brings neither an answer nor an error.
    request.once('close', () => reject(passing('the connection was closed before there was an answer')))
    request.end()
  })
}
