// The pages of the guide (/docs/guide), in the order of its navigation. A new page needs its own file and one line in
// this list.
import type { GuidePage } from '../page.ts'
import { attributions } from './attributions.ts'
import { authentication } from './authentication.ts'
import { changes } from './changes.ts'
import { copy } from './copy.ts'
import { credits } from './credits.ts'
import { epss } from './epss.ts'
import { errors } from './errors.ts'
import { history } from './history.ts'
import { keys } from './keys.ts'
import { matching } from './matching.ts'
import { members } from './members.ts'
import { pagination } from './pagination.ts'
import { priority } from './priority.ts'
import { quickstart } from './quickstart.ts'
import { recipes } from './recipes.ts'
import { sbom } from './sbom.ts'
import { search } from './search.ts'
import { series } from './series.ts'
import { triage } from './triage.ts'

export const GUIDE: readonly GuidePage[] = [
  quickstart,
  authentication,
  credits,
  keys,
  members,
  pagination,
  search,
  priority,
  matching,
  sbom,
  triage,
  changes,
  copy,
  epss,
  history,
  series,
  errors,
  recipes,
  attributions,
]
