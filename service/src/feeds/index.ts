// Lists all feeds, one for each source. `vis-server sync` runs them, and listings show them, in this order.
import type { FeedDefinition, FeedDefinitions } from './feed-definition.ts'
import { acscDefinition } from './sources/acsc/feed.ts'
import { attackDefinition, attackMappingDefinition, capecDefinition } from './sources/attack/feed.ts'
import { csafDefinitions } from './sources/csaf/feed.ts'
import { cveListDefinition } from './sources/cve-list/feed.ts'
import { cweDefinition } from './sources/cwe/feed.ts'
import { debianDefinition } from './sources/debian/feed.ts'
import { endOfLifeDefinition } from './sources/endoflife/feed.ts'
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
import { nvdHistoryDefinition } from './sources/nvd/history/feed.ts'
import { osvDefinitions } from './sources/osv/feed.ts'
import { overridesDefinition } from './sources/overrides/feed.ts'
import { pocDefinition } from './sources/poc/feed.ts'
import { redhatDefinition } from './sources/redhat/feed.ts'
import { repositoryDefinitions } from './sources/repository/feed.ts'
import { secdbDefinitions } from './sources/secdb/feed.ts'

const DEFINITIONS: FeedDefinitions = {
  nvd: nvdDefinition,
  cve: cveListDefinition,
  kev: kevDefinition,
  'kev-history': kevHistoryDefinition,
  eukev: euKevDefinition,
  epss: epssDefinition,
  'epss-history': epssHistoryDefinition,
  acsc: acscDefinition,
  cwe: cweDefinition,
  attack: attackDefinition,
  capec: capecDefinition,
  'attack-mapping': attackMappingDefinition,
  exploitdb: exploitdbDefinition,
  metasploit: metasploitDefinition,
  nuclei: nucleiDefinition,
  poc: pocDefinition,
  overrides: overridesDefinition,
  ghsa: ghsaDefinition,
  ...osvDefinitions,
  ...repositoryDefinitions,
  redhat: redhatDefinition,
  msrc: msrcDefinition,
  debian: debianDefinition,
  ...secdbDefinitions,
  endoflife: endOfLifeDefinition,
  ...csafDefinitions,
  'nvd-history': nvdHistoryDefinition,
}

export const feedDefinitions: readonly FeedDefinition[] = Object.values(DEFINITIONS)
