// Formats the reports of `vis-server feeds download`.
import type { CollectProgress, CollectReport } from '../../feeds/bundle/collect-feeds.ts'
import { formatNumber, type Table } from './print.ts'

const MEBIBYTE = 1024 ** 2

export function buildDownloadTable(reports: readonly CollectReport[]): Table {
  return {
    headings: ['feed', 'outcome', 'files', 'downloaded', 'MiB'],
    rows: reports.map(({ feed, outcome, files, downloaded, bytes }) => [
      feed,
      outcome,
      files,
      downloaded,
      Math.round((bytes / MEBIBYTE) * 10) / 10,
    ]),
  }
}

export function describeDownloads(reports: readonly CollectReport[]): string[] {
  return reports.flatMap(({ feed, error, notices }) => [
    ...(error === null ? [] : [`${feed}: ${error}`]),
    ...notices.map((notice) => `${feed}: ${notice}`),
  ])
}

/** Example: `nvd  12 files  203.4 MiB  nvd/nvdcve-2.0-2014.json.gz` */
export function formatDownloadProgress({ feed, files, bytes, file }: CollectProgress): string {
  const mebibytes = Math.round((bytes / MEBIBYTE) * 10) / 10
  return [feed, `${formatNumber(files)} files`, `${formatNumber(mebibytes)} MiB`, file].join('  ')
}
