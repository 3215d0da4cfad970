import { describe, expect, it } from 'vitest'
import { containsWords, createNameSearch, isPackageOf } from '../../../src/catalog/resolve/products/words.ts'

describe('A name in a text', () => {
  it.each([
    ['Upgrade Example Router to 2.4', 'example_router', true],
    ['Upgrade Routers to 2.4', 'router', false],
    ['Upgrade it to 2.4', 'it', false],
  ])('is found as whole words: %s, %s', (text, name, isFound) => {
    expect(containsWords(text, name)).toBe(isFound)
  })

  it.each([
    ['A flaw in swift-nio-http2 allows a restart.', 'http2', false],
    ['A flaw in http2-server allows a restart.', 'http2', false],
    ['A flaw in http2. It allows a restart.', 'http2', true],
    ['A flaw in log4j-core allows a restart.', 'log4j_core', true],
    ['A flaw in router.io allows a restart.', 'router', true],
  ])('is named as a whole unless a hyphen joins it with another word: %s, %s', (text, name, isFound) => {
    expect(createNameSearch([text])(name)).toBe(isFound)
  })
})

describe('A package of a product', () => {
  it.each([
    ['org.apache.logging.log4j:log4j-core', 'log4j', true],
    ['org.codehaus.plexus:plexus-utils', 'codehaus-plexus', true],
    ['org.springframework.security.oauth:spring-security-oauth2', 'spring_security_oauth', true],
    ['github.com/example/router', 'router', true],
    ['com.typesafe.akka:akka-http-core', 'http', false],
    ['org.eclipse.jetty.http2:http2-common', 'http', false],
  ])('begins a part of its name with that of the product: %s, %s', (packageName, product, isPackage) => {
    expect(isPackageOf(packageName, product)).toBe(isPackage)
  })
})
