// Journeys through the pages and their states. They use one service, because loading the sample takes longer than most of
// them.
import { describeFailedActions, describeFields, describeReads, describeRefusedReads } from './control-journeys.ts'
import { describeAliases, describeFacets, describeSuggestions } from './facet-journeys.ts'
import { startConsole } from './journey-setup.ts'
import { describeListActions, describeListContent } from './list-journeys.ts'
import { describeLongList } from './long-list-journeys.ts'
import { describeBoard, describeCves, describeOverview, describePriority, describeSignIn } from './page-journeys.ts'
import { describeErrors, describeStatus } from './state-journeys.ts'

const setup = startConsole()

describeSignIn(setup)
describeOverview(setup)
describeCves(setup)
describeListActions(setup)
describeListContent(setup)
describeFacets(setup)
describeSuggestions(setup)
describeAliases(setup)
describePriority(setup)
describeBoard(setup)
describeStatus(setup)
describeFields(setup)
describeReads(setup)
describeRefusedReads(setup)
describeFailedActions(setup)
// The last ones restart the node and multiply the catalog.
describeErrors(setup)
describeLongList(setup)
