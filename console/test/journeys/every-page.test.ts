// The checks of every page: accessibility, layout, and all actions by keyboard alone. They take about as long as all other journeys
// together, and run at the same time with a service and a browser of their own.
import { describeExamples } from './example-journeys.ts'
import { startConsole } from './journey-setup.ts'
import { describeKeyboard } from './keyboard-journeys.ts'

const setup = startConsole()

describeExamples(setup)
describeKeyboard(setup)
