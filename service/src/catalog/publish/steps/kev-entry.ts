import { sql } from 'kysely'

/** Uses CISA's names. The columns have the same names in all tables. */
export const KEV_ENTRY = sql`jsonb_build_object(
  'vendorProject', vendor_project,
  'product', product,
  'vulnerabilityName', vulnerability_name,
  'dateAdded', date_added,
  'shortDescription', short_description,
  'requiredAction', required_action,
  'dueDate', due_date,
  'knownRansomware', known_ransomware,
  'notes', notes,
  'cwe_list', cwes
)`

/** Old and new values of the members in which `old_entry` and `entry` differ. */
export const KEV_DIFF = sql`coalesce(
  (
    select jsonb_object_agg(before.key, jsonb_build_object('old', before.value, 'new', after.value))
      from jsonb_each(old_entry) before
      join jsonb_each(entry) after
        on after.key = before.key
     where before.value <> after.value
  ),
  '{}'
)`
