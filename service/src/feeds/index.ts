// The list: the only other file that a new feed touches. In this order they are shown, and run by `vis-server sync`.

import type { FeedPlan } from './feed-definition.ts'
import { acscPlan } from './sources/acsc/feed.ts'
import { attackMappingPlan, attackPlan, capecPlan } from './sources/attack/feed.ts'
import { cveListPlan } from './sources/cve-list/feed.ts'
import { cwePlan } from './sources/cwe/feed.ts'
import { epssPlan } from './sources/epss/feed.ts'
import { exploitdbPlan } from './sources/exploitdb/feed.ts'
import { ghsaPlan } from './sources/ghsa/feed.ts'
import { kevPlan } from './sources/kev/feed.ts'
import { metasploitPlan } from './sources/metasploit/feed.ts'
import { msrcPlan } from './sources/msrc/feed.ts'
import { nucleiPlan } from './sources/nuclei/feed.ts'
import { nvdPlan } from './sources/nvd/feed.ts'
import { overridesPlan } from './sources/overrides/feed.ts'
import { pocPlan } from './sources/poc/feed.ts'
import { redhatPlan } from './sources/redhat/feed.ts'

export const feedPlans: readonly FeedPlan[] = [
  nvdPlan,
  cveListPlan,
  kevPlan,
  epssPlan,
  acscPlan,
  cwePlan,
  attackPlan,
  capecPlan,
  attackMappingPlan,
  exploitdbPlan,
  metasploitPlan,
  nucleiPlan,
  pocPlan,
  overridesPlan,
  ghsaPlan,
  redhatPlan,
  msrcPlan,
]
