// Bugs in the HTTP protocol, in the log, and in the way a process ends.
import type { SourceBug } from '../account-bugs/source.ts'

const EXCHANGES_TEST = 'service/test/spec/http/raw-exchanges.test.ts'
const LOG_SINK_TEST = 'service/test/log-sink.test.ts'

export const PROCESS_BUGS: readonly SourceBug[] = [
  {
    name: 'Node sends the interim response at once',
    file: 'service/src/api/expect-continue.ts',
    changes: [{ text: '    expecting.set(request, response)\n', replacement: '    response.writeContinue()\n' }],
    test: 'POST with Expect as the second request, with a key',
    testFile: EXCHANGES_TEST,
  },
  {
    name: 'the connection stays open although the client may omit the body',
    file: 'service/src/api/expect-continue.ts',
    changes: [
      { text: 'if (!request.complete && expecting.has(request)) response.shouldKeepAlive = false', replacement: '' },
    ],
    test: 'a client without a key that waits',
    testFile: EXCHANGES_TEST,
  },
  {
    name: 'Fastify answers requests with an invalid target itself',
    file: 'service/src/api/server.ts',
    changes: [
      { text: '    frameworkErrors: (_error, request, reply) => routeAgain(app, request, reply),\n', replacement: '' },
    ],
    test: 'an absolute URL with an impossible port and a key in the query',
    testFile: EXCHANGES_TEST,
  },
  {
    name: 'a refusal of the parser overtakes the answers before it',
    file: 'service/src/api/refuse-request.ts',
    changes: [
      {
        text: 'if (!latest || latest.writableFinished) answer()\n    else latest.once',
        replacement: 'answer()\n    latest?.once',
      },
    ],
    test: 'malformed data after a valid request in the same write',
    testFile: EXCHANGES_TEST,
  },
  {
    name: 'keys in capital letters are logged',
    file: 'service/src/domain/account/key-form.ts',
    changes: [
      { text: 'const KEY_START = /vis_(?:live|test)_/i', replacement: 'const KEY_START = /vis_(?:live|test)_/' },
      { text: 'const KEY = /vis_(live|test)_[0-9a-z]+/gi', replacement: 'const KEY = /vis_(live|test)_[0-9a-zA-Z]+/g' },
    ],
    test: 'is removed from a text, leaving the text around it',
    testFile: 'service/test/domain/key-form.test.ts',
  },
  {
    name: 'dropped log lines are not counted',
    file: 'service/src/log-sink.ts',
    changes: [{ text: '        droppedLines += 1\n', replacement: '' }],
    test: 'drops and counts lines while nothing reads the pipe',
    testFile: LOG_SINK_TEST,
  },
  {
    name: 'the end of the process waits for the reader of its log',
    file: 'service/src/log-sink.ts',
    changes: [{ text: 'const EXIT_FLUSH_MS = 500', replacement: 'const EXIT_FLUSH_MS = 500_000' }],
    test: 'ends even if nothing reads its log',
    testFile: LOG_SINK_TEST,
  },
  {
    name: 'an uncaught exception ends the process at once',
    file: 'service/src/runtime/uncaught-errors.ts',
    changes: [{ text: "  process.on('uncaughtException', handle)\n", replacement: '' }],
    test: 'answers the calls in flight, pays pending refunds, and exits with code 1',
    testFile: 'lab/chaos/nodes/uncaught-errors.test.ts',
  },
  {
    name: 'a draining node closes connections that are in use',
    file: 'service/src/api/drain.ts',
    changes: [{ text: 'server.closeIdleConnections(), SWEEP', replacement: 'server.closeAllConnections(), SWEEP' }],
    test: 'completes requests in flight that take longer than the drain delay',
    testFile: 'service/test/faults/nodes/drain.test.ts',
  },
]
