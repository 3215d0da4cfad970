// Statements about watches, for the test of roles.

/** `digest` is SQL for the digest of a key. */
export const buildWatchStatements = (digest: string) => ({
  'read the watches of a caller': `select * from notify.read_watches('key', ${digest}, null, null, null, 10)`,
  'read the spans of a watch': `select * from notify.read_spans('key', ${digest}, 1)`,
  'save a watch of a caller': `select * from notify.save_watch('key', ${digest}, null, null, true, 'x', 'kev=true', '{entered}', null, null, 1, 1)`,
  'remove a watch of a caller': `select * from notify.remove_watch('key', ${digest}, 1, null, false, 1, 1)`,
  'snooze a watch of a caller': `select * from notify.snooze_watch('key', ${digest}, 1, null)`,
  'make the feed of a watch': `select * from notify.make_feed('key', ${digest}, 1, sha256('x'), false)`,
  'remove the feed of a watch': `select * from notify.remove_feed('key', ${digest}, 1)`,
  'read the inbox of a caller': `select * from notify.read_inbox('key', ${digest})`,
  'read the events of a caller': `select * from notify.read_events('key', ${digest}, null, null, null, null, 0, null, 10)`,
  'explain events': `select * from notify.read_watch_events('key', ${digest}, 1, 'x', '{}')`,
  'ask for awaited events': "select * from notify.find_awaited('[]')",
  'find feeds': "select * from notify.find_feeds(array[sha256('x')])",
  'read a feed': "select * from notify.read_feed(sha256('x'), 10)",
  'read all watches': 'select * from notify.watch',
  'read all events': 'select * from notify.told',
  'find the account of a reader': `select notify.require_reader('key', ${digest})`,
  'read the limits of plans': "select * from notify.plan_limits('free')",
})

/** The statements that the API's login may run. */
export const WATCH_FUNCTIONS = [
  'read the watches of a caller',
  'read the spans of a watch',
  'save a watch of a caller',
  'remove a watch of a caller',
  'snooze a watch of a caller',
  'make the feed of a watch',
  'remove the feed of a watch',
  'read the inbox of a caller',
  'read the events of a caller',
  'explain events',
  'ask for awaited events',
  'find feeds',
  'read a feed',
] as const

export const NOTIFY_STATEMENTS = {
  'read the position of the evaluator': 'select seq, tag from notify.evaluator for update',
  'move the position of the evaluator': 'update notify.evaluator set seq = 1, tag = 1',
  'read the spans of watches': 'select * from notify.watch_span',
  'note how far a span was judged': 'update notify.watch_span set done_seq = 1',
  'delete a finished span': 'delete from notify.watch_span',
  'number events': 'insert into notify.inbox (account_id, last_nr) select 1, 1 where false',
  'read events': 'select * from notify.event',
  'write events':
    "insert into notify.event (account_id, nr, type, kinds, at) select 1, 1, 'gap', '{}', now() where false",
  'write news':
    "insert into notify.news (seq, subject_key, subject, at, types, diff) values (1, 1, 'x', now(), '{}', '{}')",
  'note a recalculation':
    "insert into notify.recalculation_wave values ('rules', 1, 1, now(), true) on conflict (cause) do update set last_seq = 2",
  'read which CVEs are muted':
    'select account_id, cve_id, scope, state, until, unless, level, is_exploited from accounts.triage_state',
  'renumber events of a lost history': 'update notify.event set seq = -seq where seq > 5',
  'delete old events': `select notify.delete_old_events('{"free": 30}', 10)`,
  'delete events of yesterday': "delete from notify.event where at < now() - interval '1 day'",
  'change an event': 'update notify.event set is_muted = true',
  'make a watch': "insert into notify.watch_span values (1, 1, 1, '', '{}', 1, 1, null, 1, 1)",
  'open a span': "select notify.begin_span(1, 1, 1, '', '{}', 1, 1) where false",
  'end a span': 'select notify.end_span(1, 1, 1)',
  'read the digests of feeds': 'select * from notify.feed',
  'read how far members have read': 'select * from notify.read_mark',
  'read the notes of triage': 'select note from accounts.triage_state',
  'read the names of watches': 'select name from accounts.view',
} as const

/** The statements that the evaluator's login may run. */
export const EVALUATOR_STATEMENTS = [
  'read the position of the evaluator',
  'move the position of the evaluator',
  'read the spans of watches',
  'note how far a span was judged',
  'delete a finished span',
  'number events',
  'read events',
  'write events',
  'write news',
  'note a recalculation',
  'renumber events of a lost history',
  'read which CVEs are muted',
] as const satisfies readonly (keyof typeof NOTIFY_STATEMENTS)[]
