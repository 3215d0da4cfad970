import { parseDate, parseDateTime } from '../../../domain/instant.ts'

/**
 * In whole seconds (decision C1), and not after `modified`, which feeds limit to the time of the import: no publication
 * lies in the future (decision C22).
 */
export function readPublished(text: string | null, modified: Date): Date | null {
  const published = text === null ? undefined : (parseDateTime(text) ?? parseDate(text))
  // NVD records have contained dates in the year 0, which PostgreSQL refuses.
  if (published === undefined || published.getUTCFullYear() < 1) return null
  const isBounded = modified.getTime() > 0 && published.getTime() > modified.getTime()
  return isBounded ? modified : published
}
