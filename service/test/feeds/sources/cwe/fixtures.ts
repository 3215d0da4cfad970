// CWE catalogues in both forms, and a feed that reads them. The ids are real; every sentence is ours.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunReport, RunTools } from '../../../../src/feeds/engine/run.ts'
import { cweFeed } from '../../../../src/feeds/sources/cwe/feed.ts'
import { type Machine, testMachine } from '../../feed-harness.ts'
import { zipOf } from '../../formats/zip-builder.ts'
import { directoryWith } from '../../small-files.ts'

export const HEAD = 'id,kind,name,abstraction,status,description'

export function weakness(id: number, name = `Weakness ${id}`, more = 'Abstraction="Base" Status="Stable"'): string {
  return `<Weakness ID="${id}" Name="${name}" ${more}><Description>About ${name}.</Description></Weakness>`
}

export function weaknesses(count: number): string {
  return Array.from({ length: count }, (_, index) => weakness(index + 1)).join('\n')
}

export interface Said {
  readonly version?: string
  readonly date?: string
  readonly categories?: string
  readonly views?: string
}

export function catalogue(inside: string, said: Said = {}): string {
  const { version = '4.16', date = '2024-11-19' } = said
  const category = '<Category ID="310" Name="Keys and locks" Status="Draft"><Summary>About keys.</Summary></Category>'
  const view = '<View ID="1000" Name="All of it" Type="Graph" Status="Draft"><Objective>To see.</Objective></View>'
  return `<?xml version="1.0" encoding="UTF-8"?>
    <Weakness_Catalog xmlns="http://cwe.mitre.org/cwe-7" Name="CWE" Version="${version}" Date="${date}">
      <Weaknesses>${inside}</Weaknesses>
      <Categories>${said.categories ?? category}</Categories>
      <Views>${said.views ?? view}</Views>
      <External_References/>
    </Weakness_Catalog>`
}

export function packed(xml: string): Buffer {
  return zipOf([{ name: 'cwec_v4.16.xml', content: xml }])
}

export interface CweMachine extends Machine {
  /** From a directory with nothing but this catalogue, packed as MITRE packs it. */
  readXml(xml: string, changed?: Partial<RunTools>): Promise<RunReport>
  /** Of lines, each ended. */
  readCsv(lines: readonly string[], changed?: Partial<RunTools>): Promise<RunReport>
  stored(): Promise<Record<string, unknown>[]>
  reset(): Promise<void>
}

export async function cweMachine(): Promise<CweMachine> {
  const machine = await testMachine()
  const feed = cweFeed({ url: 'https://cwe.example/' })
  return {
    ...machine,
    readXml: async (xml, changed = {}) => {
      const from = await directoryWith({})
      await writeFile(join(from, 'cwec_latest.xml.zip'), packed(xml))
      return machine.run(feed, { from, ...changed })
    },
    readCsv: async (lines, changed = {}) => {
      const from = await directoryWith({ 'cwe.csv': lines.map((line) => `${line}\n`).join('') })
      return machine.run(feed, { from, ...changed })
    },
    stored: () =>
      machine.look(`
        select cwe_id, kind, name, abstraction, status, is_deprecated, description, removed_at
          from source.weakness
         order by length(cwe_id), cwe_id
      `),
    reset: async () => {
      await machine.look('truncate source.weakness, source.publication_queue, source.feed cascade')
      await machine.look("update catalog.dataset set table_count = 0 where name = 'cwe'")
    },
  }
}
