// Writes the components of an answer in the format that the caller asked for. The text is limited, because it is kept in
// memory until it is sent.
import { type ApiError, invalidParameters } from '../../contract/errors.ts'
import type { SbomAnswerFormat } from '../../contract/sbom.ts'
import { createIssue } from '../../contract/validation-issue.ts'
import type { Database } from '../../database/postgres.ts'
import { renderComponents } from '../matching/render.ts'
import type { SelectedComponent } from '../matching/select-matches.ts'
import { MAX_SUGGESTED } from '../matching/suggest-products.ts'
import type { NamedComponent } from './document/name-component.ts'
import { renderCycloneDxVex, renderVexComponent } from './vex/cyclonedx-vex.ts'
import { renderOpenVex, renderOpenVexStatements, withCommas } from './vex/openvex.ts'

const MAX_ANSWER_CHARACTERS = 32 * 1024 * 1024

export interface AnswerWriter {
  add(db: Database, named: readonly NamedComponent[], selected: readonly SelectedComponent[]): Promise<void>
  /** Returns the member of the answer with the components or the VEX document, as pieces of JSON text. */
  render(author: string, now: Date): readonly string[]
}

export function createAnswerWriter(format: SbomAnswerFormat): AnswerWriter {
  const writer = WRITERS[format]()
  return {
    ...writer,
    add: async (db, named, selected) => {
      await writer.add(db, named, selected)
      if (writer.countCharacters() > MAX_ANSWER_CHARACTERS) throw answerTooLarge()
    },
  }
}

interface CountingWriter extends AnswerWriter {
  countCharacters(): number
}

const WRITERS: Readonly<Record<SbomAnswerFormat, () => CountingWriter>> = {
  json: createJsonWriter,
  openvex: createOpenVexWriter,
  cyclonedx_vex: createCycloneDxWriter,
}

function createJsonWriter(): CountingWriter {
  const texts: string[] = []
  let [characters, suggested] = [0, 0]
  return {
    add: async (db, named, selected) => {
      const added = await renderComponents(db, selected, named, MAX_SUGGESTED - suggested)
      const unknown = selected.filter(({ matched }) => matched.verdict === 'unknown_product').length
      suggested = Math.min(MAX_SUGGESTED, suggested + unknown)
      characters += countAll(added)
      texts.push(...added)
    },
    render: () => ['"components":[', ...withCommas(texts), ']'],
    countCharacters: () => characters,
  }
}

function createOpenVexWriter(): CountingWriter {
  const statements: string[] = []
  let characters = 0
  return {
    add: async (_db, named, selected) => {
      for (const [position, each] of selected.entries()) {
        const component = named[position]
        const added = component === undefined ? [] : renderOpenVexStatements(component, each)
        characters += countAll(added)
        statements.push(...added)
      }
    },
    render: (author, now) => ['"document":', ...renderOpenVex(statements, author, now)],
    countCharacters: () => characters,
  }
}

function createCycloneDxWriter(): CountingWriter {
  const components: NonNullable<ReturnType<typeof renderVexComponent>>[] = []
  const usedRefs = new Set<string>()
  let characters = 0
  return {
    add: async (_db, named, selected) => {
      for (const [position, each] of selected.entries()) {
        const component = named[position]
        const added = component && renderVexComponent(component, each, usedRefs)
        if (added === undefined) continue
        characters += added.component.length + countAll(added.vulnerabilities)
        components.push(added)
      }
    },
    render: (author, now) => ['"document":', ...renderCycloneDxVex(components, author, now)],
    countCharacters: () => characters,
  }
}

const countAll = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0)

function answerTooLarge(): ApiError {
  const megabytes = MAX_ANSWER_CHARACTERS / 1024 / 1024
  const message = `makes the answer larger than ${megabytes} MiB; send a smaller value, a more urgent priority_max, or the document in parts`
  return invalidParameters([{ ...createIssue('matches_per_component', null, 'a smaller number'), message }])
}
