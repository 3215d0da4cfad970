// Bugs in credits, cursors, ETags, caches and connections.
import type { SourceBug } from '../account-bugs/source.ts'

const CURSOR_TEST = 'service/test/api/cursor.test.ts'

export const DATA_BUGS: readonly SourceBug[] = [
  {
    name: 'calls that fail are not refunded',
    file: 'service/src/api/admission/charge.ts',
    changes: [
      {
        text: '    if (!(error instanceof ConnectionClosedError)) await refund(credits.refunds, charge)\n',
        replacement: '',
      },
    ],
    test: 'refunds the charge for a 404 response',
    testFile: 'service/test/spec/http/credits.test.ts',
  },
  {
    name: 'cursors are accepted without a valid signature',
    file: 'service/src/contract/cursor.ts',
    changes: [{ text: 'if (!isExact || !isSigned) throw', replacement: 'if (!isExact) throw' }],
    test: 'if one bit of the cursor is changed',
    testFile: CURSOR_TEST,
  },
  {
    name: 'cursors are accepted with other filters',
    file: 'service/src/contract/cursor.ts',
    changes: [{ text: 'JSON.stringify([endpoint, sortFilters(filters)])', replacement: 'JSON.stringify([endpoint])' }],
    test: 'if the cursor is used with',
    testFile: CURSOR_TEST,
  },
  {
    name: 'only the first ETag of If-None-Match is compared',
    file: 'service/src/api/etag.ts',
    changes: [{ text: "ifNoneMatch.split(',').some(", replacement: "ifNoneMatch.split(',').slice(0, 1).some(" }],
    test: 'returns an empty 304 with ETag and correlation id when If-None-Match matches',
    testFile: 'service/test/spec/http/protocol.test.ts',
  },
  {
    name: 'a CVE that changes while it is read stays in the cache',
    file: 'service/src/record/cache/record-cache.ts',
    changes: [{ text: 'if (pending.get(key) === read) store.set(', replacement: 'store.set(' }],
    test: 'does not cache a record that was evicted while it was being read',
    testFile: 'service/test/api/cve-record/cache.test.ts',
  },
  {
    name: 'a connection with an unread answer serves the next caller',
    file: 'service/src/database/postgres.ts',
    changes: [{ text: 'client.release(isBroken)', replacement: 'client.release(false)' }],
    test: 'destroys a client whose query timed out',
    testFile: 'service/test/database/postgres.test.ts',
  },
  {
    name: 'rows of the audit log can be removed together',
    file: 'service/migrations/accounts/0001_accounts_and_audit.sql',
    changes: [{ text: 'before update or delete or truncate on', replacement: 'before update or delete on' }],
    test: 'truncate accounts.audit" to its owner',
    testFile: 'service/test/database/roles.test.ts',
  },
  {
    name: 'a leaked key that is split between two chunks is not revoked',
    file: 'service/src/accounts/keys/find-keys-in-text.ts',
    changes: [{ text: 'rest = text.slice(Math.max(end, text.length - KEY_LENGTH + 1))', replacement: "rest = ''" }],
    test: 'finds a key wherever the input is split into chunks',
    testFile: 'service/test/commands/revoke-leaked-keys.test.ts',
  },
  {
    name: 'a search looks up every word that matches as a prefix',
    file: 'service/migrations/catalog/0004_search.sql',
    changes: [{ text: 'where rank <= 3 or not is_prefix', replacement: 'where true' }],
    test: 'contains three of the words that match as a prefix',
    testFile: 'service/test/database/search.test.ts',
  },
]
