// Renders the fixed versions of a CVE (decision E36), for the record and for its detail records.
import type { Fix, Resolved } from '../model/resolved.ts'
import { listOwnNames } from '../resolve/fixes/own-products.ts'

const MAX_FIXES = 50

type FixedCve = Pick<Resolved, 'fix' | 'fixes' | 'omittedFixes' | 'claims'>
type RenderedFix = ReturnType<typeof renderFix>

interface RenderedFixes {
  readonly fixes: readonly RenderedFix[]
  /** Number of fixes that are not in the list. */
  readonly omitted: number
}

export function renderFixes(cve: FixedCve): RenderedFixes {
  const rows = [...renderStated(cve), ...cve.fixes.map(renderFix)]
  const omitted = Math.max(0, rows.length - MAX_FIXES)
  return { fixes: rows.slice(0, MAX_FIXES), omitted: cve.omittedFixes + omitted }
}

/** Without the times, which change with every change of a source's record. */
export function renderUntimedFixes(cve: FixedCve): { readonly fixes: readonly object[]; readonly omitted: number } {
  const { fixes, omitted } = renderFixes(cve)
  const untimed = fixes.map((each) => ({
    ...each,
    time: undefined,
    rivals: each.rivals.map((rival) => ({ ...rival, time: undefined })),
  }))
  return { fixes: untimed, omitted }
}

/** The version that a text names, if that is the best evidence of a fix. The text may be about any of the products. */
function renderStated({ fix, claims }: FixedCve): readonly RenderedFix[] {
  const version = fix === null ? undefined : readVersion(fix)
  if (fix === null || version === undefined) return []
  const names = listOwnNames(claims)
  const others = fix.runnersUp.map((each) => ({ version: readVersion(each), source: each.by, time: each.time }))
  return [
    {
      vendor: '',
      product: names.length === 1 ? (names[0] ?? '') : '',
      package_url: null,
      package_name: undefined,
      branch: null,
      version,
      is_commit: false,
      source: fix.by,
      time: fix.time,
      downstream: undefined,
      derived: true,
      doubted: undefined,
      rivals: others.flatMap((each) =>
        each.version === undefined || each.version === version ? [] : [{ ...each, version: each.version }],
      ),
    },
  ]
}

function readVersion({ value }: Pick<NonNullable<Resolved['fix']>, 'value'>): string | undefined {
  return value.kind === 'solution' || value.kind === 'prose' ? value.version : undefined
}

function renderFix({
  vendor,
  product,
  packageUrl,
  packageName,
  branch,
  version,
  isCommit,
  by,
  time,
  isDerived,
  rivals,
  rank,
  isDoubted,
  contradictedBy,
}: Fix) {
  const name = { vendor, product, package_url: packageUrl, package_name: packageName }
  return {
    ...name,
    branch,
    version,
    is_commit: isCommit,
    source: by,
    time,
    downstream: rank === 'own' ? undefined : (true as const),
    derived: isDerived,
    doubted: isDoubted || undefined,
    rivals: [
      ...rivals.map(renderRival),
      ...contradictedBy.map((each) => ({ ...renderRival(each), affected: true as const })),
    ],
  }
}

function renderRival({ version, by, time }: Fix['contradictedBy'][number]) {
  return { version, source: by, time }
}
