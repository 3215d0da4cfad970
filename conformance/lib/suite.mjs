// Runs all sections of checks against one server. run.mjs is the command line of this module; other programs import it.

import { checks as invariants } from '../checks/invariants.mjs'
import { checks as match } from '../checks/judging/match.mjs'
import { checks as priority } from '../checks/judging/priority.mjs'
import { checks as sbom } from '../checks/judging/sbom.mjs'
import { checks as exports } from '../checks/lists/export.mjs'
import { checks as furtherFilters } from '../checks/lists/further-filters.mjs'
import { checks as kev } from '../checks/lists/kev.mjs'
import { checks as names } from '../checks/lists/names.mjs'
import { checks as paging } from '../checks/lists/paging.mjs'
import { checks as recent } from '../checks/lists/recent.mjs'
import { checks as search } from '../checks/lists/search.mjs'
import { checks as searchFilters } from '../checks/lists/search-filters.mjs'
import { checks as series } from '../checks/lists/series.mjs'
import { checks as triage } from '../checks/lists/triage.mjs'
import { checks as views } from '../checks/lists/views.mjs'
import { checks as watches } from '../checks/lists/watches.mjs'
import { checks as addOns } from '../checks/records/add-ons.mjs'
import { checks as agreement } from '../checks/records/agreement.mjs'
import { checks as batch } from '../checks/records/batch.mjs'
import { checks as changes } from '../checks/records/changes.mjs'
import { checks as cveRecord } from '../checks/records/cve-record.mjs'
import { checks as detail } from '../checks/records/detail.mjs'
import { checks as epss } from '../checks/records/epss.mjs'
import { checks as exploits } from '../checks/records/exploits.mjs'
import { checks as fieldSelection } from '../checks/records/field-selection.mjs'
import { checks as fixes } from '../checks/records/fixes.mjs'
import { checks as history } from '../checks/records/history.mjs'
import { checks as snapshots } from '../checks/records/snapshots.mjs'
import { checks as sources } from '../checks/records/sources.mjs'
import { checks as authentication } from '../checks/requests/authentication.mjs'
import { checks as bodyValidation } from '../checks/requests/body-validation.mjs'
import { checks as credits } from '../checks/requests/credits.mjs'
import { checks as hostileInput } from '../checks/requests/hostile-input.mjs'
import { checks as origins } from '../checks/requests/origins.mjs'
import { checks as protocol } from '../checks/requests/protocol.mjs'
import { checks as rateLimit } from '../checks/requests/rate-limit.mjs'
import { checks as validation } from '../checks/requests/validation.mjs'
import { checks as selfService } from '../checks/self-service.mjs'
import { checks as service } from '../checks/service.mjs'
import { assertUniqueNames, runChecks } from './check.mjs'
import { Client } from './client.mjs'
import { createDiscovery } from './discovery.mjs'

/**
 * @typedef {{ section: string, name: string }} Check
 * @typedef {Check & {
 *   status: 'passed' | 'failed' | 'skipped', reason?: string, trace?: string[], ms: number
 * }} Result
 * @typedef {string | { key: string, origin: string }} Key an API key, or a key with the origin that its account allows
 */

// Cheap sections run first. The section of invariants runs last, because it checks all answers of the run.
const CHECKS = [
  service,
  authentication,
  sources,
  origins,
  protocol,
  validation,
  bodyValidation,
  cveRecord,
  fieldSelection,
  addOns,
  match,
  sbom,
  priority,
  batch,
  searchFilters,
  furtherFilters,
  search,
  paging,
  recent,
  kev,
  detail,
  fixes,
  exploits,
  epss,
  changes,
  history,
  snapshots,
  selfService,
  names,
  series,
  views,
  watches,
  triage,
  exports,
  agreement,
  hostileInput,
  credits,
  rateLimit,
  invariants,
].flat()
assertUniqueNames(CHECKS)

/**
 * Returns the checks whose "Section: name" matches the regular expression, in any letter case.
 *
 * @param {string} [only]
 * @returns {Check[]}
 */
export function selectChecks(only) {
  // regex-bound: check names have fewer than 200 characters, and the person who runs the suite writes the expression.
  const wanted = only ? new RegExp(only, 'i') : null
  return wanted ? CHECKS.filter(({ section, name }) => wanted.test(`${section}: ${name}`)) : CHECKS
}

/**
 * Runs checks against the server at `url` with the keys of keys.json. `clockOffsetMs` is how far the server's clock is
 * ahead of this machine's; credits and rate limits ignore it (decision A5).
 *
 * @param {{
 *   url: string, keys: Readonly<Record<string, Key>>, checks?: readonly Check[], clockOffsetMs?: number,
 *   onResult?: (result: Result, results: readonly Result[]) => void
 * }} options
 * @returns {Promise<{ results: Result[], calls: number, unanswered: string[] }>} `unanswered` names the endpoints of
 *   openapi.json for which no check got a 2xx answer
 */
export async function runSuite({ url, keys, checks = CHECKS, clockOffsetMs = 0, onResult = () => {} }) {
  const api = new Client({ url, keys })
  try {
    const context = { api, discovery: createDiscovery(api), now: () => Date.now() + clockOffsetMs }
    if (keys.pro) context.usageAtStart = await api.usage()
    const results = await runChecks(checks, context, onResult)
    return { results, calls: api.ledger.answers, unanswered: api.ledger.listUnanswered() }
  } finally {
    api.close()
  }
}
