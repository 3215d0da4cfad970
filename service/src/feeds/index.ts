// The list: the only other file that a new feed touches. In this order they are shown, and run by `vis-server sync`.
import { acscPlan } from './acsc/feed.ts'
import { attackMappingPlan, attackPlan, capecPlan } from './attack/feed.ts'
import { cveListPlan } from './cve-list/feed.ts'
import { cwePlan } from './cwe/feed.ts'
import { epssPlan } from './epss/feed.ts'
import { exploitdbPlan } from './exploitdb/feed.ts'
import { ghsaPlan } from './ghsa/feed.ts'
import { kevPlan } from './kev/feed.ts'
import { metasploitPlan } from './metasploit/feed.ts'
import { msrcPlan } from './msrc/feed.ts'
import { nucleiPlan } from './nuclei/feed.ts'
import { nvdPlan } from './nvd/feed.ts'
import { overridesPlan } from './overrides/feed.ts'
import type { FeedPlan } from './plan.ts'
import { pocPlan } from './poc/feed.ts'
import { redhatPlan } from './redhat/feed.ts'

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
