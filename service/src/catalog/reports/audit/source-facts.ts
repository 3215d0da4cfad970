// Reads what the sources state about a CVE, for the audit. The audit parses the stored upstream JSON itself and does
// not use the parsers in catalog/sources, so that it also finds values that those parsers miss.

import type { KevEntry, SourceData } from '../../model/source-data.ts'
import { type JsonObject, objectIn, objectsIn, parseObject, textIn, textsIn } from '../../sources/json.ts'

export interface SourceFacts {
  readonly sourceData: SourceData
  /** The KEV entry; null if CISA does not list the CVE or has removed the entry. */
  readonly kev: KevEntry | null
  readonly nvd: JsonObject | null
  /** Record from the CVE List. */
  readonly cve: JsonObject | null
  /** Anchore's correction of the NVD record. */
  readonly override: JsonObject | null
  readonly ghsa: readonly JsonObject[]
  readonly affected: readonly AffectedFact[]
}

/** An entry in `affected`, from a container in a CVE List record or from NVD's copy of it. */
export interface AffectedFact {
  /** Short name of the organisation that wrote the entry; empty for NVD's copies. */
  readonly by: string
  readonly vendor: string
  readonly product: string
  readonly packageName: string | null
  readonly cpes: readonly string[]
  readonly defaultStatus: string
  readonly versions: readonly VersionFact[]
}

export interface VersionFact {
  readonly isAffected: boolean
  /** True if the source calls the version unaffected. The status `unknown` is neither affected nor unaffected. */
  readonly isUnaffected: boolean
  readonly isGit: boolean
  readonly version: string
  readonly lessThan: string | null
  readonly lessThanOrEqual: string | null
  /** Version at which the status changes to unaffected. */
  readonly fixedAt: string | null
}

export function readSourceFacts(sourceData: SourceData): SourceFacts {
  const { records, kev } = sourceData
  const parse = (source: string) => {
    const found = records.find((each) => each.source === source)
    return found ? (parseObject(found.record) ?? null) : null
  }
  const [nvd, cve] = [parse('nvd'), parse('cve')]
  return {
    sourceData,
    kev: kev !== null && kev.removedAt === null ? kev : null,
    nvd,
    cve,
    override: parse('overrides'),
    ghsa: records
      .filter(({ source }) => source === 'ghsa')
      .flatMap(({ record }) => {
        const parsed = parseObject(record)
        return parsed === undefined ? [] : [parsed]
      }),
    // NVD's list is a copy of the CVE List's, so it counts only if the CVE List's record is not stored.
    affected: cve === null ? readNvdAffected(nvd) : listContainers(cve).flatMap(readContainerAffected),
  }
}

/** Lists the containers of a CVE List record: the CNA's container first, then those of other organisations. */
export function listContainers(cve: JsonObject | null): readonly JsonObject[] {
  if (cve === null) return []
  const containers = objectIn(cve, 'containers')
  return [objectIn(containers, 'cna'), ...objectsIn(containers, 'adp')]
}

function readContainerAffected(container: JsonObject): readonly AffectedFact[] {
  const by = textIn(objectIn(container, 'providerMetadata'), 'shortName') ?? ''
  return objectsIn(container, 'affected').map((each) => readAffectedFact(each, by))
}

function readNvdAffected(nvd: JsonObject | null): readonly AffectedFact[] {
  if (nvd === null) return []
  return objectsIn(nvd, 'affected').flatMap((part) =>
    objectsIn(part, 'affectedData').map((each) => readAffectedFact(each, '')),
  )
}

function readAffectedFact(entry: JsonObject, by: string): AffectedFact {
  return {
    by,
    vendor: textIn(entry, 'vendor') ?? '',
    product: textIn(entry, 'product') ?? '',
    packageName: textIn(entry, 'packageName'),
    cpes: textsIn(entry, 'cpes'),
    defaultStatus: textIn(entry, 'defaultStatus')?.toLowerCase() ?? 'unknown',
    versions: objectsIn(entry, 'versions').map(readVersionFact),
  }
}

function readVersionFact(version: JsonObject): VersionFact {
  const change = objectsIn(version, 'changes').find((each) => textIn(each, 'status')?.toLowerCase() === 'unaffected')
  return {
    isAffected: textIn(version, 'status')?.toLowerCase() === 'affected',
    isUnaffected: textIn(version, 'status')?.toLowerCase() === 'unaffected',
    isGit: textIn(version, 'versionType')?.toLowerCase() === 'git',
    version: textIn(version, 'version') ?? '',
    lessThan: textIn(version, 'lessThan'),
    lessThanOrEqual: textIn(version, 'lessThanOrEqual'),
    fixedAt: change === undefined ? null : textIn(change, 'at'),
  }
}

/** Lists the CPE configurations of the source that the catalog prefers: NVD, else Anchore. */
export function listConfigurations({ nvd, override }: SourceFacts): readonly JsonObject[] {
  const own = nvd === null ? [] : objectsIn(nvd, 'configurations')
  return own.length > 0 || override === null ? own : objectsIn(objectIn(override, 'cve'), 'configurations')
}

export function listMatches(configuration: JsonObject): readonly JsonObject[] {
  return objectsIn(configuration, 'nodes').flatMap((node) => objectsIn(node, 'cpeMatch'))
}

/** Returns the same text for `V2.4.1` and `2.4.1`. */
export function withoutV(version: string): string {
  return version.toLowerCase().replace(/^v(?=\d)/, '')
}
