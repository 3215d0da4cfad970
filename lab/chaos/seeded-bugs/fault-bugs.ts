// Bugs that only a fault, a rotation or many connections show.
import type { SourceBug } from '../account-bugs/source.ts'

const SIMULATION_TEST = 'service/test/accounts/simulation/simulation.test.ts'

export const FAULT_BUGS: readonly SourceBug[] = [
  {
    name: 'a charge without a known outcome is not refunded',
    file: 'service/src/accounts/credits/meter.ts',
    changes: [
      { text: "if (mayBeStored && (!result || result.outcome === 'exceeded')) void", replacement: 'if (false) void' },
    ],
    test: 'charges every answered call as its response states',
    testFile: SIMULATION_TEST,
  },
  {
    name: 'a charge that is exceeded at its retry may be stored later',
    file: 'service/src/accounts/credits/meter.ts',
    changes: [{ text: "(!result || result.outcome === 'exceeded')", replacement: '!result' }],
    test: 'charges every answered call as its response states',
    testFile: SIMULATION_TEST,
  },
  {
    name: 'refunds are dropped when the database does not answer',
    file: 'service/src/accounts/credits/refunds.ts',
    changes: [
      { text: '        attempt += 1\n', replacement: '        attempt += 1\n        queue.splice(0, batch.length)\n' },
    ],
    test: 'charges every answered call as its response states',
    testFile: SIMULATION_TEST,
  },
  {
    name: 'a rotation ends the old key at once',
    file: 'service/src/accounts/keys/account-keys.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is source code.
    changes: [{ text: 'secs => ${overlapSeconds})', replacement: 'secs => 0)' }],
    test: 'accepts the old and the new key during the overlap',
    testFile: 'lab/chaos/nodes/key-rotation.test.ts',
  },
  {
    name: 'a node does not tell Redis how many calls it has allowed',
    file: 'service/src/api/admission/rate-window.ts',
    changes: [{ text: 'cost, count, start].map(String)', replacement: 'cost, 0, start].map(String)' }],
    test: 'keeps counting the calls in the window',
    testFile: 'lab/chaos/nodes/redis-failover.test.ts',
  },
  {
    name: 'a node accepts few connections',
    file: 'service/src/api/server.ts',
    changes: [{ text: 'const MAX_CONNECTIONS = 12_000', replacement: 'const MAX_CONNECTIONS = 300' }],
    test: 'answers requests on all of them and resets none',
    testFile: 'lab/chaos/nodes/connections/keep-alive-connections.test.ts',
  },
  {
    name: 'connections that end in the middle of a request stay open',
    file: 'service/src/api/refuse-request.ts',
    changes: [
      {
        text: '      if (rejected.has(socket)) return\n',
        replacement: "      if (rejected.has(socket) || error.code === 'HPE_INVALID_EOF_STATE') return\n",
      },
    ],
    test: 'answers the calls of other clients and closes every connection',
    testFile: 'lab/chaos/nodes/connections/connection-storm.test.ts',
  },
  {
    name: 'answered requests stay in memory',
    file: 'service/src/api/server.ts',
    changes: [
      { text: 'const MAX_CONNECTIONS', replacement: 'const kept: unknown[] = []\nconst MAX_CONNECTIONS' },
      {
        text: "  app.addHook('onResponse', (request, reply, done) => {\n",
        replacement: "  app.addHook('onResponse', (request, reply, done) => {\n    kept.push(request)\n",
      },
    ],
    test: 'does not grow with the number of calls',
    testFile: 'lab/chaos/nodes/memory-growth.test.ts',
  },
]
