// Reads real documents of distributions from the public repositories that VIS_DISTRIBUTIONS contains, and writes them in
// the form in which the feeds read them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SETTING = 'VIS_DISTRIBUTIONS'

/** A fix that a document states. */
export interface StatedFix {
  /** Id of a CVE or of a GitHub advisory. */
  readonly id: string
  readonly name: string
  /** Absent for a distribution without releases. */
  readonly release?: string
  readonly version: string
}

export function findDistributionData(): string | undefined {
  const folder = process.env[SETTING]
  if (folder) return folder
  process.stderr.write(
    `SKIPPED: the comparison of fixes with the documents of distributions. Set ${SETTING} to a folder with the contents of the repositories vulsio/vuls-data-raw-alpine-secdb (alpine), wolfi-dev/advisories (wolfi) and vulsio/vuls-data-raw-ubuntu-cve-tracker (ubuntu) to run it.\n`,
  )
  return undefined
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const CVE = /^CVE-\d{4}-\d{4,}$/

export interface Documents {
  /** Content of the files, by the name under which a feed reads them. */
  readonly files: Readonly<Record<string, string>>
  readonly fixes: readonly StatedFix[]
}

interface SecdbPackage {
  readonly name: string
  readonly secfixes: Readonly<Record<string, readonly string[]>>
}

export function readAlpine(folder: string, branches: readonly string[]): Documents {
  const files: Record<string, string> = {}
  const fixes: StatedFix[] = []
  for (const branch of branches)
    for (const repository of ['main', 'community']) {
      const text = readFileSync(join(folder, 'alpine', branch, `${repository}.json`), 'utf8')
      files[`alpine-${branch === 'edge' ? branch : `v${branch}`}-${repository}.json`] = text
      for (const { pkg } of JSON.parse(text).packages) fixes.push(...listFixes(pkg, branch))
    }
  return { files, fixes }
}

function listFixes({ name, secfixes }: SecdbPackage, release: string): StatedFix[] {
  return Object.entries(secfixes)
    .filter(([version]) => version !== '0')
    .flatMap(([version, ids]) => ids.filter((id) => CVE.test(id)).map((id) => ({ id, name, release, version })))
}

/** Wolfi's repository has a YAML file per package, from which Wolfi made its security.json. */
export function readWolfi(folder: string): Documents {
  const fixes: StatedFix[] = []
  const packages = readdirSync(join(folder, 'wolfi'))
    .filter((each) => each.endsWith('.advisories.yaml'))
    .map((file) => {
      const name = file.replace('.advisories.yaml', '')
      const secfixes: Record<string, string[]> = {}
      for (const { ids, version } of readWolfiAdvisories(readFileSync(join(folder, 'wolfi', file), 'utf8'))) {
        secfixes[version] = [...(secfixes[version] ?? []), ...ids]
        if (version !== '0') fixes.push(...ids.map((id) => ({ id, name, version })))
      }
      return { pkg: { name, secfixes } }
    })
  return { files: { 'wolfi-security.json': JSON.stringify({ reponame: 'os', packages }) }, fixes }
}

/** The last event of an advisory decides: a fix, or the finding that the package does not have the flaw. */
function readWolfiAdvisories(yaml: string): readonly { readonly ids: readonly string[]; readonly version: string }[] {
  return yaml
    .split(/^ {2}- id: /m)
    .slice(1)
    .flatMap((advisory) => {
      const ids = [...advisory.matchAll(/^ {6}- ((?:CVE|GHSA)-\S+)$/gm)].map(([, id]) => id ?? '')
      const last = advisory.split(/^ {6}- timestamp: /m).at(-1) ?? ''
      const type = /^ {8}type: (\S+)/m.exec(last)?.[1]
      if (type === 'false-positive-determination') return [{ ids, version: '0' }]
      const version = /^ {10}fixed-version: "?([^"\s]+)/m.exec(last)?.[1]
      return type === 'fixed' && version !== undefined ? [{ ids, version }] : []
    })
}

const UBUNTU: Readonly<Record<string, string>> = { jammy: '22.04', noble: '24.04', 'esm-apps/jammy': 'Pro:22.04' }

/** The tracker's facts, in the OSV form that Canonical publishes since 2024. */
export function readUbuntu(folder: string, year: string): Documents {
  const records: object[] = []
  const fixes: StatedFix[] = []
  for (const file of readdirSync(join(folder, 'ubuntu', year))) {
    const { candidate: cveId, packages } = readJson(join(folder, 'ubuntu', year, file))
    const affected = Object.entries(UBUNTU).flatMap(([codeName, release]) =>
      Object.values<{ name: string; status: string; note: string }>(packages?.[codeName] ?? {}).flatMap(
        ({ name, status, note }) => {
          const isFixed = status === 'released' && /^\d/.test(note)
          if (!isFixed && !['needed', 'deferred', 'pending', 'needs-triage'].includes(status)) return []
          if (isFixed) fixes.push({ id: cveId, name, release: release.replace('Pro:', ''), version: note })
          const events = [{ introduced: '0' }, ...(isFixed ? [{ fixed: note }] : [])]
          return [{ package: { ecosystem: `Ubuntu:${release}:LTS`, name }, ranges: [{ type: 'ECOSYSTEM', events }] }]
        },
      ),
    )
    if (CVE.test(cveId) && affected.length > 0)
      records.push({ id: `UBUNTU-${cveId}`, modified: '2024-08-09T12:00:00Z', upstream: [cveId], affected })
  }
  return { files: { 'ubuntu.ndjson': records.map((each) => `${JSON.stringify(each)}\n`).join('') }, fixes }
}

/** No real documents of SUSE are at hand: the names and the build before the fix are real, the advisories invented. */
export function generateSuse(): Documents {
  const fixed = [
    ['CVE-2024-4741', 'openssl-3', '3.1.4-150600.5.10.1'],
    ['CVE-2024-33599', 'glibc', '2.38-150600.14.5.1'],
    ['CVE-2024-6197', 'curl', '8.6.0-150600.4.3.1'],
    ['CVE-2024-37370', 'krb5', '1.20.1-150600.11.3.1'],
  ] as const
  const records = fixed.map(([cveId, name, version], index) => ({
    id: `SUSE-SU-2024:${9000 + index}-1`,
    modified: '2024-08-09T12:00:00Z',
    upstream: [cveId],
    affected: [
      {
        package: { ecosystem: 'SUSE:Linux Enterprise Module for Basesystem 15 SP6', name },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: version }] }],
      },
    ],
  }))
  return {
    files: { 'suse.ndjson': records.map((each) => `${JSON.stringify(each)}\n`).join('') },
    fixes: fixed.map(([id, name, version]) => ({ id, name, release: '15.6', version })),
  }
}
