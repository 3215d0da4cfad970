// What we conclude from all statements about one CVE. Every value knows where it came from, and what else was said.
import type { CveId } from '../../domain/cve-id.ts'
import type {
  Affected,
  Configuration,
  CpeMatch,
  Rating,
  Exploitation,
  Reference,
  Speaker,
  Statement,
} from './claim.ts'

export interface Said<T> {
  readonly value: T
  readonly by: Speaker
}

export interface Chosen<T> extends Said<T> {
  /** In the order of precedence, those that would have been next. */
  readonly runnersUp: readonly Said<T>[]
}

export interface Resolved {
  readonly cveId: CveId
  /** The source whose record leads (decision C13). */
  readonly sourceTag: 'nvd' | 'cve' | 'kev'
  readonly published: Chosen<Date> | null
  readonly modified: Chosen<Date>
  readonly status: Chosen<string>
  readonly description: Chosen<string> | null
  /** The one score of the CVE (decision C3). */
  readonly score: Chosen<Rating> | null
  /** 3.1, else 3.0 (decision C4). */
  readonly v3: Chosen<Rating> | null
  readonly v4: Chosen<Rating> | null
  readonly v2: Chosen<Rating> | null
  /** In numeric order, each with all who named it. */
  readonly weaknesses: readonly { readonly id: string; readonly by: readonly Speaker[] }[]
  readonly cpe: ResolvedCpe
  /** Products in other words than CPE, of every source that names some. */
  readonly affected: readonly Affected[]
  readonly references: readonly Reference[]
  readonly exploitation: Chosen<Exploitation> | null
  readonly fix: Chosen<string> | null
  /** Of those that can be asked for by name (decision A12): who holds a record, sorted. */
  readonly sources: readonly string[]
  /** What it was concluded from, by source; for the detail records. */
  readonly statements: readonly Statement[]
}

export interface ResolvedCpe {
  readonly configurations: readonly Configuration[]
  /** Flattened, each once. */
  readonly matches: readonly CpeMatch[]
  /** `nvd`, `anchore`, or who gave the data that it was derived from; null when there are none. */
  readonly by: Speaker | null
  /** Made by us from other words: vendor, product and versions as a CNA wrote them. */
  readonly isDerived: boolean
  readonly runnersUp: readonly Said<number>[]
}
