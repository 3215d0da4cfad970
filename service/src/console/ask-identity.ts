// Forwards what a browser sent for a sign-in to the sign-in process, and waits for its answer. This node decides
// nothing: it has neither the right to open a member's session nor a secret that would let it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { addRequest, type IdentityRequestKind, takeAnswer } from '../accounts/people/identity-requests.ts'
import { unavailable } from '../contract/response/errors.ts'
import { signInAway } from '../contract/response/sign-in-errors.ts'
import { type ConsoleRequest, getNetwork, withTurn } from './console-request.ts'

/** Maximum time until the answer, some of which the provider may need. */
const WAIT_SECONDS: Readonly<Record<IdentityRequestKind, number>> = {
  link: 4,
  token: 4,
  description: 4,
  'oidc-start': 8,
  'oidc-finish': 9,
}
const PAUSES_MS = [20, 30, 50, 50, 100]

export async function askIdentity<T>(
  { request, api, consoleApi }: ConsoleRequest,
  kind: IdentityRequestKind,
  parameters: Readonly<Record<string, unknown>>,
): Promise<T> {
  if (!(await consoleApi.signIn.read()).isOn) throw signInAway()
  const [id, waitSeconds, owner] = [randomUUID(), WAIT_SECONDS[kind], getNetwork(request)]
  const endMs = performance.now() + waitSeconds * 1000
  const isAdded = await withTurn(api, owner, () => addRequest(api.accounts, { id, kind, parameters, waitSeconds }))
  if (!isAdded) throw unavailable('Too many people are signing in right now.')
  for (let attempt = 0; performance.now() < endMs; attempt += 1) {
    await sleep(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)])
    const answer = await withTurn(api, owner, () => takeAnswer(api.accounts, id))
    // The cast is safe: only our own sign-in process can answer.
    if (answer !== null) return readValue(answer) as T
  }
  throw unavailable('The sign-in took too long.')
}

function readValue(answer: unknown): unknown {
  if (typeof answer === 'object' && answer !== null && 'value' in answer) return answer.value
  throw unavailable('The sign-in could not be checked.')
}
