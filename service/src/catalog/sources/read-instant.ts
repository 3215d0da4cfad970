import { parseDate, parseDateTime } from '../../domain/instant.ts'

/**
 * When a source says that it published, in whole seconds (decision C1). Nothing is published after it was last changed,
 * and feeds have cut that to the time of ingest: so it bounds this one, and no date lies in the future (decision C22).
 */
export function readPublished(text: string | null, modified: Date): Date | null {
  const published = text === null ? undefined : (parseDateTime(text) ?? parseDate(text))
  // NVD has had a year 0, which is no year: the database refuses it.
  if (published === undefined || published.getUTCFullYear() < 1) return null
  const isBounded = modified.getTime() > 0 && published.getTime() > modified.getTime()
  return isBounded ? modified : published
}
