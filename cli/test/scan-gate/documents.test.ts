// The gate with default options on documents of common tools: nothing is incomplete by nature (decision E30).
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { startVisctlSetup } from '../visctl-setup.ts'
import { OPENSSL, publishGateCatalog } from './catalog.ts'
import {
  MAVEN_CYCLONEDX,
  NPM_CYCLONEDX,
  SPDX_WITH_FILES,
  SYFT_CYCLONEDX,
  trivyCycloneDx,
  trivyPackage,
  trivySpdx,
} from './documents.ts'

const setup = await startVisctlSetup()
await publishGateCatalog(setup)
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

async function scan(document: object | string, options: readonly string[] = []) {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  const { code, stdout, stderr } = await setup.visctl(['scan', '-', '--fail-on', 'P1', '--json', ...options], {}, text)
  const { gate, overview, components } = JSON.parse(stdout)
  const natures = gate.not_judged.map(({ nature, count }: { nature: string; count: number }) => `${nature} ${count}`)
  return { code, stderr, gate, overview, components, natures }
}

async function runNpmSbom(format: string): Promise<string> {
  const argv = ['sbom', '--sbom-format', format]
  const { stdout } = await promisify(execFile)('npm', argv, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

describe('visctl scan --fail-on with default options', () => {
  it.each(['cyclonedx', 'spdx'])('passes for the npm sbom output of this repository as %s', async (format) => {
    const { code, gate, natures, overview } = await scan(await runNpmSbom(format))

    expect([code, gate.findings]).toEqual([0, []])
    expect(natures).toEqual(['root 1'])
    expect(overview.components_total).toBeGreaterThan(300)
  })

  it.each([
    ['the npm sbom output for a workspace', NPM_CYCLONEDX, ['root 1']],
    ["a Debian image's SBOM from Syft", SYFT_CYCLONEDX, ['root 1', 'file 1', 'operating_system 1']],
    [
      "a Debian image's SBOM from Trivy",
      trivyCycloneDx(trivyPackage('3.0.11', '1~deb12u2')),
      ['root 1', 'file 1', 'operating_system 1'],
    ],
    [
      "a Debian image's SPDX document from Trivy",
      trivySpdx('3.0.11-1~deb12u2'),
      ['root 1', 'file 1', 'operating_system 1'],
    ],
    ['SPDX 2.3 with a root and files', SPDX_WITH_FILES, ['root 1', 'file 1']],
    ['the SBOM of a Maven project', MAVEN_CYCLONEDX, ['root 1']],
  ])('passes for %s', async (_title, document, expected) => {
    const { code, gate, natures, stderr } = await scan(document)

    expect([code, gate.findings], stderr).toEqual([0, []])
    expect(natures).toEqual(expected)
  })

  it.each([
    ['Trivy', trivyCycloneDx(trivyPackage('3.0.11', '1~deb12u1'))],
    ['Trivy in SPDX', trivySpdx('3.0.11-1~deb12u1')],
    ['Syft', JSON.parse(JSON.stringify(SYFT_CYCLONEDX).replaceAll('deb12u2', 'deb12u1'))],
  ])('fails for a Debian package whose source package is affected, as reported by %s', async (_title, document) => {
    const { code, gate } = await scan(document)

    expect([code, gate.findings]).toMatchObject([1, [{ reason: 'affected', count: 1, listed: [{ ids: [OPENSSL] }] }]])
  })

  it('is incomplete for an operating system without a list of its packages', async () => {
    const { code, gate } = await scan(trivyCycloneDx({ type: 'library', name: 'a', purl: 'pkg:npm/a@1.0.0' }))

    expect([code, gate.findings]).toMatchObject([2, [{ reason: 'uncovered', listed: [{ name: 'debian 12.4' }] }]])
  })

  it('is incomplete for packages of distributions that no source covers', async () => {
    const packages = ['pkg:deb/devuan/libssl3@3.0.2?distro=devuan-5', 'pkg:apk/postmarketos/openssl@3.1?distro=24.06']
    const document = trivyCycloneDx(...packages.map((purl) => ({ type: 'library', name: 'x', purl })))
    const { code, gate } = await scan(document)

    expect([code, gate.findings]).toMatchObject([2, [{ reason: 'uncovered', count: 2 }]])
  })

  it('is incomplete for an image listed as a component and for a root with siblings, but accepts both by pattern', async () => {
    const image = { type: 'container', name: 'base', version: '12', purl: 'pkg:oci/base@sha256%3Aab' }
    const document = { ...MAVEN_CYCLONEDX, components: [...MAVEN_CYCLONEDX.components, image] }
    const [refused, accepted] = [await scan(document), await scan(document, ['--own', 'pkg:oci/*'])]

    expect([refused.code, accepted.code]).toEqual([2, 0])
  })
})
