// All exports of the package vis-sdk.
export { type Client, createClient, createSessionClient } from './client.ts'
export type { Detail, FullDetail, PartialDetail } from './detail.ts'
export {
  type ErrorDetails,
  isVisError,
  type ParameterIssue,
  type ServiceErrorCode,
  type TransportErrorCode,
  VisError,
  type VisErrorCode,
} from './errors.ts'
export type { CallOptions, ClientOptions, RateLimit, ResponseInfo, SessionClientOptions } from './options.ts'
export type { ExploitPage, Listing, Page, RecentPage } from './paginate.ts'
export type {
  Batch,
  BatchCve,
  BatchFilters,
  Configuration,
  CpeMatch,
  Cve,
  Cvss,
  DetailRecord,
  Enrichment,
  ExploitEvidence,
  ExploitFilters,
  ExploitSummary,
  Field,
  Health,
  Include,
  KevEntry,
  KevFilters,
  ListedCve,
  Ping,
  PingLite,
  RecentCve,
  RecentFilters,
  SearchFilters,
  Selection,
  Severity,
  Sort,
  Source,
  SourceStatement,
  Stats,
  Usage,
  ValueSources,
} from './records.ts'
