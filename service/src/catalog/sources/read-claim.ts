import { isCsafSource } from '../../domain/source/csaf-sources.ts'
import { isVendorSource } from '../../domain/source/source.ts'
import type { Claim } from '../model/claim.ts'
import type { SourceRecord, Subject } from '../model/source-data.ts'
import { readCsaf } from './csaf/read-csaf.ts'
import { readCveList } from './cve-list.ts'
import { readNvd } from './nvd.ts'
import { readOverride } from './overrides.ts'
import { readOsv, readVendor } from './vendor.ts'

/** Returns undefined for a record that is withdrawn or is not JSON. */
export function readClaim(sourceRecord: SourceRecord, subject?: Subject): Claim | undefined {
  const { truncated } = sourceRecord
  const claim = readContent(sourceRecord, subject)
  return claim && truncated ? { ...claim, truncated } : claim
}

function readContent(sourceRecord: SourceRecord, subject: Subject | undefined): Claim | undefined {
  const { source } = sourceRecord
  if (isCsafSource(source)) return readCsaf(source, sourceRecord)
  if (isVendorSource(source)) return readVendor(source, sourceRecord)
  switch (source) {
    case 'nvd':
      return readNvd(sourceRecord)
    case 'cve':
      return readCveList(sourceRecord)
    case 'overrides':
      return readOverride(sourceRecord, subject?.isUnlisted)
    case 'osv':
      return readOsv(sourceRecord, subject)
  }
}
