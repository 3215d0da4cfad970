// All journeys except the checks of every page, which every-page.test.ts runs at the same time. The journeys of a file use
// one service and one page of one browser, because loading the sample and starting them takes longer than most journeys.
import {
  describeInvitations,
  describeKeys,
  describeMembers,
  describeSessions,
  describeUsage,
} from './account-journeys.ts'
import { describeFailedActions, describeFields, describeReads, describeRefusedReads } from './control-journeys.ts'
import { describeCvePage } from './cve-journeys.ts'
import { describeAliases, describeFacets, describeSuggestions } from './facet-journeys.ts'
import { describeHistory } from './history-journeys.ts'
import { startConsole } from './journey-setup.ts'
import { describeListActions, describeListContent } from './list-journeys.ts'
import { describeLongList } from './long-list-journeys.ts'
import { describeLongTexts } from './long-text-journeys.ts'
import {
  describeFailedMatches,
  describeMatchAccess,
  describeMatches,
  describeMatchInput,
  describeMatchMemory,
  describeSbomMatches,
} from './match-journeys.ts'
import {
  describeBoard,
  describeChanges,
  describeCves,
  describeOverview,
  describePriority,
  describeSignIn,
} from './page-journeys.ts'
import { describeSearchField } from './search-journeys.ts'
import { describeLinks, describeMemberSignIn } from './sign-in-journeys.ts'
import { describeSpeed } from './speed.ts'
import { describeErrors, describeStatus } from './state-journeys.ts'
import { describeToday } from './today-journeys.ts'
import { describeTriage, describeViews } from './triage-journeys.ts'
import { describeWatches } from './watch-journeys.ts'

const setup = startConsole()

describeSpeed(setup)
describeSignIn(setup)
describeOverview(setup)
describeToday(setup)
describeChanges(setup)
describeCves(setup)
describeSearchField(setup)
describeListActions(setup)
describeListContent(setup)
describeFacets(setup)
describeSuggestions(setup)
describeViews(setup)
describeTriage(setup)
describeAliases(setup)
describePriority(setup)
describeCvePage(setup)
describeHistory(setup)
describeBoard(setup)
describeMatches(setup)
describeSbomMatches(setup)
describeMatchMemory(setup)
describeMatchInput(setup)
describeMatchAccess(setup)
describeFailedMatches(setup)
describeKeys(setup)
describeUsage(setup)
describeInvitations(setup)
describeMembers(setup)
describeSessions(setup)
describeLinks(setup)
describeMemberSignIn(setup)
describeStatus(setup)
describeFields(setup)
describeReads(setup)
describeRefusedReads(setup)
describeFailedActions(setup)
describeLongTexts(setup)
// It publishes news, so what the journeys before it expect has changed.
describeWatches(setup)
// The last ones restart the node and multiply the catalog.
describeErrors(setup)
describeLongList(setup)
