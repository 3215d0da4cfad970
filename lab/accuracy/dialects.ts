// dpkg-query --show --showformat FORMAT | node lab/accuracy/dialects.ts --release 12.4 [--now TIME] [--write FOLDER] [--json]
// compares the findings of a Debian machine's SBOM in the dialects of Syft and Trivy. An error names the FORMAT.
// DATABASE_URL names a published catalog, which is only read. --write keeps the two documents.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { type CommandIo, createProcessIo, readConfig } from '../../service/src/commands/io.ts'
import { printHeading, printJson, printLine, printTable } from '../../service/src/commands/output/print.ts'
import { withCatalogSession } from '../../service/src/commands/publish-now.ts'
import { compareFindings, type Findings, scanDocument } from './compare-dialects.ts'
import { readInstalledPackages, writeSyftSbom, writeTrivySbom } from './debian-sboms.ts'

const { values: options } = parseArgs({
  options: {
    release: { type: 'string' },
    now: { type: 'string' },
    write: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

async function compareDialects(io: CommandIo): Promise<void> {
  const { release, now, write } = options
  if (release === undefined) throw new Error('Name the release of Debian, as in --release 12.4.')
  const packages = readInstalledPackages(await text(io.stdin))
  const documents = {
    // Syft writes the release of the file os-release, Trivy that of the file debian_version.
    syft: writeSyftSbom(packages, release.replace(/\..*$/, '')),
    trivy: writeTrivySbom(packages, release),
  }
  if (write !== undefined)
    for (const [dialect, document] of Object.entries(documents))
      writeFileSync(join(write, `${dialect}.cdx.json`), JSON.stringify(document))
  const time = now === undefined ? new Date() : new Date(now)
  const [syft, trivy] = await withCatalogSession(readConfig(io), async ({ db }) => [
    await scanDocument(db, documents.syft, time),
    await scanDocument(db, documents.trivy, time),
  ])
  if (syft === undefined || trivy === undefined) throw new Error('A document was not scanned.')
  const differences = compareFindings(syft, trivy)
  if (options.json)
    return printJson(io, { packages: packages.length, syft: count(syft), trivy: count(trivy), differences })
  printTable(io, {
    headings: ['dialect', 'packages', 'with hits', 'hits', 'ids'],
    rows: Object.entries({ syft: count(syft), trivy: count(trivy) }).map(([dialect, each]) => [
      dialect,
      each.packages,
      each.withHits,
      each.hits,
      each.ids,
    ]),
  })
  printHeading(io, `\n${differences.length} packages with different findings`)
  for (const { ref, onlyFirst, onlySecond } of differences)
    printLine(io, `${ref}  only Syft: ${onlyFirst.join(', ') || '–'}; only Trivy: ${onlySecond.join(', ') || '–'}`)
}

function count(findings: Findings) {
  const hits = [...findings.values()].map(([, ...each]) => each)
  return {
    packages: findings.size,
    withHits: hits.filter((each) => each.length > 0).length,
    hits: hits.flat().length,
    ids: new Set(hits.flat().map((each) => each.split(' ')[0])).size,
  }
}

await compareDialects(createProcessIo())
