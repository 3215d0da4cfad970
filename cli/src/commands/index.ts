// The list: the only other file that a new command touches.
import type { Command } from '../command.ts'
import { completionOf } from './completion.ts'
import { detail } from './detail.ts'
import { get } from './get.ts'
import { kev } from './kev.ts'
import { ping } from './ping.ts'
import { recent } from './recent.ts'
import { search } from './search.ts'
import { stats } from './stats.ts'
import { usage } from './usage.ts'

const ASKING = [get, search, recent, kev, detail, usage, stats, ping]

export const COMMANDS: readonly Command[] = [...ASKING, completionOf(ASKING)]
