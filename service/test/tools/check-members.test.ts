import { describe, expect, it } from 'vitest'
import { checkMembers } from '../../../tools/check-members.ts'

type Members = Readonly<Record<string, object>>

const toObject = (properties: Members) => ({ type: 'object', properties })

/** A document in which two calls answer with these members. */
function describeCalls(first: Members, second: Members = {}, parameters: readonly string[] = []) {
  const toOperation = (data: Members) => ({
    parameters: parameters.map((name) => ({ name })),
    responses: { 200: { content: { 'application/json': { schema: toObject({ data: toObject(data) }) } } } },
  })
  return { paths: { '/one': { get: toOperation(first) }, '/two': { get: toOperation(second) } }, components: {} }
}

const findProblems = (...calls: Parameters<typeof describeCalls>) => checkMembers(describeCalls(...calls)).problems

const TEXT = { type: 'string' }
const FLAG = { type: 'boolean' }
const DAY = { type: 'string', format: 'date' }

describe('The check of the names of members', () => {
  it('accepts a name with one type, which null and fewer members do not change', () => {
    expect(findProblems({ severity: { type: 'number' } }, { severity: { type: ['number', 'null'] } })).toEqual([])
    expect(findProblems({ kev: toObject({ vendor: TEXT, first: FLAG }) }, { kev: toObject({ vendor: TEXT }) })).toEqual(
      [],
    )
  })

  it.each([
    ['a flag and a text', FLAG, TEXT, 'kev is boolean in GET /one.data.kev, but string in GET /two.data.kev.'],
    ['a day and another text', DAY, TEXT, 'kev is date in GET /one.data.kev, but string in GET /two.data.kev.'],
    [
      'a list of texts and a list of objects',
      { type: 'array', items: TEXT },
      { type: 'array', items: toObject({ name: TEXT }) },
      'kev is a list of string in GET /one.data.kev, but a list of an object {name} in GET /two.data.kev.',
    ],
    [
      'objects with different members',
      toObject({ vendor: TEXT, first: FLAG }),
      toObject({ vendor: TEXT, last: FLAG }),
      'kev is an object {vendor, first} in GET /one.data.kev, but an object {vendor, last} in GET /two.data.kev.',
    ],
  ])('rejects one name for %s', (_, one, other, problem) => {
    expect(findProblems({ kev: one }, { kev: other })).toEqual([problem])
  })

  it('rejects camelCase in a name that the specification does not give', () => {
    expect(findProblems({ firstSeen: TEXT, nextCursor: TEXT })).toEqual([
      'firstSeen (GET /one.data.firstSeen) is not in snake_case.',
    ])
  })

  it("rejects another name than cve_id for a CVE's id", () => {
    const id = { type: 'string', pattern: '^CVE-\\d{4}-\\d{4,19}$' }
    expect(findProblems({ cve: id, cve_id: id })).toEqual([
      'cve (GET /one.data.cve) is the id of a CVE, and is not called cve_id.',
    ])
  })

  it('rejects a list with after and without pagination, and next_since without since', () => {
    expect(findProblems({ pagination: toObject({}) }, { next_since: TEXT }, ['after'])).toEqual([
      'GET /two has the parameter after, and no pagination in its answer.',
      'GET /two has next_since in its answer, and no parameter since.',
    ])
  })
})
