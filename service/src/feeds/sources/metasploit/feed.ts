// Metasploit's list of its modules: the list, never the modules.
import { address } from '../../../domain/setting.ts'
import { fetchUndated } from '../../download/undated-file.ts'
import type { Feed } from '../../feed.ts'
import { feedPlan } from '../../feed-definition.ts'
import type { EvidenceRow } from '../../stores/exploit-row.ts'
import { evidenceStore } from '../../stores/exploit-store.ts'
import { normaliseModule } from './normalise.ts'
import { MAX_BYTES, readModules } from './read-modules.ts'

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
    fetch: (context) =>
      fetchUndated(context, {
        feed: 'metasploit',
        name: 'modules_metadata_base.json',
        url: settings.url,
        maxDownloadBytes: MAX_BYTES,
        inDirectory: /^(?:modules_metadata_base\.json|metasploit_modules_trimmed\.ndjson)(?:\.gz)?$/,
        read: readModules,
      }),
    normalise: normaliseModule,
    guards: [],
    store: evidenceStore('metasploit'),
  }
}
