// The list of all endpoints. A new endpoint needs its own folder and one line in this list.
import type { ServedEndpoint } from '../services.ts'
import { addOrigin } from './add-origin/endpoint.ts'
import { batchCves } from './batch-cves/endpoint.ts'
import { bulkTriage } from './bulk-triage/endpoint.ts'
import { changeMemberRole } from './change-member-role/endpoint.ts'
import { changeView } from './change-view/endpoint.ts'
import { changeWatch } from './change-watch/endpoint.ts'
import { createFeed } from './create-feed/endpoint.ts'
import { createKey } from './create-key/endpoint.ts'
import { createView } from './create-view/endpoint.ts'
import { createWatch } from './create-watch/endpoint.ts'
import { explainWatch } from './explain-watch/endpoint.ts'
import { exportAudit } from './export-audit/endpoint.ts'
import { exportCves } from './export-cves/endpoint.ts'
import { exportTriage } from './export-triage/endpoint.ts'
import { facetCves } from './facet-cves/endpoint.ts'
import { getAlias } from './get-alias/endpoint.ts'
import { getAtomFeed } from './get-atom-feed/endpoint.ts'
import { getCve } from './get-cve/endpoint.ts'
import { getCveAsOf } from './get-cve-as-of/endpoint.ts'
import { getCveDetail } from './get-cve-detail/endpoint.ts'
import { getEpssSeries } from './get-epss-series/endpoint.ts'
import { getJsonFeed } from './get-json-feed/endpoint.ts'
import { getOwnMember } from './get-own-member/endpoint.ts'
import { getPolicy } from './get-policy/endpoint.ts'
import { getSnapshotPart } from './get-snapshot-part/endpoint.ts'
import { getStats } from './get-stats/endpoint.ts'
import { getStatsSeries } from './get-stats-series/endpoint.ts'
import { getStatsTop } from './get-stats-top/endpoint.ts'
import { getTriage } from './get-triage/endpoint.ts'
import { getUsage } from './get-usage/endpoint.ts'
import { getUsageBreakdown } from './get-usage-breakdown/endpoint.ts'
import { getView } from './get-view/endpoint.ts'
import { getWatch } from './get-watch/endpoint.ts'
import { health } from './health/endpoint.ts'
import { importTriage } from './import-triage/endpoint.ts'
import { inviteMember } from './invite-member/endpoint.ts'
import { listAudit } from './list-audit/endpoint.ts'
import { listChangedRecords } from './list-changed-records/endpoint.ts'
import { listChanges } from './list-changes/endpoint.ts'
import { listCveHistory } from './list-cve-history/endpoint.ts'
import { listEpssMovers } from './list-epss-movers/endpoint.ts'
import { listEvents } from './list-events/endpoint.ts'
import { listExploits } from './list-exploits/endpoint.ts'
import { listFilters } from './list-filters/endpoint.ts'
import { listKev } from './list-kev/endpoint.ts'
import { listKevHistory } from './list-kev-history/endpoint.ts'
import { listKeys } from './list-keys/endpoint.ts'
import { listMembers } from './list-members/endpoint.ts'
import { listOrigins } from './list-origins/endpoint.ts'
import { listSnapshots } from './list-snapshots/endpoint.ts'
import { listTriage } from './list-triage/endpoint.ts'
import { listViews } from './list-views/endpoint.ts'
import { listWatches } from './list-watches/endpoint.ts'
import { markSeen } from './mark-seen/endpoint.ts'
import { matchComponentList } from './match/endpoint.ts'
import { ping } from './ping/endpoint.ts'
import { pingLite } from './ping-lite/endpoint.ts'
import { previewWatch } from './preview-watch/endpoint.ts'
import { prioritizeCves } from './prioritize/endpoint.ts'
import { recentCves } from './recent-cves/endpoint.ts'
import { removeFeed } from './remove-feed/endpoint.ts'
import { removeMember } from './remove-member/endpoint.ts'
import { removeOrigin } from './remove-origin/endpoint.ts'
import { removeTriage } from './remove-triage/endpoint.ts'
import { removeView } from './remove-view/endpoint.ts'
import { removeWatch } from './remove-watch/endpoint.ts'
import { revokeKey } from './revoke-key/endpoint.ts'
import { rotateFeed } from './rotate-feed/endpoint.ts'
import { rotateKey } from './rotate-key/endpoint.ts'
import { scanSbom } from './scan-sbom/endpoint.ts'
import { searchCves } from './search-cves/endpoint.ts'
import { setTriage } from './set-triage/endpoint.ts'
import { snoozeWatch } from './snooze-watch/endpoint.ts'
import { suggest } from './suggest/endpoint.ts'
import { summarizeChanges } from './summarize-changes/endpoint.ts'

export const endpoints: readonly ServedEndpoint[] = [
  // The endpoints in the order of openapi.json, of /docs within each tag, of the guide and of /llms.txt.
  getCve,
  getCveDetail,
  listExploits,
  listCveHistory,
  getCveAsOf,
  getAlias,
  batchCves,
  searchCves,
  facetCves,
  exportCves,
  recentCves,
  suggest,
  listFilters,
  listViews,
  getView,
  createView,
  changeView,
  removeView,
  listWatches,
  createWatch,
  previewWatch,
  getWatch,
  changeWatch,
  snoozeWatch,
  removeWatch,
  explainWatch,
  listEvents,
  createFeed,
  rotateFeed,
  removeFeed,
  getAtomFeed,
  getJsonFeed,
  matchComponentList,
  scanSbom,
  prioritizeCves,
  getPolicy,
  listTriage,
  getTriage,
  setTriage,
  bulkTriage,
  removeTriage,
  exportTriage,
  importTriage,
  listChanges,
  summarizeChanges,
  listChangedRecords,
  listSnapshots,
  getSnapshotPart,
  listKev,
  getEpssSeries,
  listEpssMovers,
  listKevHistory,
  getUsage,
  getUsageBreakdown,
  listKeys,
  createKey,
  rotateKey,
  revokeKey,
  listOrigins,
  addOrigin,
  removeOrigin,
  listAudit,
  exportAudit,
  getOwnMember,
  markSeen,
  listMembers,
  inviteMember,
  changeMemberRole,
  removeMember,
  getStats,
  getStatsSeries,
  getStatsTop,
  health,
  ping,
  pingLite,
]
