import { describe, expect, it } from 'vitest'
import { collectAffected } from '../../../src/catalog/affected/collect.ts'
import type { SourceData } from '../../../src/catalog/model/source-data.ts'
import { configurations, kevEntry, match, nvd, resolved } from '../builders.ts'
import { euKevEntry } from '../records.ts'

const list = (catalogs: Pick<SourceData, 'kev' | 'euKev'>, record = nvd()) =>
  collectAffected({ debian: [], ...catalogs }, resolved([record])).map(
    ({ source, vendor, product, isVague }) => `${source}: ${vendor}/${product}${isVague ? ' vague' : ''}`,
  )

describe('Affected versions from KEV catalogs (decision E37)', () => {
  const kev = kevEntry({ vendorProject: 'Example Networks, Inc.', product: 'Device Manager (DM)' })
  const euKev = euKevEntry({ vendorProject: 'Example Networks', product: 'Manager' })

  it('are vague rows with derived names, because the catalogs name no versions and no CPE names', () => {
    expect(list({ kev, euKev })).toEqual([
      'derived:cisa-kev: example_networks/device_manager vague',
      'derived:cisa-kev: example_networks/device_manager_(dm) vague',
      'derived:eu-kev: example_networks/manager vague',
    ])
  })

  it('are left out if another source names a product, and for an entry that was removed', () => {
    expect(list({ kev, euKev }, nvd({ configurations: configurations(match('router')) }))).toEqual([
      'nvd: examplesoft/router vague',
    ])
    const removedAt = new Date('2026-08-01T00:00:00Z')
    expect(list({ kev: { ...kev, removedAt }, euKev: { ...euKev, removedAt } })).toEqual([])
  })
})
