// openapi.json defines each shared part only once.
import { describe, expect, it } from 'vitest'
import { shareParameters } from '../../../src/contract/openapi/shared-parameters.ts'

const operation = (...parameters: readonly object[]) => ({ get: { parameters } })

describe('openapi.json: parameters', () => {
  const limit = { name: 'limit', schema: { maximum: 100 } }
  const larger = { name: 'limit', schema: { maximum: 500 } }

  it('are a component if several operations share them, and otherwise stay inline', () => {
    const paths = { '/a': operation(limit, { name: 'own' }), '/b': operation(limit) }

    const { components, refer } = shareParameters(paths)

    expect(components).toEqual({ limit })
    const reference = { $ref: '#/components/parameters/limit' }
    expect(refer(paths)).toEqual({ '/a': operation(reference, { name: 'own' }), '/b': operation(reference) })
  })

  it('with the same name and different content are different components', () => {
    const { components } = shareParameters({ '/a': operation(limit, larger), '/b': operation(larger, limit) })

    expect(components).toEqual({ limit, 'limit.2': larger })
  })
})
