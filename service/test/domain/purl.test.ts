import { describe, expect, it } from 'vitest'
import { buildPurl } from '../../src/domain/source/ecosystems.ts'

describe('Package URL for an ecosystem and a package name', () => {
  it.each([
    ['npm', 'jquery', 'pkg:npm/jquery'],
    ['npm', '@angular/core', 'pkg:npm/%40angular/core'],
    ['npm', 'JSONStream', 'pkg:npm/JSONStream'],
    ['PyPI', 'Django_Allauth', 'pkg:pypi/django-allauth'],
    ['PyPI', 'zope.interface', 'pkg:pypi/zope.interface'],
    ['Maven', 'org.apache.logging.log4j:log4j-core', 'pkg:maven/org.apache.logging.log4j/log4j-core'],
    ['Go', 'github.com/BurntSushi/toml', 'pkg:golang/github.com/BurntSushi/toml'],
    ['Go', 'stdlib', 'pkg:golang/stdlib'],
    ['crates.io', 'openssl', 'pkg:cargo/openssl'],
    ['Packagist', 'Laravel/Framework', 'pkg:composer/laravel/framework'],
    ['NuGet', 'Newtonsoft.Json', 'pkg:nuget/Newtonsoft.Json'],
    ['RubyGems', 'rails', 'pkg:gem/rails'],
    ['Hex', 'Phoenix', 'pkg:hex/phoenix'],
    ['Pub', 'Flutter-Downloader', 'pkg:pub/flutter_downloader'],
    ['SwiftURL', 'https://github.com/vapor/Vapor.git', 'pkg:swift/github.com/vapor/Vapor'],
    ['SwiftURL', 'github.com/vapor/vapor', 'pkg:swift/github.com/vapor/vapor'],
    ['GitHub Actions', 'Actions/Checkout', 'pkg:githubactions/actions/checkout'],
    ['Bitnami', 'ActiveMQ', 'pkg:bitnami/activemq'],
    ['AlmaLinux:9', 'firefox', 'pkg:rpm/almalinux/firefox'],
    ['Debian:12', 'Linux', 'pkg:deb/debian/linux'],
  ])('for %s and %s is %s', (ecosystem, name, purl) => {
    expect(buildPurl(ecosystem, name)).toBe(purl)
  })

  it.each([
    ['a space and a plus sign', 'a b+c', 'pkg:gem/a%20b%2Bc'],
    ['characters that encodeURIComponent keeps', "a!'()*b", 'pkg:gem/a%21%27%28%29%2Ab'],
    ['letters outside ASCII as UTF-8', 'é', 'pkg:gem/%C3%A9'],
    ['separators of a purl', 'a?b#c@d/e', 'pkg:gem/a%3Fb%23c%40d%2Fe'],
    ['an unpaired surrogate', 'a\ud800', 'pkg:gem/a%EF%BF%BD'],
  ])('percent-encodes %s', (_name, name, purl) => {
    expect(buildPurl('RubyGems', name)).toBe(purl)
  })

  it('leaves hyphens, dots, underscores, tildes and colons unencoded', () => {
    expect(buildPurl('RubyGems', 'a-b.c_d~e:f')).toBe('pkg:gem/a-b.c_d~e:f')
  })

  it.each([
    ['an ecosystem without a purl type', 'Red Hat', 'openssl'],
    ['a Maven name without a group', 'Maven', 'log4j-core'],
    ['a Composer name without a vendor', 'Packagist', 'framework'],
    ['an empty name', 'npm', ' '],
  ])('is null for %s', (_name, ecosystem, name) => {
    expect(buildPurl(ecosystem, name)).toBeNull()
  })
})
