import { sql } from 'kysely'
import { stagedStore } from '../../stores/staged-store.ts'
import type { NoticeRow } from './normalise.ts'

/** The first load takes many runs and also adds older notices, so new notices are recognised by their date. */
const isNewNotice = sql`staged.published > (select max(published) from source.acsc_notice where first_seen is null)`

/** The RSS feeds list only the newest notices, so a notice that leaves them stays stored. */
export const noticeStore = stagedStore<NoticeRow>({
  table: 'acsc_notice',
  key: ['id'],
  columns: {
    id: (row) => row.id,
    title: (row) => row.title,
    type: (row) => row.type,
    priority: (row) => row.priority,
    published: (row) => row.published,
    updated: (row) => row.updated,
    url: (row) => row.url,
    summary: (row) => row.summary,
    affected_products: (row) => row.affectedProducts,
    is_whole: (row) => row.isWhole,
  },
  contentHash: (row) => row.contentHash,
  // Dates a delivery without RSS items, such as saved pages.
  readTime: (row) => row.published,
  stagingColumns: {
    cve_ids: { type: 'text[] collate "C" not null', value: (row) => row.cveIds },
    is_future: { type: 'boolean not null', value: (row) => row.isFuture },
  },
  firstSeen: { column: 'first_seen', isNews: isNewNotice },
  preferred: sql`is_whole desc, type = 'alert' desc, published desc`,
  // A notice that was read without its page has fewer fields, so it never overwrites a whole one.
  mayOverwrite: sql`staged.is_whole or not held.is_whole`,
  removal: { rule: 'keep' },
  links: {
    table: 'acsc_notice_cve',
    rowColumn: 'notice_id',
    firstSeen: {
      column: 'first_seen',
      // For a notice from the first load, a CVE is news only if the notice's page was read before and did not name the
      // CVE.
      isNews: sql`held.is_whole or held.first_seen is not null or (held.id is null and ${isNewNotice})`,
    },
  },
  queueAs: 'acsc',
})
