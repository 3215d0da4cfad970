// Prints the results of a suite run.

const ofStatus = (results, status) => results.filter((result) => result.status === status)

/**
 * @param {readonly import('./suite.mjs').Result[]} results
 * @returns {{ passed: number, failed: number, skipped: number }}
 */
export function countResults(results) {
  return {
    passed: ofStatus(results, 'passed').length,
    failed: ofStatus(results, 'failed').length,
    skipped: ofStatus(results, 'skipped').length,
  }
}

/**
 * Prints skipped and failed checks with their reasons, one line per section, and the counts in the last line.
 *
 * @param {readonly import('./suite.mjs').Result[]} results
 */
export function printReport(results) {
  for (const { section, name, reason } of ofStatus(results, 'skipped'))
    console.log(`SKIPPED ${section}: ${name}\n        ${reason}`)
  for (const { section, name, reason, trace } of ofStatus(results, 'failed')) {
    console.log(`FAILED  ${section}: ${name}\n        ${reason}`)
    for (const line of trace) console.log(`        > ${line}`)
  }
  for (const [section, own] of Map.groupBy(results, (result) => result.section)) printSection(section, own)
  const { passed, failed, skipped } = countResults(results)
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
}

function printSection(section, results) {
  const ms = results.reduce((sum, result) => sum + result.ms, 0)
  console.log(`${section.padEnd(16)} ${countResults(results).passed}/${results.length} passed, ${ms} ms`)
}
