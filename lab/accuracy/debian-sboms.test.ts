import { describe, expect, it } from 'vitest'
import { readSbom } from '../../service/src/matching/sbom/document/read-sbom.ts'
import { compareFindings } from './compare-dialects.ts'
import { LIST_FORMAT, readInstalledPackages, writeSyftSbom, writeTrivySbom } from './debian-sboms.ts'

const LIST = [
  'libssl3\t3.0.11-1~deb12u2\tamd64\topenssl\t3.0.11-1~deb12u2',
  'openssh-client\t1:9.2p1-2+deb12u2\tamd64\topenssh\t1:9.2p1-2+deb12u2',
  'wget\t1.21.3-1+b2\tamd64\twget\t1.21.3-1',
  'liblvm2cmd2.03\t2.03.16-2\tamd64\tlvm2\t2.03.16-2',
  'dmsetup\t2:1.02.185-2\tamd64\tlvm2\t2.03.16-2',
  'adduser\t3.134\tall\tadduser\t3.134',
  'libstdc++6\t12.2.0-14\tamd64\tgcc-12\t12.2.0-14',
].join('\n')

describe('SBOMs of a Debian machine', () => {
  it('name the same source packages, versions and releases in both dialects', () => {
    const packages = readInstalledPackages(LIST)
    const read = (document: object) =>
      readSbom(document, '').components.map(({ ref, component: { vendor, product, version, target } }) => {
        return `${ref} ${vendor} ${product} ${version?.text} ${target}`
      })
    const syft = read(writeSyftSbom(packages, '12'))
    expect(syft).toEqual(read(writeTrivySbom(packages, '12.4')))
    expect(syft.slice(1, 5)).toEqual([
      'openssh-client-amd64 deb/debian openssh 1:9.2p1-2+deb12u2 bookworm',
      'wget-amd64 deb/debian wget 1.21.3-1 bookworm',
      'liblvm2cmd2.03-amd64 deb/debian lvm2 2.03.16-2 bookworm',
      'dmsetup-amd64 deb/debian lvm2 2.03.16-2 bookworm',
    ])
  })

  it('are not written from a list with other columns, and the error names the right ones', () => {
    expect(LIST_FORMAT).toMatch(/^\$\{Package\}\\t.*\\n$/)
    expect(() => readInstalledPackages('libssl3\t3.0.11-1')).toThrow(LIST_FORMAT)
  })

  it('are compared by package, also one that only one document lists', () => {
    const first = new Map([
      ['a', ['affected', 'CVE-2026-0001']],
      ['b', ['affected']],
    ])
    const second = new Map([['a', ['affected', 'CVE-2026-0002']]])
    expect(compareFindings(first, second)).toEqual([
      { ref: 'a', onlyFirst: ['CVE-2026-0001'], onlySecond: ['CVE-2026-0002'] },
      { ref: 'b', onlyFirst: ['affected'], onlySecond: ['absent'] },
    ])
    expect(compareFindings(first, first)).toEqual([])
  })
})
