/**
 * Kinds of events that make a CVE recent: its publication, its modification, an addition to or a removal from the KEV
 * catalog of CISA or of ENISA, and an ACSC notice that names the CVE.
 */
export const EVENT_KINDS = [
  'published',
  'modified',
  'kev_added',
  'kev_removed',
  'eu_kev_added',
  'eu_kev_removed',
  'acsc_notice',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]
