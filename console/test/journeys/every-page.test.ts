// Requirements on every page: accessibility, use by keyboard alone, speed. These journeys take as long as all others
// together, so they have a service of their own and run at the same time.
import { describeAccessibility } from './accessibility.ts'
import { startConsole } from './journey-setup.ts'
import { describeKeyboard } from './keyboard-journeys.ts'
import { describeSpeed } from './speed.ts'

const setup = startConsole()

describeAccessibility(setup)
describeKeyboard(setup)
describeSpeed(setup)
