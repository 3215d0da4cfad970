// List of all visctl commands, in the order of the help. A new command needs its own file and one line here.
import type { Command } from 'commander'
import type { Context } from '../command.ts'
import { createAliasCommand } from './alias.ts'
import { createAuditCommand } from './audit.ts'
import { createChangesCommand } from './changes.ts'
import { createCompletionCommand } from './completion.ts'
import { createDetailCommand } from './detail.ts'
import { createEpssCommand } from './epss.ts'
import { createExploitsCommand } from './exploits.ts'
import { createFacetsCommand } from './facets.ts'
import { createGateCommand } from './gate.ts'
import { createGetCommand } from './get.ts'
import { createHealthCommand } from './health.ts'
import { createHistoryCommand } from './history.ts'
import { createKevCommand } from './kev.ts'
import { createKeysCommand } from './keys.ts'
import { createFiltersCommand } from './list-filters.ts'
import { createMatchCommand } from './match.ts'
import { createMembersCommand } from './members.ts'
import { createMirrorCommand } from './mirror.ts'
import { createOriginsCommand } from './origins.ts'
import { createPingCommand } from './ping.ts'
import { createPrioritizeCommand } from './prioritize.ts'
import { createRecentCommand } from './recent.ts'
import { createScanCommand } from './scan.ts'
import { createSearchCommand } from './search.ts'
import { createStatsCommand } from './stats.ts'
import { createSuggestCommand } from './suggest.ts'
import { createUsageCommand } from './usage.ts'

export const COMMANDS: readonly ((context: Context) => Command)[] = [
  createGetCommand,
  createSearchCommand,
  createFacetsCommand,
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
  createChangesCommand,
  createMirrorCommand,
  createGateCommand,
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
