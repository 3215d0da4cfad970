// Limits failed sign-ins and views of links by the client's network, so that no one can try many keys or tie up the
// database. The counts are in the memory of this process: other nodes have their own, and a restart resets them.
import { toClientNetwork } from '../api/admission/client-network.ts'

const MAX_FAILURES = 20
export const MAX_LINK_VIEWS = 60
const WINDOW_MS = 60_000
/** The oldest network is dropped first. */
const MAX_NETWORKS = 10_000

interface Window {
  readonly endsMs: number
  failures: number
}

export interface SignInAttempts {
  /**
   * Counts an attempt as failed until `cancel` is called. Returns the seconds to wait if the network has reached its
   * limit.
   */
  start(address: string): { cancel(): void } | { readonly waitSeconds: number }
}

export function createSignInAttempts(
  nowMs: () => number = () => performance.now(),
  maxFailures = MAX_FAILURES,
): SignInAttempts {
  const windows = new Map<string, Window>()
  const open = (network: string): Window => {
    const known = windows.get(network)
    if (known && known.endsMs > nowMs()) return known
    windows.delete(network)
    const [oldest] = windows.keys()
    if (windows.size >= MAX_NETWORKS && oldest !== undefined) windows.delete(oldest)
    const created = { endsMs: nowMs() + WINDOW_MS, failures: 0 }
    windows.set(network, created)
    return created
  }
  return {
    start: (address) => {
      const window = open(toClientNetwork(address))
      if (window.failures >= maxFailures) return { waitSeconds: Math.ceil((window.endsMs - nowMs()) / 1000) }
      window.failures += 1
      return {
        cancel: () => {
          window.failures -= 1
        },
      }
    },
  }
}
