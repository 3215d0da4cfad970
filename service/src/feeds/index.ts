// List of all feeds. To add a feed, add a folder in sources/ and a line in this list. `vis-server sync` runs the feeds
// in the order of the list, and listings show them in this order.

import type { FeedDefinition } from './feed-definition.ts'
import { acscDefinition } from './sources/acsc/feed.ts'
import { attackDefinition, attackMappingDefinition, capecDefinition } from './sources/attack/feed.ts'
import { cveListDefinition } from './sources/cve-list/feed.ts'
import { cweDefinition } from './sources/cwe/feed.ts'
import { debianDefinition } from './sources/debian/feed.ts'
import { epssDefinition } from './sources/epss/feed.ts'
import { epssHistoryDefinition } from './sources/epss/history/feed.ts'
import { euKevDefinition } from './sources/eukev/feed.ts'
import { exploitdbDefinition } from './sources/exploitdb/feed.ts'
import { ghsaDefinition } from './sources/ghsa/feed.ts'
import { kevDefinition } from './sources/kev/feed.ts'
import { kevHistoryDefinition } from './sources/kev/history/feed.ts'
import { metasploitDefinition } from './sources/metasploit/feed.ts'
import { msrcDefinition } from './sources/msrc/feed.ts'
import { nucleiDefinition } from './sources/nuclei/feed.ts'
import { nvdDefinition } from './sources/nvd/feed.ts'
import { osvDefinitions } from './sources/osv/feed.ts'
import { overridesDefinition } from './sources/overrides/feed.ts'
import { pocDefinition } from './sources/poc/feed.ts'
import { redhatDefinition } from './sources/redhat/feed.ts'

export const feedDefinitions: readonly FeedDefinition[] = [
  nvdDefinition,
  cveListDefinition,
  kevDefinition,
  kevHistoryDefinition,
  euKevDefinition,
  epssDefinition,
  epssHistoryDefinition,
  acscDefinition,
  cweDefinition,
  attackDefinition,
  capecDefinition,
  attackMappingDefinition,
  exploitdbDefinition,
  metasploitDefinition,
  nucleiDefinition,
  pocDefinition,
  overridesDefinition,
  ghsaDefinition,
  ...osvDefinitions,
  redhatDefinition,
  msrcDefinition,
  debianDefinition,
]
