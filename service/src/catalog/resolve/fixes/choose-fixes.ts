// Chooses one fixed version per product and branch (decision E36): the vendor's statement before NVD's, and the newest
// statement of each source. Versions that other sources name for the branch are its rivals. This one list serves the
// detail record, the sources of the fix and the sentence in the reasons of the priority.
import { isCsafVendor } from '../../../domain/source/csaf-sources.ts'
import { findBranches, isInBranch } from '../../../domain/version/find-branches.ts'
import type { Claim, Provider } from '../../model/claim.ts'
import type { Fix, FixRank } from '../../model/resolved.ts'
import type { DebianStatus, ProductNames } from '../../model/source-data.ts'
import type { IsDoubted } from '../../sources/fields/read-fix.ts'
import { isSupplier } from '../../sources/provider.ts'
import { FIX, orderClaims } from '../precedence.ts'
import { toNameKey, toVendorKey } from '../products/product-name-keys.ts'
import { toVersionKey } from './affected-ends.ts'
import type { AffectedSpan } from './affected-spans.ts'
import {
  type Checked,
  compareStatements,
  listSpans,
  MAX_RIVALS,
  markContradicted,
  mayBeContradicted,
  rankDoubt,
} from './check-fixes.ts'
import { readDebianFixes } from './debian-fixes.ts'
import { type FixStatement, readFixStatements } from './fix-statements.ts'
import { createOwnTest } from './own-products.ts'

const SHORT_COMMIT_LENGTH = 12

type Named = Pick<FixStatement, 'vendor' | 'product' | 'packageUrl' | 'packageName'>

interface Circumstances {
  /** Undefined if no fixed version is doubted. */
  readonly isDoubted?: IsDoubted | undefined
  /** Without these, products are the same if their words are. */
  readonly productNames?: ProductNames | undefined
  readonly debian?: readonly DebianStatus[]
}

export function chooseFixes(
  claims: readonly Claim[],
  { isDoubted, productNames, debian = [] }: Circumstances,
): readonly Fix[] {
  const statements = [
    ...dropOlderCopies(orderClaims(claims, FIX).flatMap((claim) => readFixStatements(claim, isDoubted))),
    ...readDebianFixes(debian),
  ]
  if (statements.length === 0) return []
  const isOwn = createOwnTest(claims)
  const spans = mayBeContradicted(statements, claims) ? listSpans(claims, statements) : []
  const stated = [...statements.toSorted(compareStatements), ...spans]
  const fixes = groupByProduct<FixStatement | AffectedSpan>(stated, productNames)
    .map((group) => markContradicted(group, claims))
    .flatMap((product) => chooseOfProduct(product, isOwn))
  return fixes.sort(compareFixes)
}

/**
 * The closest products first, versions before commits, and what the vendor says before what others say about the product
 * under another name. The sort keeps the order of the sources otherwise.
 */
function compareFixes(a: Fix, b: Fix): number {
  return (
    RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank) ||
    rankDoubt(a) - rankDoubt(b) ||
    Number(a.isCommit) - Number(b.isCommit) ||
    (a.rank === 'own' ? Number(!isOfVendor(a)) - Number(!isOfVendor(b)) : 0)
  )
}

function isOfVendor({ by }: Fix): boolean {
  return by.startsWith('cna:') || isSupplier(by) || isCsafVendor(by)
}

const RANKS: readonly FixRank[] = ['own', 'other', 'redistributed']

/**
 * NVD copies what a CNA or CISA states in the CVE List. If the copy and the original differ, the newer one counts, else
 * the original.
 */
function dropOlderCopies(statements: readonly FixStatement[]): readonly FixStatement[] {
  const originals = Map.groupBy(
    statements.filter(({ source }) => source === 'cve'),
    ({ by }) => by,
  )
  if (originals.size === 0) return statements
  const copies = Map.groupBy(
    statements.filter(({ source, by }) => source === 'nvd' && originals.has(by)),
    ({ by }) => by,
  )
  if (copies.size === 0) return statements
  return statements.filter((each) => {
    const [original, copy] = [originals.get(each.by), copies.get(each.by)]
    if (original === undefined || copy === undefined) return true
    const isCopyNewer =
      (copy[0]?.time ?? '') > (original[0]?.time ?? '') && listVersions(copy) !== listVersions(original)
    return each.source === (isCopyNewer ? 'nvd' : 'cve')
  })
}

