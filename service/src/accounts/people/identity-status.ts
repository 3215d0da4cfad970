// What an API node knows about the sign-in process: whether it is running, and which ways to sign in it offers. Cached
// for two seconds, because every console page needs it.

import type { Database } from '../../database/postgres.ts'
import { type IdentityStatus, readIdentityStatus } from './identity-requests.ts'

/** The sign-in process reports every 2 s. After this time without a report, sign-in counts as off. */
const MAX_AGE_SECONDS = 15
const FRESH_MS = 2000

interface SignInState extends Pick<IdentityStatus, 'mail' | 'oidcName' | 'allowsSignUp'> {
  /** False while no sign-in process is running. The other values are then the last known ones. */
  readonly isOn: boolean
}

const NEVER_SEEN: SignInState = { isOn: false, mail: null, oidcName: null, allowsSignUp: false }

export interface SignInStates {
  /** Returns a state that is at most two seconds old. Sign-in counts as off while the database cannot be read. */
  read(): Promise<SignInState>
}

export function createSignInStates(accounts: Database, nowMs: () => number = () => performance.now()): SignInStates {
  let known: { readonly state: Promise<SignInState>; readonly readAtMs: number } | undefined
  let last = NEVER_SEEN
  const load = async (): Promise<SignInState> => {
    try {
      const status = await readIdentityStatus(accounts)
      last = status ? { ...status, isOn: status.ageSeconds <= MAX_AGE_SECONDS } : NEVER_SEEN
    } catch {
      last = { ...last, isOn: false }
    }
    return last
  }
  return {
    read: () => {
      if (!known || nowMs() - known.readAtMs >= FRESH_MS) known = { state: load(), readAtMs: nowMs() }
      return known.state
    },
  }
}
