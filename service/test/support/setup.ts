// Runs before each test file. Test files run one after the other in a worker process and share its modules, which are
// evaluated only once. Hooks that each file needs are therefore registered here, not in modules that test files import.
import { afterAll } from 'vitest'
import { cleanUp } from './cleanup.ts'
import './network/closed-network.ts'

afterAll(cleanUp)
