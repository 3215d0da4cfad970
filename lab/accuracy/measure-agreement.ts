// Measures how far derived ATT&CK techniques agree with curated ones: derives techniques for every CVE that has curated
// techniques, by several sets of rules, and counts the techniques that both have (decision D19, ADR 0017).
import { sql } from 'kysely'
import type { Resolved } from '../../service/src/catalog/model/resolved.ts'
import { readReferenceData } from '../../service/src/catalog/publish/read/read-reference-data.ts'
import { readSourceData } from '../../service/src/catalog/publish/read/read-source-data.ts'
import { deriveTechniques } from '../../service/src/catalog/render/derive-techniques.ts'
import { resolve } from '../../service/src/catalog/resolve/resolve.ts'
import type { Database } from '../../service/src/database/postgres.ts'
import type { CveId } from '../../service/src/domain/cve-id.ts'

export interface CuratedCve {
  readonly resolved: Resolved
  /** Techniques that people assigned to the CVE. */
  readonly curated: ReadonlySet<string>
  /** Techniques that CAPEC relates to the weaknesses of the CVE. */
  readonly relatedByCapec: readonly string[]
}

export interface Agreement {
  /** Number of curated techniques, summed over all CVEs. */
  readonly curated: number
  readonly derived: number
  /** Number of techniques that are both curated and derived. */
  readonly agreed: number
  /** Share of the derived techniques that are curated. */
  readonly precision: number
  /** Share of the curated techniques that are derived. */
  readonly recall: number
  /** Harmonic mean of precision and recall. */
  readonly f1: number
}

interface RuleSetAgreement extends Agreement {
  readonly name: string
  /** Number of CVEs for which the rule set derives a technique. */
  readonly cves: number
  /** Lowest and highest F1 of the five parts into which the CVEs are divided. */
  readonly f1OfParts: readonly [lowest: number, highest: number]
}

interface TechniqueAgreement extends Agreement {
  readonly technique: string
}

interface AgreementReport {
  /** Number of CVEs with curated techniques. */
  readonly cves: number
  readonly ruleSets: readonly RuleSetAgreement[]
  /** Agreement of the rules in use, per technique, most frequently curated techniques first. */
  readonly techniques: readonly TechniqueAgreement[]
}

interface RuleSet {
  readonly name: string
  readonly derive: (cve: CuratedCve) => readonly string[]
}

const IN_USE: RuleSet = {
  name: 'vector, weaknesses and description (in use)',
  derive: ({ resolved }) => deriveTechniques(resolved),
}

/** The first rule set ignores the CVE. A useful rule set agrees better with the curated techniques. */
const RULE_SETS: readonly RuleSet[] = [
  { name: 'T1190 and T1059 for every CVE', derive: () => ['T1190', 'T1059'] },
  { name: 'CAPEC patterns of the weaknesses', derive: ({ relatedByCapec }) => relatedByCapec },
  {
    name: 'vector only',
    derive: ({ resolved }) => deriveTechniques({ ...resolved, weaknesses: [], description: null }),
  },
  {
    name: 'description only',
    derive: ({ resolved }) => deriveTechniques({ ...resolved, score: null, weaknesses: [] }),
  },
  { name: 'vector and weaknesses', derive: ({ resolved }) => deriveTechniques({ ...resolved, description: null }) },
  { name: 'vector and description', derive: ({ resolved }) => deriveTechniques({ ...resolved, weaknesses: [] }) },
  { name: 'weaknesses and description', derive: ({ resolved }) => deriveTechniques({ ...resolved, score: null }) },
  IN_USE,
  {
    name: 'rules in use and CAPEC patterns',
    derive: ({ resolved, relatedByCapec }) => [...deriveTechniques(resolved), ...relatedByCapec],
  },
  {
    name: 'rules in use, else CAPEC patterns',
    derive: ({ resolved, relatedByCapec }) => {
      const derived = deriveTechniques(resolved)
      return derived.length > 0 ? derived : relatedByCapec
    },
  },
]

const PARTS = 5

