// Statements about what an account keeps, its views and triage, for the test of roles.

/** `digest` is SQL for the digest of a key. */
export const buildOwnStatements = (digest: string) => ({
  'read the rights to views': `select * from accounts.read_view_rights('key', ${digest})`,
  'read the views of a caller': `select * from accounts.read_views('key', ${digest})`,
  'save a view of a caller': `select * from accounts.save_view('key', ${digest}, null, null, 'x', '', null, null, null)`,
  'remove a view of a caller': `select * from accounts.remove_view('key', ${digest}, 1, null)`,
  'read the triage of a caller': `select * from accounts.read_triage('key', ${digest}, null, null, null, null, null, 10)`,
  'read the history of triage of a caller': `select * from accounts.read_triage_history('key', ${digest}, 'CVE-2024-0001', 10)`,
  'change the triage of a caller': `select * from accounts.change_triage('key', ${digest}, 'set', '[]')`,
  'read triage entries': 'select * from accounts.triage_entry',
  'read triage revisions': 'select * from accounts.triage_revision',
  'read triage states': 'select * from accounts.triage_state',
  'raise the limit of triage': 'update accounts.triage_use set changes = 0',
  'find who may triage': `select * from accounts.require_triage('key', ${digest}, false)`,
})

/** The statements that the API's login may run. */
export const OWN_FUNCTIONS = [
  'read the rights to views',
  'read the views of a caller',
  'save a view of a caller',
  'remove a view of a caller',
  'read the triage of a caller',
  'read the history of triage of a caller',
  'change the triage of a caller',
] as const
