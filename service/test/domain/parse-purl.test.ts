import { describe, expect, it } from 'vitest'
import { parsePurl } from '../../src/domain/purl/parse-purl.ts'
import { buildPurl } from '../../src/domain/source/ecosystems.ts'

describe('Parsed package URL', () => {
  it.each([
    ['pkg:npm/%40angular/core@16.1.0', 'pkg:npm/%40angular/core', '16.1.0'],
    ['pkg:npm/@angular/core@16.1.0', 'pkg:npm/%40angular/core', '16.1.0'],
    ['PKG:PyPI/Django_Allauth@0.63.0', 'pkg:pypi/django-allauth', '0.63.0'],
    ['pkg:maven/org.apache.ant/ant@1.10.11?type=jar', 'pkg:maven/org.apache.ant/ant', '1.10.11'],
    ['pkg:golang/github.com/BurntSushi/toml@v1.2.0#cmd/tomlv', 'pkg:golang/github.com/BurntSushi/toml', 'v1.2.0'],
    ['pkg:composer/Laravel/Framework@v10.0.0', 'pkg:composer/laravel/framework', 'v10.0.0'],
    ['pkg:nuget/Newtonsoft.Json@13.0.1', 'pkg:nuget/Newtonsoft.Json', '13.0.1'],
    ['pkg:apk/alpine/openssl@3.1.4-r5', 'pkg:apk/alpine/openssl', '3.1.4-r5'],
    ['pkg:generic/openssl@3.0.7', 'pkg:generic/openssl', '3.0.7'],
    ['pkg:gem/rails', 'pkg:gem/rails', null],
  ])('%s names the package %s with the version %s', (text, base, version) => {
    expect(parsePurl(text)).toMatchObject({ base, version })
  })

  it('puts the epoch of an RPM or Debian package, which is a qualifier, before its version', () => {
    expect(parsePurl('pkg:rpm/redhat/openssl@1.1.1k-9.el8_7?epoch=1&distro=rhel-8.7')).toMatchObject({
      version: '1:1.1.1k-9.el8_7',
      distro: 'rhel-8.7',
    })
    expect(parsePurl('pkg:deb/debian/openssh@1:9.2p1-2?distro=debian-12')).toMatchObject({
      version: '1:9.2p1-2',
      distro: 'debian-12',
    })
    expect(parsePurl('pkg:deb/debian/openssh@9.2p1-2?epoch=x')).toMatchObject({ version: '9.2p1-2' })
  })

  it.each([
    ['npm', '@angular/core'],
    ['PyPI', 'Django_Allauth'],
    ['Maven', 'org.apache.logging.log4j:log4j-core'],
    ['Go', 'github.com/BurntSushi/toml'],
    ['Packagist', 'Laravel/Framework'],
    ['NuGet', 'Newtonsoft.Json'],
    ['RubyGems', 'rails'],
    ['crates.io', 'openssl'],
    ['Hex', 'Phoenix'],
    ['Pub', 'Flutter-Downloader'],
    ['Debian', 'Linux'],
    ['AlmaLinux:9', 'firefox'],
    ['SwiftURL', 'https://github.com/vapor/Vapor.git'],
  ])('names the package %s %s as the purl that is built for advisories', (ecosystem, name) => {
    const purl = buildPurl(ecosystem, name) ?? ''

    expect(parsePurl(`${purl}@1.0.0`)).toMatchObject({ base: purl })
  })
})

describe('Text that is not a package URL', () => {
  it.each([
    ['an empty text', ''],
    ['a name', 'lodash'],
    ['another scheme', 'https://npmjs.com/lodash'],
    ['no type', 'pkg:lodash'],
    ['no name', 'pkg:npm/'],
    ['a wrong type', 'pkg:n$m/lodash'],
    ['a password', 'pkg://user:password@host/npm/lodash'],
    ['a broken escape', 'pkg:npm/lodash@%zz'],
    ['an encoded NUL in the name', 'pkg:npm/lo%00dash@1.0'],
    ['an encoded NUL in the version', 'pkg:gem/rails@1%00'],
    ['an encoded NUL in a qualifier', 'pkg:deb/debian/libssl3@1?upstream=open%00ssl'],
    ['a line break', 'pkg:gem/rails@1\n'],
    ['more than 1,024 characters', `pkg:gem/${'a'.repeat(1024)}`],
  ])('is rejected with a reason: %s', (_name, text) => {
    expect(parsePurl(text)).toEqual({ error: expect.stringMatching(/^must /) })
  })

  it.each([
    ['slashes', '/'],
    ['at signs', '@'],
    ['escapes', '%2F'],
    ['double escapes', '%25'],
    ['qualifiers', '?a=b&'],
    ['fragments', '#'],
    ['nested purls', 'pkg:npm/'],
    ['colons', ':'],
  ])('is rejected in less than 100 ms with as many %s as fit', (_name, unit) => {
    const started = performance.now()
    parsePurl(`pkg:npm/a${unit.repeat(1024)}`.slice(0, 1024))

    expect(performance.now() - started).toBeLessThan(100)
  })
})
