// Bugs in the parts that keep one account from hurting another, and in the handling of outages.
import type { SourceBug } from '../account-bugs/source.ts'

const TURNS = 'service/src/api/admission/database-turns'
const TURNS_TEST = 'service/test/api/admission/database-turns.test.ts'
const FAIR_SHARE_TEST = 'service/test/spec/http/fair-share.test.ts'
const UNSENT_TEST = 'service/test/api/admission/unsent-bytes.test.ts'
const KEYS_TEST = 'service/test/spec/http/keys.test.ts'

export const ISOLATION_BUGS: readonly SourceBug[] = [
  {
    name: 'one account may hold every database connection',
    file: `${TURNS}/share.ts`,
    changes: [
      { text: 'const third = Math.max(1, Math.floor(limits.turns / 3))', replacement: 'const third = limits.turns' },
    ],
    test: 'lets one account hold at most a third of the connections while another is active',
    testFile: TURNS_TEST,
  },
  {
    name: 'the caps for searches and batches are ignored',
    file: `${TURNS}/share.ts`,
    changes: [
      { text: 'running + inCooldown >= (limits.turnsPerAccount[kind] ?? third)', replacement: 'running >= third' },
    ],
    test: 'lets one account hold only a few searches and batches while another is active',
    testFile: TURNS_TEST,
  },
  {
    name: 'an account that was served stays first in the queue',
    file: `${TURNS}/queue.ts`,
    changes: [{ text: '      moveToEnd(accounts, calls.account.id, calls.account)\n', replacement: '' }],
    test: 'serves waiting accounts in rotation, however many calls they have',
    testFile: TURNS_TEST,
  },
  {
    name: 'searches that fail do not count against the budget',
    file: `${TURNS}/turns.ts`,
    changes: [
      {
        text: `      try {
        return await work()
      } finally {
        const ms = nowMs() - startedMs
        usedMs += ms
        budget.spend(calls.account.id, ms)
      }`,
        replacement: `      const result = await work()
      usedMs += nowMs() - startedMs
      budget.spend(calls.account.id, usedMs)
      return result`,
      },
    ],
    test: 'counts failed database work, such as a search that times out, against the budget',
    testFile: TURNS_TEST,
  },
  {
    name: 'no cooldown follows a long search',
    file: `${TURNS}/turns.ts`,
    changes: [{ text: 'const COOLDOWN_FACTOR = 4', replacement: 'const COOLDOWN_FACTOR = 0' }],
    test: 'limits further searches after a long one while another account is active, but not after an ordinary one',
    testFile: TURNS_TEST,
  },
  {
    name: 'all new accounts start long searches at once',
    file: `${TURNS}/expected-time.ts`,
    changes: [
      {
        text: '?? Number.POSITIVE_INFINITY) >= getBoundMs()',
        replacement: '?? 0) >= getBoundMs()',
      },
    ],
    test: 'lets all new accounts together, whose first searches may be long, start one search at a time',
    testFile: TURNS_TEST,
  },
  {
    name: 'an account that is alone is refused',
    file: `${TURNS}/refusal.ts`,
    changes: [{ text: 'if (waitedMs < maxWaitMs) return undefined', replacement: '' }],
    test: 'never refuses a waiting call from an account that is alone, until the maximum wait',
    testFile: TURNS_TEST,
  },
  {
    name: 'a call whose client has left is charged',
    file: 'service/src/api/register.ts',
    changes: [
      {
        text: 'endpoint.work, { signal, prepare })',
        replacement: 'endpoint.work, { signal: NEVER_ABORTED, prepare })',
      },
      { text: '    signal.throwIfAborted()\n', replacement: '' },
    ],
    test: 'does not charge a call whose client leaves while the call waits',
    testFile: FAIR_SHARE_TEST,
  },
  {
    name: 'a call is no longer in flight when its answer is built',
    file: 'service/src/api/register.ts',
    changes: [
      { text: '        call.slot()\n', replacement: '' },
      { text: '    work.whenEnded(() =>\n', replacement: '    call.slot()\n    work.whenEnded(() =>\n' },
    ],
    test: 'counts an unread response until its connection closes',
    testFile: FAIR_SHARE_TEST,
  },
  {
    name: 'a pipelined answer that cannot be sent stays in flight',
    file: 'service/src/api/call-when-sent.ts',
    changes: [{ text: 'for (const callback of callbacks) callback()', replacement: 'callbacks.clear()' }],
    test: 'calls the function for a pipelined response if its connection closes before the response is sent',
    testFile: 'service/test/api/call-when-sent.test.ts',
  },
  {
    name: 'an overloaded node refuses accounts without calls in flight',
    file: 'service/src/api/admission/limit-concurrency.ts',
    changes: [{ text: 'if (count > 0 && isOverloaded() && hasEqualShare(count))', replacement: 'if (isOverloaded())' }],
    test: 'admits one call from each account even while the node is overloaded',
    testFile: 'service/test/api/admission/limit-concurrency.test.ts',
  },
  {
    name: 'a revoked key gets priced answers from the cache during an outage',
    file: 'service/src/api/admit-key.ts',
    changes: [
      {
        text: "acceptsLastKnownKeys: endpoint.credits === 0 && endpoint.work === 'none'",
        replacement: 'acceptsLastKnownKeys: true',
      },
    ],
    test: 'accepts a key that was revoked during the outage only for free checks',
    testFile: 'lab/chaos/nodes/primary-away.test.ts',
  },
  {
    name: 'keys stay last known for ten minutes',
    file: 'service/src/accounts/keys/caller-cache.ts',
    changes: [{ text: 'const LAST_KNOWN_MS = 60_000', replacement: 'const LAST_KNOWN_MS = 600_000' }],
    test: 'remembers the last caller of a valid key for one minute after its lookup',
    testFile: KEYS_TEST,
  },
  {
    name: 'a lookup that began before a revocation is cached',
    file: 'service/src/accounts/keys/caller-cache.ts',
    changes: [{ text: 'if (entries.generation === generation) entries.set(', replacement: 'entries.set(' }],
    test: 'does not cache a lookup that started before the key was evicted',
    testFile: KEYS_TEST,
  },
  {
    name: 'the health check reports ok from memory',
    file: 'service/src/api/endpoints/health/endpoint.ts',
    changes: [{ text: 'isCurrent && isFresh && isAccountsReachable()', replacement: 'isFresh' }],
    test: 'reports degraded on /health, and refuses calls that it cannot charge',
    testFile: 'lab/chaos/nodes/primary-away.test.ts',
  },
  {
    name: 'any number of guessed keys wait for a lookup',
    file: 'service/src/api/admission/limit-lookups.ts',
    changes: [{ text: 'if (waiting >= maxWaiting) throw', replacement: 'if (maxWaiting < 0) throw' }],
    test: 'run four at a time, and at most 1,000 wait',
    testFile: 'service/test/spec/http/guessed-keys.test.ts',
  },
  {
    name: 'unread answers of one account may fill the memory of the node',
    file: 'service/src/api/admission/unsent-bytes.ts',
    changes: [{ text: 'perOwner: limits.accountBytes', replacement: 'perOwner: Number.POSITIVE_INFINITY' }],
    test: 'admits calls until the estimates of the account exceed its budget',
    testFile: UNSENT_TEST,
  },
  {
    name: 'a large call is refused although its account reads',
    file: 'service/src/api/admission/unsent-bytes.ts',
    changes: [{ text: '    if (next < bytes) own.lastDecreaseAtMs = nowMs()\n', replacement: '' }],
    test: 'lets a call wait as long as its account keeps reading',
    testFile: UNSENT_TEST,
  },
  {
    name: 'a call releases what it holds when its error is answered',
    file: 'service/src/api/call-work.ts',
    changes: [
      {
        text: '      if (parts.size === 0) onEnd()\n      else void Promise.all(parts).then(() => onEnd())\n',
        replacement: '      onEnd()\n',
      },
    ],
    test: 'is aborted when the client closes the connection, and is over only once the running step has settled',
    testFile: 'service/test/api/call-work.test.ts',
  },
  {
    name: 'work goes on when its client has left',
    file: 'service/src/api/call-work.ts',
    changes: [{ text: "  else socket.once('close', abort)\n", replacement: '' }],
    test: 'has its statement cancelled and is charged',
    testFile: 'service/test/spec/http/abandoned-calls.test.ts',
  },
  {
    name: 'callers without credentials have one quota together',
    file: 'service/src/api/admission/owner.ts',
    changes: [{ text: 'toClientNetwork(address)', replacement: "toClientNetwork(address === '' ? '' : '127.0.0.1')" }],
    test: 'does not keep other users from using a new session',
    testFile: 'service/test/faults/isolation/strangers.test.ts',
  },
  {
    name: 'accounts have no equal share of the memory for documents',
    file: 'service/src/api/admission/quota.ts',
    changes: [
      {
        text: "if (share.used + amount > equalShare) return 'node'",
        replacement: "if (share.used + amount > equalShare || !isElastic) return 'node'",
      },
    ],
    test: "do not block another account's documents, and are not charged",
    testFile: 'service/test/faults/isolation/unfinished-documents.test.ts',
  },
  {
    name: 'a client that reads too slowly is never disconnected',
    file: 'service/src/api/large-answers/read-rate.ts',
    changes: [{ text: "return sent - oldest.sent < minBytes ? 'rate' : undefined", replacement: 'return undefined' }],
    test: 'disconnects a client that reads 64 KB every 8 s once the window has passed',
    testFile: 'service/test/api/large-answers/read-rate.test.ts',
  },
]