export function measureAgreement(cves: readonly CuratedCve[]): AgreementReport {
  return {
    cves: cves.length,
    ruleSets: RULE_SETS.map((ruleSet) => measureRuleSet(cves, ruleSet)),
    techniques: measureTechniques(cves),
  }
}

interface Compared {
  readonly curated: ReadonlySet<string>
  readonly derived: ReadonlySet<string>
}

function measureRuleSet(cves: readonly CuratedCve[], { name, derive }: RuleSet): RuleSetAgreement {
  const compared = cves.map((cve) => ({ cve, curated: cve.curated, derived: new Set(derive(cve)) }))
  // The number of a CVE is unrelated to its content, so its last digits divide the CVEs into random parts.
  const parts = Map.groupBy(compared, ({ cve }) => Number(cve.resolved.cveId.slice(-4)) % PARTS)
  const f1OfParts = [...parts.values()].map((part) => compare(part).f1)
  return {
    name,
    cves: compared.filter(({ derived }) => derived.size > 0).length,
    ...compare(compared),
    f1OfParts: f1OfParts.length === 0 ? [0, 0] : [Math.min(...f1OfParts), Math.max(...f1OfParts)],
  }
}

function measureTechniques(cves: readonly CuratedCve[]): readonly TechniqueAgreement[] {
  const compared = cves.map((cve) => ({ curated: cve.curated, derived: new Set(IN_USE.derive(cve)) }))
  const techniques = new Set(compared.flatMap(({ derived }) => [...derived]))
  return [...techniques]
    .map((technique) => ({ technique, ...compare(compared.map((each) => restrict(each, technique))) }))
    .toSorted((a, b) => b.curated - a.curated)
}

function restrict({ curated, derived }: Compared, technique: string): Compared {
  const keep = (techniques: ReadonlySet<string>) => new Set(techniques.has(technique) ? [technique] : [])
  return { curated: keep(curated), derived: keep(derived) }
}

function compare(all: readonly Compared[]): Agreement {
  const sum = (count: (each: Compared) => number) => all.reduce((total, each) => total + count(each), 0)
  const curated = sum((each) => each.curated.size)
  const derived = sum((each) => each.derived.size)
  const agreed = sum((each) => [...each.curated].filter((technique) => each.derived.has(technique)).length)
  return {
    curated,
    derived,
    agreed,
    precision: divide(agreed, derived),
    recall: divide(agreed, curated),
    f1: divide(2 * agreed, curated + derived),
  }
}

function divide(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

/** Reads all CVEs with curated techniques. Techniques that ATT&CK has withdrawn are left out. */
export async function readCuratedCves(db: Database): Promise<readonly CuratedCve[]> {
  const { activeTechniques } = await readReferenceData(db)
  const techniquesByWeakness = await readCapec(db)
  const cves: CuratedCve[] = []
  for (const sourceData of await readSourceData(db, await listCuratedIds(db))) {
    const named = sourceData.mappings.map(({ techniqueId }) => techniqueId)
    const curated = new Set(named.filter((each) => activeTechniques.has(each)))
    const resolved = resolve(sourceData)
    if (resolved === undefined || curated.size === 0) continue
    const related = resolved.weaknesses.flatMap(({ id }) => techniquesByWeakness.get(id) ?? [])
    cves.push({ resolved, curated, relatedByCapec: related.filter((each) => activeTechniques.has(each)) })
  }
  return cves
}

async function listCuratedIds(db: Database): Promise<readonly CveId[]> {
  const { rows } = await sql<{ cveId: CveId }>`
    select distinct cve_id as "cveId"
      from source.attack_mapping
     where removed_at is null
     order by 1
  `.execute(db)
  return rows.map(({ cveId }) => cveId)
}

/** Returns the techniques of each weakness that CAPEC relates to it. Deprecated and removed patterns are left out. */
async function readCapec(db: Database): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ weakness: string; techniques: string[] }>`
    select weakness, array_agg(distinct technique order by technique) as techniques
      from source.capec, unnest(cwe_ids) as weakness, unnest(technique_ids) as technique
     where removed_at is null and not is_deprecated
     group by weakness
  `.execute(db)
  return new Map(rows.map((row) => [row.weakness, row.techniques]))
}
