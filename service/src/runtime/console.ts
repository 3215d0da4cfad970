// Assembles an API node's web console: its sessions, the ways to sign in, the limit on its reads, and its files.
import { type CallerCache, createCallerCache } from '../accounts/keys/caller-cache.ts'
import { countReadsIn, createConsoleReads } from '../accounts/people/console-reads.ts'
import type { SignInStates } from '../accounts/people/identity-status.ts'
import { type FoundSession, findSession } from '../accounts/people/sessions.ts'
import { createSessionLookupLimits } from '../api/admission/limit-lookups.ts'
import type { Metrics } from '../api/metrics.ts'
import type { Invitations } from '../api/services.ts'
import type { Config } from '../config.ts'
import { loadConsoleFiles } from '../console/files.ts'
import { createPageReads } from '../console/page-reads.ts'
import type { ConsoleOptions } from '../console/serve.ts'
import { createSignInAttempts, MAX_LINK_VIEWS } from '../console/sign-in-attempts.ts'
import type { Log } from '../log.ts'
import type { Connections } from './connections.ts'
import { buildLink } from './mail/link.ts'

export function openSessionCache({ accounts }: Connections): CallerCache<FoundSession> {
  return createCallerCache((digest) => findSession(accounts.db, digest), createSessionLookupLimits())
}

interface ConsoleParts {
  readonly config: Config
  readonly connections: Connections
  readonly sessions: CallerCache<FoundSession>
  readonly signIn: SignInStates
  readonly metrics: Metrics
  readonly log: Log
  /** Undefined if the console is not built. */
  readonly folder: string | undefined
}

/** Returns undefined if the console is off. */
export async function openConsole(parts: ConsoleParts): Promise<ConsoleOptions | undefined> {
  const { config, connections, sessions, signIn, metrics, log, folder } = parts
  const { console: settings, http } = config
  if (!settings.isOn) return undefined
  if (folder === undefined) log.info('the console is not built: /console/ answers 404')
  const limits = { perMinute: settings.readsPerMinute, perDay: settings.readsPerDay }
  const files = folder === undefined ? undefined : await loadConsoleFiles(folder)
  const context = {
    sessions,
    reads: createPageReads(createConsoleReads(countReadsIn(connections.accounts.db, limits), limits)),
    signInAttempts: createSignInAttempts(),
    linkViews: createSignInAttempts(undefined, MAX_LINK_VIEWS),
    allowsKeySignIn: settings.allowsKeySignIn,
    signIn,
    onSignIn: metrics.countSignIn,
    publicUrl: http.publicUrl,
  }
  return { context, files }
}

/** Invitations are mailed if the sign-in process has a mail server, even while that process is not running. */
export function createInvitations(config: Config, signIn: SignInStates): Invitations {
  return {
    areMailed: async () => (await signIn.read()).mail !== null,
    buildLink: (token) => buildLink(config.http, token),
  }
}