function listVersions(statements: readonly FixStatement[]): string {
  return [...new Set(statements.map(({ product, version }) => `${toNameKey(product)} ${version}`))].sort().join('\n')
}

function toNamedKey({ vendor, product, packageUrl, packageName }: Named): string {
  return `${packageUrl ?? ''}\n${packageName ?? ''}\n${vendor}\n${product}`
}

/** A product without a vendor is the product of this name that another source names with a vendor. */
function groupByProduct<T extends Named>(stated: readonly T[], productNames?: ProductNames): readonly (readonly T[])[] {
  const names = new Set(stated.map(toNamedKey))
  if (names.size === 1) return [stated]
  const groups = new Set<T[]>()
  const byKey = new Map<string, T[]>()
  // A product is named once per range and fix.
  const byName = new Map<string, T[]>()
  const [unnamed, named] = [stated.filter(isWithoutVendor), stated.filter((each) => !isWithoutVendor(each))]
  for (const each of named) {
    const name = toNamedKey(each)
    const same = byName.get(name)
    if (same !== undefined) {
      same.push(each)
      continue
    }
    const keys = listProductKeys(each, productNames)
    const group = keys.map((key) => byKey.get(key)).find((known) => known !== undefined) ?? []
    group.push(each)
    groups.add(group)
    byName.set(name, group)
    for (const key of [...keys, `/${toNameKey(each.product)}`]) if (!byKey.has(key)) byKey.set(key, group)
  }
  for (const each of unnamed) {
    const key = `/${toNameKey(each.product)}`
    const group = byKey.get(key) ?? []
    group.push(each)
    groups.add(group)
    byKey.set(key, group)
  }
  return [...groups]
}

function isWithoutVendor({ vendor, packageUrl }: Named): boolean {
  return vendor === '' && packageUrl === null
}

/**
 * A distribution's releases, such as `AlmaLinux:9`, have fixed versions of their own, and so have Red Hat's products that
 * contain the same package.
 */
function listProductKeys(fix: Named, productNames?: ProductNames): readonly string[] {
  const { vendor, product, packageUrl, packageName = '' } = fix
  const isOfRedHat = packageUrl?.startsWith('pkg:rpm/redhat/') === true
  const container = vendor.includes(':') ? vendor : isOfRedHat ? product : ''
  if (packageUrl !== null) return [`${packageUrl} ${packageName} ${container}`]
  const names = [{ vendor, product }, ...(productNames?.find(vendor, product) ?? [])]
  return names.map((name) => `${toVendorKey(name.vendor)}/${toNameKey(name.product)} ${packageName.toLowerCase()}`)
}

interface Row extends Omit<Fix, 'rank' | 'rivals' | 'agreeing' | 'platform' | 'edition' | 'branch'> {
  branch: string | null
  platform?: string | undefined
  edition?: string | undefined
  readonly rivals: Fix['rivals'][number][]
  readonly agreeing: Fix['agreeing'][number][]
}

type IsOwn = ReturnType<typeof createOwnTest>

type Branched = Checked & { readonly branch: string | null; readonly key: string }

function chooseOfProduct(statements: readonly Checked[], isOwn: IsOwn): readonly Fix[] {
  const rows = new Map<string, Row>()
  const bySource = Map.groupBy(statements, ({ by }) => by)
  for (const stated of bySource.values()) {
    const branched = markBranches(stated)
    const openEnded = new Set(
      branched.flatMap(({ branch, isCommit, key }) => (branch === null && !isCommit ? key : [])),
    )
    for (const each of branched) addStatement(rows, each, openEnded.size === 1)
  }
  const rank = rankProduct(statements, isOwn)
  return [...rows.values()].map(({ platform, edition, rivals, ...row }) => ({
    ...row,
    ...(platform !== undefined && { platform }),
    ...(edition !== undefined && { edition }),
    rank,
    rivals: rivals.slice(0, MAX_RIVALS),
  }))
}

function rankProduct(statements: readonly FixStatement[], isOwn: IsOwn): FixRank {
  if (statements.every(({ isRedistributed }) => isRedistributed)) return 'redistributed'
  return statements.some(isOwn) ? 'own' : 'other'
}

