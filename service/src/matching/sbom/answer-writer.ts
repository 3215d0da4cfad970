// Writes the components of an answer in the format that the caller asked for.
import type { SbomAnswerFormat } from '../../contract/sbom.ts'
import type { Database } from '../../database/postgres.ts'
import { limitAnswer } from '../answer/answer-limit.ts'
import type { FixPlan } from '../answer/fix-plan.ts'
import { createRenderState, renderComponents } from '../answer/render.ts'
import type { SelectedComponent } from '../answer/select-matches.ts'
import type { NamedComponent } from './document/name-component.ts'
import { renderCycloneDxVex, renderVexComponent } from './vex/cyclonedx-vex.ts'
import { renderOpenVex, renderOpenVexStatements } from './vex/openvex.ts'
import type { VexLimits } from './vex/statement.ts'

export interface AnswerWriter {
  /** Returns the finished chunks of JSON text. */
  add(
    db: Database,
    named: readonly NamedComponent[],
    selected: readonly SelectedComponent[],
  ): Promise<readonly string[]>
  /** Returns the remaining text of the member `components` or `document`, and the fix plan after `components`. */
  render(author: string, now: Date): readonly string[]
}

export interface WriterOptions extends VexLimits {
  readonly format: SbomAnswerFormat
  readonly now: Date
}

/** `plan` is filled and rendered with format=json, and `limits` apply to VEX documents. */
export function createAnswerWriter({ format, now, ...limits }: WriterOptions, plan: FixPlan): AnswerWriter {
  return format === 'json' ? createJsonWriter(limitAnswer(), plan, now) : VEX_WRITERS[format](limitAnswer(), limits)
}

type CountText = (text: string) => string

const VEX_WRITERS: Readonly<
  Record<Exclude<SbomAnswerFormat, 'json'>, (countText: CountText, limits: VexLimits) => AnswerWriter>
> = {
  openvex: createOpenVexWriter,
  cyclonedx_vex: createCycloneDxWriter,
}

function createJsonWriter(countText: CountText, plan: FixPlan, now: Date): AnswerWriter {
  const state = createRenderState(now)
  let isFirst = true
  return {
    add: async (db, named, selected) => {
      plan.add(selected, named, countText)
      const texts = await renderComponents(db, selected, named, state)
      return texts.map((text) => {
        const piece = countText(isFirst ? `"components":[${text}` : `,${text}`)
        isFirst = false
        return piece
      })
    },
    render: () => [isFirst ? '"components":[]' : ']', `,"fix_plan":${plan.render(countText)}`],
  }
}

function createOpenVexWriter(countText: CountText, limits: VexLimits): AnswerWriter {
  // A document may list a component twice, but OpenVEX requires each statement to be unique.
  const statements = new Set<string>()
  let [components, uncovered] = [0, 0]
  return {
    add: async (_db, named, selected) => {
      for (const [position, each] of selected.entries()) {
        const component = named[position]
        components += 1
        if (each.matched.gap !== undefined) uncovered += 1
        const rendered = component === undefined ? [] : renderOpenVexStatements(component, each, limits)
        for (const text of rendered) if (!statements.has(text)) statements.add(countText(text))
      }
      return []
    },
    render: (author, now) => ['"document":', ...renderOpenVex([...statements], { components, uncovered }, author, now)],
  }
}

function createCycloneDxWriter(countText: CountText, limits: VexLimits): AnswerWriter {
  const components: NonNullable<ReturnType<typeof renderVexComponent>>[] = []
  const usedRefs = new Set<string>()
  return {
    add: async (_db, named, selected) => {
      for (const [position, each] of selected.entries()) {
        const component = named[position]
        const added = component && renderVexComponent(component, each, limits, usedRefs)
        if (added === undefined) continue
        for (const text of [added.component, ...added.vulnerabilities]) countText(text)
        components.push(added)
      }
      return []
    },
    render: (author, now) => ['"document":', ...renderCycloneDxVex(components, author, now)],
  }
}
