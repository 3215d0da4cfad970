import type { Source } from '@vis/sdk'
import type { Command } from '../command.ts'
import { JSON_FLAG } from '../common-flags.ts'
import { filtersOf } from '../filters.ts'
import { fullDetail, partialDetail } from '../render/detail.ts'
import { cleanJson } from '../render/text.ts'
import { SOURCES } from './filter-flags.ts'

const FILTERS = { vendor: { kind: 'text', values: SOURCES, about: 'whose record; default nvd' } } as const

export const detail: Command = {
  name: 'detail',
  summary: 'What one source knows about a CVE in full (5 credits)',
  operands: { placeholder: 'CVE', fewest: 1, most: 1 },
  flags: { ...FILTERS, ...JSON_FLAG },
  examples: ['vis detail CVE-2021-44228', 'vis detail CVE-2021-44228 --vendor cve --json'],
  run: async ({ operands: [id = ''], values, terminal, client }) => {
    const vis = await client()
    const answer = await vis.detail(id, filtersOf<{ vendor?: Source }>(FILTERS, values))
    if (values['json'] === true) await terminal.write(`${cleanJson(JSON.stringify(answer, null, 2))}\n`)
    else if (answer.kind === 'full') await terminal.write(fullDetail(terminal, answer.record))
    else await terminal.write(partialDetail(terminal, answer))
  },
}
