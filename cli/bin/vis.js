#!/usr/bin/env node
// Runs from source in a checkout and from dist when installed: a package never ships src.
import { existsSync } from 'node:fs'
import module from 'node:module'

const source = new URL('../src/main.ts', import.meta.url)
const isCheckout = existsSync(source)
if (isCheckout) {
  // The sdk's sources too: in a checkout its dist may be absent, or old.
  module.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: ['source', ...context.conditions] }),
  })
}
// Whoever reads with "| head" has enough: that is no fault.
process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const { main } = await import(isCheckout ? source.href : new URL('../dist/main.js', import.meta.url).href)
process.exitCode = await main(process.argv.slice(2), process.env)
