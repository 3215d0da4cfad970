// Assembles the web console of an API node: its sessions, the ways to sign in, the limit of its reads, and its files.
import { randomBytes } from 'node:crypto'
import { type CallerCache, createCallerCache } from '../accounts/caller-cache.ts'
import { countReadsIn, createConsoleReads } from '../accounts/console-reads.ts'
import { type FoundSession, findSession } from '../accounts/sessions.ts'
import { createSessionLookupLimits } from '../api/admission/limit-lookups.ts'
import { loadConsoleFiles } from '../api/console/files.ts'
import { createOidcSignIn, type OidcSignIn } from '../api/console/oidc/provider.ts'
import { deriveCookieKey } from '../api/console/oidc/state-cookie.ts'
import type { ConsoleOptions } from '../api/console/serve.ts'
import { createSignInAttempts, MAX_LINK_VIEWS } from '../api/console/sign-in-attempts.ts'
import type { Metrics } from '../api/metrics.ts'
import type { Invitations } from '../api/services.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Log } from '../log.ts'
import type { Connections } from './connections.ts'
import { buildLink } from './mail/link.ts'
import { createMailSender, type MailSender } from './mail/sender.ts'
import { createMailServer } from './mail/smtp.ts'
import { findSignInErrors } from './sign-in-settings.ts'

export function openSessionCache({ accounts }: Connections): CallerCache<FoundSession> {
  return createCallerCache((digest) => findSession(accounts.db, digest), createSessionLookupLimits())
}

interface ConsoleParts {
  readonly config: Config
  readonly connections: Connections
  readonly sessions: CallerCache<FoundSession>
  readonly metrics: Metrics
  readonly log: Log
  /** Folder of the built console; undefined if it is not built. */
  readonly folder: string | undefined
}

export interface OpenConsole {
  /** Undefined if the console is off. */
  readonly options: ConsoleOptions | undefined
  /** Undefined if this server sends no mail. */
  readonly mail: MailSender | undefined
}

export async function openConsole(parts: ConsoleParts): Promise<OpenConsole> {
  const { config, connections, sessions, metrics, log, folder } = parts
  const { console: settings, http, signIn } = config
  if (!settings.isOn) return { options: undefined, mail: undefined }
  const errors = findSignInErrors(config)
  if (errors.length > 0) throw new ConfigError(errors)
  if (folder === undefined) log.info('the console is not built: /console/ answers 404')
  const limits = { perMinute: settings.readsPerMinute, perDay: settings.readsPerDay }
  const files = folder === undefined ? undefined : await loadConsoleFiles(folder)
  const mail = openMail(parts)
  const context = {
    sessions,
    reads: createConsoleReads(countReadsIn(connections.accounts.db, limits), limits),
    signInAttempts: createSignInAttempts(),
    linkViews: createSignInAttempts(undefined, MAX_LINK_VIEWS),
    allowsKeySignIn: settings.allowsKeySignIn,
    mail,
    oidc: openOidc(config, log),
    signUp: signIn.signUp,
    onSignIn: metrics.countSignIn,
    publicUrl: http.publicUrl,
  }
  return { options: { context, files }, mail }
}

function openMail({ config, connections, metrics, log }: ConsoleParts): MailSender | undefined {
  const { smtpUrl, mailFrom, signUp } = config.signIn
  if (smtpUrl === null || mailFrom === null) return undefined
  return createMailSender({
    accounts: connections.accounts.db,
    server: createMailServer(smtpUrl, mailFrom),
    buildLink: (token) => buildLink(config.http, token),
    allowsSignUp: signUp.isOpen,
    onMail: metrics.countMail,
    // The error of the mail library may contain the e-mail of the recipient, so only its message code is logged.
    onError: (error, message) => log.warn({ code: readCode(error) }, message),
    onRecovery: () => log.info('the mail server responds again'),
  })
}

function readCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.name
}

function openOidc({ signIn: { oidc }, http, cursors }: Config, log: Log): OidcSignIn | undefined {
  const { issuer, clientId, clientSecret } = oidc
  const { publicUrl } = http
  if (issuer === null || clientSecret === null || publicUrl === null) return undefined
  const secrets = [cursors.secret, cursors.previousSecret].filter((secret) => secret !== null)
  const keys = secrets.length > 0 ? secrets.map(deriveCookieKey) : [randomBytes(32)]
  const settings = {
    issuer,
    clientId,
    clientSecret,
    callbackUrl: `${publicUrl.replace(/\/$/, '')}/console/api/sign-in/oidc/callback`,
    scopes: oidc.scopes,
    allowedDomains: oidc.allowedDomains,
    groups: oidc.accountId === 0 ? undefined : { roles: oidc.roles, accountId: String(oidc.accountId) },
  }
  return createOidcSignIn(settings, keys, (error) =>
    log.warn({ code: readCode(error) }, 'a sign-in with OpenID Connect failed'),
  )
}

export function createInvitations(config: Config, mail: MailSender | undefined): Invitations {
  return {
    areMailed: mail !== undefined,
    buildLink: (token) => buildLink(config.http, token),
    onQueued: () => mail?.wake(),
  }
}
