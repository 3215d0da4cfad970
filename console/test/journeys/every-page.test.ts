// The checks of every page: accessibility, layout, and all actions by keyboard alone. They take about as long as all other journeys
// together, and run at the same time with a service and a browser of their own.
import { describeAccessibility } from './accessibility.ts'
import { startConsole } from './journey-setup.ts'
import { describeKeyboard } from './keyboard-journeys.ts'
import { describeLayout } from './layout-journeys.ts'

const setup = startConsole()

describeAccessibility(setup)
describeLayout(setup)
describeKeyboard(setup)
