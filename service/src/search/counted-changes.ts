// The changes of CVEs that count as events: changes by rules, operators and EPSS models do not.
import { sql } from 'kysely'

/** The condition of the index change_of_counted_type, on rows with the alias `change`. */
export const COUNTED_CHANGE = sql`change.cause = 'data' and change.types && '{became_urgent,exploit_added}'::text[]`
