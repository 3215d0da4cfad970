// List of all visctl commands, in the order in which the help shows them. A new command needs its own file and one line
// here.
import type { Command } from 'commander'
import type { Context } from '../command.ts'
import { createAuditCommand } from './account/audit.ts'
import { createKeysCommand } from './account/keys.ts'
import { createMembersCommand } from './account/members.ts'
import { createOriginsCommand } from './account/origins.ts'
import { createUsageCommand } from './account/usage.ts'
import { createViewsCommand } from './account/views.ts'
import { createAliasCommand } from './alias.ts'
import { createChangesCommand } from './changes.ts'
import { createDetailCommand } from './detail.ts'
import { createEpssCommand } from './epss.ts'
import { createExploitsCommand } from './exploits.ts'
import { createExportCommand } from './export.ts'
import { createFacetsCommand } from './facets.ts'
import { createGateCommand } from './gate.ts'
import { createGetCommand } from './get.ts'
import { createHistoryCommand } from './history.ts'
import { createKevCommand } from './kev.ts'
import { createMatchCommand } from './match.ts'
import { createMirrorCommand } from './mirror.ts'
import { createPrioritizeCommand } from './prioritize.ts'
import { createRecentCommand } from './recent.ts'
import { createScanCommand } from './scan.ts'
import { createSearchCommand } from './search.ts'
import { createCompletionCommand } from './service/completion.ts'
import { createHealthCommand } from './service/health.ts'
import { createFiltersCommand } from './service/list-filters.ts'
import { createPingCommand } from './service/ping.ts'
import { createStatsCommand } from './service/stats.ts'
import { createStatesCommand } from './states.ts'
import { createSuggestCommand } from './suggest.ts'

export const COMMANDS: readonly ((context: Context) => Command)[] = [
  createGetCommand,
  createSearchCommand,
  createFacetsCommand,
  createExportCommand,
  createSuggestCommand,
  createAliasCommand,
  createRecentCommand,
  createFiltersCommand,
  createKevCommand,
  createDetailCommand,
  createExploitsCommand,
  createEpssCommand,
  createHistoryCommand,
  createMatchCommand,
  createScanCommand,
  createPrioritizeCommand,
  createStatesCommand,
  createChangesCommand,
  createMirrorCommand,
  createGateCommand,
  createViewsCommand,
  createUsageCommand,
  createKeysCommand,
  createMembersCommand,
  createOriginsCommand,
  createAuditCommand,
  createStatsCommand,
  createHealthCommand,
  createPingCommand,
  createCompletionCommand,
]
