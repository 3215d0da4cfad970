// Assembles the web console of an API node: its sessions, the limit of its reads, and its files.
import { type CallerCache, createCallerCache, createSessionLookupLimits } from '../accounts/caller-cache.ts'
import { countReadsIn, createConsoleReads } from '../accounts/console-reads.ts'
import { type FoundSession, findSession } from '../accounts/sessions.ts'
import { loadConsoleFiles } from '../api/console/files.ts'
import type { ConsoleOptions } from '../api/console/serve.ts'
import { createSignInAttempts } from '../api/console/sign-in-attempts.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Connections } from './connections.ts'

export function openSessionCache({ accounts }: Connections): CallerCache<FoundSession> {
  return createCallerCache((digest) => findSession(accounts.db, digest), undefined, createSessionLookupLimits())
}

/** Returns undefined if the console is off. `folder` is that of the built console; undefined if it is not built. */
export async function openConsole(
  { console: settings, http }: Config,
  { accounts }: Connections,
  sessions: CallerCache<FoundSession>,
  log: Log,
  folder: string | undefined,
): Promise<ConsoleOptions | undefined> {
  if (!settings.isOn) return undefined
  if (folder === undefined) log.info('the console is not built: /console/ answers 404')
  const limits = { perMinute: settings.readsPerMinute, perDay: settings.readsPerDay }
  return {
    context: {
      sessions,
      reads: createConsoleReads(countReadsIn(accounts.db, limits), limits),
      signInAttempts: createSignInAttempts(),
      allowsKeySignIn: settings.allowsKeySignIn,
      publicUrl: http.publicUrl,
    },
    files: folder === undefined ? undefined : await loadConsoleFiles(folder),
  }
}
