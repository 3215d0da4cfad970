// Filter helpers that several visctl commands share.
import type { SearchFilters } from 'vis-sdk'
import { PRIORITY_WORDS, SEVERITY_WORDS, searchCvesParameters } from 'vis-sdk/vocabulary'

/** Heading above the filters in a command's help. */
export const FILTER_GROUP = 'Filters:'

export const SEVERITIES: readonly string[] = Object.keys(SEVERITY_WORDS)

/** Levels that a gate can require, most urgent first. An unrated CVE makes a gate incomplete instead. */
export const LEVELS: readonly string[] = Object.keys(PRIORITY_WORDS).filter((level) => level !== 'unrated')

/** Filters that the service accepts only together with include=enrichment. */
const ENRICHMENT_FILTERS = Object.entries<object>(searchCvesParameters)
  .filter(([, parameter]) => 'needs' in parameter && parameter.needs === 'include=enrichment')
  .map(([name]) => name)

/** Adds include=enrichment if a filter requires it. */
export function addEnrichment(filters: SearchFilters): SearchFilters {
  const { include = [] } = filters
  const needsEnrichment = ENRICHMENT_FILTERS.some((name) => name in filters)
  return needsEnrichment && !include.includes('enrichment')
    ? { ...filters, include: [...include, 'enrichment'] }
    : filters
}
