import type { CveId } from '../../domain/cve-id.ts'
import { isVendorSource } from '../../domain/source/source.ts'
import type { Claim } from '../model/claim.ts'
import type { SourceRecord } from '../model/source-data.ts'
import { readCveList } from './cve-list.ts'
import { readNvd } from './nvd.ts'
import { readOverride } from './overrides.ts'
import { readOsv, readVendor } from './vendor.ts'

/**
 * Returns undefined for a record that is withdrawn or is not JSON. `unlisted` is the id of a CVE that neither NVD nor the
 * CVE List has: the texts, dates and ratings that OSV databases and Anchore repeat from there are read only for such a
 * CVE.
 */
export function readClaim(sourceRecord: SourceRecord, unlisted?: CveId): Claim | undefined {
  const { truncated } = sourceRecord
  const claim = readContent(sourceRecord, unlisted)
  return claim && truncated ? { ...claim, truncated } : claim
}

function readContent(sourceRecord: SourceRecord, unlisted: CveId | undefined): Claim | undefined {
  const { source } = sourceRecord
  if (isVendorSource(source)) return readVendor(source, sourceRecord)
  switch (source) {
    case 'nvd':
      return readNvd(sourceRecord)
    case 'cve':
      return readCveList(sourceRecord)
    case 'overrides':
      return readOverride(sourceRecord, unlisted)
    case 'osv':
      return readOsv(sourceRecord, unlisted)
  }
}
