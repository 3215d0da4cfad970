import { it } from 'vitest'
import { agreementWorld, agreeOn } from './search-agreement.ts'

const world = await agreementWorld()

it('a thousand combinations of filters are answered as by looking at every CVE', () => agreeOn(world, 1000), 1_800_000)
