// Statements about watches, for the test of roles.

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