function markBranches(statements: readonly Checked[]): readonly Branched[] {
  const branches = new Map<FixStatement, string | null>()
  for (const ofScope of Map.groupBy(statements, toScope).values()) {
    const versions = ofScope.filter(({ isCommit }) => !isCommit)
    for (const [at, branch] of findBranches(versions).entries()) {
      const statement = versions[at]
      if (statement !== undefined) branches.set(statement, branch)
    }
  }
  return statements.map((each) => ({ ...each, branch: branches.get(each) ?? null, key: toKey(each) }))
}

/** Platforms and editions have branches of their own. */
function toScope({ platform = '', edition = '' }: Pick<Row, 'platform' | 'edition'>): string {
  return `${platform} ${edition}`
}

/** Some sources name a commit by its first 12 digits, others by all 40. */
function toKey({ version, isCommit }: Pick<Fix, 'version' | 'isCommit'>): string {
  return isCommit ? version.slice(0, SHORT_COMMIT_LENGTH).toLowerCase() : toVersionKey(version)
}

/** `rows` by key. `isOnly`: the source names no other version without a branch. */
function addStatement(rows: Map<string, Row>, stated: Branched, isOnly: boolean): void {
  const same = rows.get(stated.key)
  const listed = [...rows.values()]
  if (same !== undefined) {
    if (same.by === stated.by) joinScopes(same, stated)
    else same.agreeing.push(toNamed(stated))
    if (same.branch === null && listed.every(({ branch }) => branch !== stated.branch)) same.branch = stated.branch
    return
  }
  const rival = stated.isCommit || stated.isDoubted ? undefined : findRival(listed, stated, isOnly)
  if (rival === undefined) rows.set(stated.key, toRow(stated))
  else rival.rivals.push(toNamed(stated))
}

/** If the source names a version for several platforms or editions, the fix gets none. */
function joinScopes(row: Row, { platform, edition }: Branched): void {
  if (row.platform !== platform) row.platform = undefined
  if (row.edition !== edition) row.edition = undefined
}

/**
 * Returns undefined if it is not clear that the row is about the same branch. A version without a branch belongs to the
 * branch that begins with the same numbers, else to the only row without a branch.
 */
function findRival(rows: readonly Row[], stated: Branched, isOnly: boolean): Row | undefined {
  const comparable = rows.filter(
    ({ isCommit, platform, edition }) => !isCommit && toScope({ platform, edition }) === toScope(stated),
  )
  const others = comparable.filter(({ by }) => by !== stated.by)
  if (stated.branch !== null) return others.find(({ branch }) => branch === stated.branch)
  const enclosing = others.filter(({ branch }) => branch !== null && isInBranch(stated.version, branch))
  if (enclosing.length > 0) return enclosing.length === 1 ? enclosing[0] : undefined
  const open = others.filter(({ branch }) => branch === null)
  if (open.length === 1 && isOnly) return open[0]
  return findNewer(comparable, stated)
}

/** Advisories of one database: the newest one decides. A distribution fixes each of its module streams separately. */
function findNewer(rows: readonly Row[], { by, time, isRedistributed, branch }: Branched): Row | undefined {
  if (isRedistributed || time === null) return undefined
  const newer = rows.filter((row) => row.by === by && row.branch === branch && row.time !== null && row.time > time)
  return newer.length === 1 ? newer[0] : undefined
}

function toNamed({ version, by, time, member }: Branched): { version: string; by: Provider } & Fix['agreeing'][number] {
  return { version, by, time, member }
}

function toRow(stated: Branched): Row {
  const { vendor, product, packageUrl, packageName, version, branch, isCommit, by, time, member } = stated
  return {
    vendor,
    product,
    packageUrl,
    ...(packageName !== undefined && { packageName }),
    branch,
    version,
    platform: stated.platform,
    edition: stated.edition,
    isCommit,
    by,
    time,
    member,
    ...(stated.isDerived && { isDerived: true as const }),
    isDoubted: stated.isDoubted || stated.isOvertaken === true,
    contradictedBy: stated.contradictedBy,
    rivals: [],
    agreeing: [],
  }
}
