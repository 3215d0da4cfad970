// The sign-in process, which decides whether members may sign in. It answers the requests that API nodes forward, and
// reports every few seconds that it is running. It is part of `vis-server worker`, or runs alone as
// `vis-server identity`; several may run at once. It polls the database, because notifications do not pass through a
// pooler in transaction mode.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  answerRequest,
  reportIdentity,
  type TakenRequest,
  takeRequests,
} from '../../accounts/people/identity-requests.ts'
import { readNewOwners } from '../../accounts/people/new-owners.ts'
import { areEqual, readSignInRules } from '../../accounts/people/sign-in-rules.ts'
import type { Config } from '../../config.ts'
import { openPool, type Pool } from '../../database/postgres.ts'
import { type Log, readErrorCode } from '../../log.ts'
import { handleRequest, type OidcSignIn, type SignInDependencies } from './handle-request.ts'
import type { IdentityMetrics } from './metrics.ts'
import { createOidcProvider } from './oidc-provider.ts'
import { deriveFlowKey } from './sealed-flow.ts'
import { buildSignInRules } from './settings.ts'

/** Pause between polls while there are no requests. */
const POLL_INTERVAL_MS = 100
/** Pause after a failed statement, such as one that the login may not run. */
const RETRY_DELAY_MS = 5000
const REPORT_INTERVAL_MS = 2000
/** Requests spend most of their time waiting for the provider. */
const MAX_CONCURRENT = 32
const POOL_SIZE = 4

export interface IdentityOptions {
  readonly log: Log
  readonly metrics: IdentityMetrics
  /** Called when somebody has asked for a mail, so that it need not wait until the next look for jobs. */
  readonly onMailAsked?: () => void
  /** Returns a hint for the operator if the database login lacks the rights of the sign-in process. */
  readonly describeProblem?: (error: unknown) => string | undefined
}

export interface Identity {
  /** Stops taking requests, and waits for those that are being decided. */
  stop(): Promise<void>
}

interface Parts extends SignInDependencies {
  readonly pool: Pool
  readonly config: Config
  readonly options: IdentityOptions
  readonly signal: AbortSignal
}

export function startIdentity(config: Config, options: IdentityOptions): Identity {
  const stopping = new AbortController()
  const { log } = options
  const limits = { ...config.database.limits, poolSize: POOL_SIZE }
  const pool = openPool(config.database.identityUrl, 'identity', limits, ({ message }) =>
    log.warn({ message, pool: 'identity' }, 'idle database connection lost'),
  )
  const parts: Parts = {
    pool,
    accounts: pool.db,
    sendsMail: config.signIn.smtpUrl !== null && config.signIn.mailFrom !== null,
    onMailAsked: options.onMailAsked ?? (() => {}),
    oidc: openOidc(config, log),
    onProviderError: (error) => logProviderError(log, error),
    config,
    options,
    signal: stopping.signal,
  }
  const loops = [answerRequests(parts), repeat(parts, REPORT_INTERVAL_MS, createReport(parts))]
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
      await pool.close()
    },
  }
}

async function answerRequests(parts: Parts): Promise<void> {
  const { accounts, options, signal } = parts
  const running = new Set<Promise<void>>()
  const problems = createProblemLog(options)
  while (!signal.aborted) {
    let pauseMs = POLL_INTERVAL_MS
    try {
      const taken = running.size < MAX_CONCURRENT ? await takeRequests(accounts, MAX_CONCURRENT - running.size) : []
      problems.end()
      if (taken.length > 0) pauseMs = 0
      for (const request of taken) {
        const answered: Promise<void> = answer(request, parts).finally(() => running.delete(answered))
        running.add(answered)
      }
    } catch (error) {
      problems.begin(error, 'requests for sign-ins cannot be read: members cannot sign in')
      pauseMs = RETRY_DELAY_MS
    }
    if (pauseMs > 0) await pause(pauseMs, signal)
  }
  await Promise.all(running)
}

/** Also reports a failure to the node, so that it does not wait for an answer. */
async function answer(request: TakenRequest, parts: Parts): Promise<void> {
  const { accounts, options } = parts
  const { log, metrics } = options
  const { id, kind } = request
  try {
    await answerRequest(accounts, id, { value: await handleRequest(request, parts) })
    metrics.countRequest(kind, 'answered')
  } catch (err) {
    log.warn({ err, kind }, 'a request for a sign-in could not be decided')
    metrics.countRequest(kind, 'failed')
    await answerRequest(accounts, id, { failed: true }).catch(() => {})
  }
}

function createReport({ accounts, sendsMail, oidc, config, options }: Parts): () => Promise<void> {
  const { log, metrics } = options
  let lastOwner: string | undefined
  let areRulesCompared = false
  return async () => {
    await reportIdentity(accounts, { sendsMail, oidcName: oidc?.provider.name ?? null })
    const { count, last, newest } = await readNewOwners(accounts, lastOwner)
    for (const owner of newest) log.warn(owner, 'a member became an owner of an account')
    lastOwner = last
    metrics.showNewOwners(count)
    if (areRulesCompared) return
    const rules = await readSignInRules(accounts)
    areRulesCompared = true
    if (rules && !areEqual(rules, buildSignInRules(config)))
      log.warn('the settings of sign-ins differ from the rules in the database, which count: run "vis-server migrate"')
  }
}

async function repeat({ options, signal }: Parts, intervalMs: number, work: () => Promise<void>): Promise<void> {
  const problems = createProblemLog(options)
  while (!signal.aborted) {
    let pauseMs = intervalMs
    try {
      await work()
      problems.end()
    } catch (error) {
      problems.begin(error, 'the state of sign-ins cannot be written')
      pauseMs = Math.min(intervalMs, RETRY_DELAY_MS)
    }
    await pause(pauseMs, signal)
  }
}

/** Logs only the first of several errors in a row. */
function createProblemLog({ log, describeProblem }: IdentityOptions) {
  let isKnown = false
  return {
    begin: (err: unknown, message: string) => {
      if (!isKnown) log.error({ err, hint: describeProblem?.(err) }, message)
      isKnown = true
    },
    end: () => {
      isKnown = false
    },
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {})
}

function openOidc({ signIn: { oidc }, http: { publicUrl } }: Config, log: Log): OidcSignIn | undefined {
  const { issuer, clientId, clientSecret, scopes } = oidc
  if (issuer === null || clientSecret === null || publicUrl === null) return undefined
  const callbackUrl = `${publicUrl.replace(/\/$/, '')}/console/api/sign-in/oidc/callback`
  const settings = { issuer, clientId, clientSecret, callbackUrl, scopes }
  return {
    provider: createOidcProvider(settings, (error) => logProviderError(log, error)),
    flowKey: deriveFlowKey(clientSecret),
  }
}

function logProviderError(log: Log, error: unknown): void {
  log.warn({ code: readErrorCode(error) }, 'a sign-in with OpenID Connect failed')
}
