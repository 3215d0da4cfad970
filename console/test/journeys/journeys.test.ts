// All journeys use one service, because loading the sample takes longer than most of them.
import { describeAccessibility, describeOverlays } from './accessibility.ts'
import { describeFailedActions, describeFields, describeReads } from './control-journeys.ts'
import { startConsole } from './journey-setup.ts'
import { describeBoard, describeCves, describeOverview, describeSignIn } from './page-journeys.ts'
import { describeErrors, describeStatus } from './state-journeys.ts'

const setup = await startConsole()

describeSignIn(setup)
describeOverview(setup)
describeCves(setup)
describeBoard(setup)
describeStatus(setup)
describeFields(setup)
describeReads(setup)
describeFailedActions(setup)
describeAccessibility(setup)
describeOverlays(setup)
// Last, because a journey restarts the node.
describeErrors(setup)
