import { parseCpe } from '../../../domain/cpe/cpe.ts'
import { remember } from '../../../domain/remember.ts'

/** Each CPE name in a record is parsed up to six times, and CVEs of the same product share names. */
export const parseCpeCached = remember(parseCpe, 4096)
