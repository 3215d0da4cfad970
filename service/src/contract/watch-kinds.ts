// What a watch can tell, as schemas and a value type.
import { Type } from 'typebox'
import { WATCH_KIND_NAMES, WATCH_KINDS, type WatchKind } from '../domain/watch/kinds.ts'
import { describeTable } from './describe-table.ts'
import { type ValueType, word } from './request/value-types.ts'

export const kindType = (): ValueType<WatchKind> => word(WATCH_KIND_NAMES)

const kindSchema = () =>
  Type.Enum([...WATCH_KIND_NAMES], { title: 'WatchKind', description: describeTable(WATCH_KINDS) })

export const kindsSchema = (description: string) => Type.Array(kindSchema(), { description })
