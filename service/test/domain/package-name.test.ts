import { describe, expect, it } from 'vitest'
import { parsePackageName } from '../../src/domain/purl/package-name.ts'

const parse = (purl: string) => {
  const name = parsePackageName(purl)
  return name && [name.vendor, name.product, ...(name.stream ? [name.stream] : [])].join(' ')
}

describe('Package name', () => {
  it.each([
    ['pkg:npm/lodash', 'npm lodash'],
    ['pkg:npm/%40angular/core@1.2.3', 'npm/@angular core'],
    ['pkg:npm/@angular/core', 'npm/@angular core'],
    ['pkg:maven/org.apache.ant/ant@1.10?type=jar#sub/path', 'maven/org.apache.ant ant'],
    ['pkg:golang/github.com/Masterminds/goutils@v1.1.0', 'golang/github.com/masterminds goutils'],
    ['pkg:pypi/Zope_Interface', 'pypi zope-interface'],
    ['pkg:NuGet/Newtonsoft.Json', 'nuget newtonsoft.json'],
    ['pkg:deb/debian/libc6@2.36-9?arch=amd64&distro=bookworm', 'deb/debian libc6'],
    ['pkg://gem/rails', 'gem rails'],
    ['pkg:generic/100%', 'generic 100%'],
    ['pkg:wordpress/plugin/Lark', 'wordpress/plugin lark'],
    ['pkg:composer/wpackagist-plugin/lark@1.0', 'wordpress/plugin lark'],
    ['pkg:composer/wpackagist-theme/lark', 'wordpress/theme lark'],
    ['pkg:rpmmod/redhat/birds:4/lark', 'rpm/redhat lark birds:4'],
    ['pkg:rpmmod/redhat/birds%3Arhel/lark', 'rpm/redhat lark birds:rhel'],
    ['pkg:rpmmod/redhat/painter:flatpak/lark', 'rpmmod/redhat/painter:flatpak lark'],
    ['pkg:rpmmod/redhat/birds@4:905:ab', 'rpmmod/redhat birds'],
  ])('for %s is %s', (purl, name) => {
    expect(parse(purl)).toBe(name)
  })

  it.each(['', 'npm/lodash', 'pkg:npm', 'pkg:npm/', 'pkg:/lodash', `pkg:npm/${'x'.repeat(257)}`])(
    'does not exist for %s',
    (text) => {
      expect(parse(text)).toBeUndefined()
    },
  )
})
