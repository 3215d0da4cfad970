import { parseCvssVector } from '../../../domain/cvss/cvss-vector.ts'
import { remember } from '../../../domain/remember.ts'

/** Each vector in a record is parsed several times, and nearly all records share a few thousand vectors. */
export const parseVectorCached = remember(parseCvssVector, 16_384)
