// Metasploit's list of its modules: the list, never the modules.
import { address } from '../../domain/setting.ts'
import type { EvidenceRow } from '../evidence.ts'
import { evidenceStore } from '../evidence-store.ts'
import type { Feed } from '../feed.ts'
import { feedPlan } from '../plan.ts'
import { fetchUndated } from '../undated-file.ts'
import { normaliseModule } from './normalise.ts'
import { MOST_BYTES, readModules } from './read-modules.ts'

export const metasploitPlan = feedPlan(
  {
    url: address(
      'FEED_METASPLOIT_URL',
      'https://raw.githubusercontent.com/rapid7/metasploit-framework/master/db/modules_metadata_base.json',
    ),
  },
  metasploitFeed,
)

export function metasploitFeed(settings: { readonly url: string }): Feed<unknown, EvidenceRow> {
  return {
    name: 'metasploit',
    title: 'Metasploit modules',
    everySeconds: 12 * 60 * 60,
    staleAfterSeconds: 7 * 24 * 60 * 60,
    fetch: (visit) =>
      fetchUndated(visit, {
        feed: 'metasploit',
        name: 'modules_metadata_base.json',
        url: settings.url,
        mostDownloadBytes: MOST_BYTES,
        inDirectory: /^(?:modules_metadata_base\.json|metasploit_modules_trimmed\.ndjson)(?:\.gz)?$/,
        read: readModules,
      }),
    normalise: normaliseModule,
    guards: [],
    store: evidenceStore('metasploit'),
  }
}
