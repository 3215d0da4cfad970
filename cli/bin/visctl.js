#!/usr/bin/env node
// Runs src/main.ts in a checkout and dist/main.js in an installed package, because packages do not ship src.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

enableCompileCache()

const source = new URL('../src/main.ts', import.meta.url)
const isCheckout = existsSync(source)
if (isCheckout) {
  // The export condition "source" makes Node import the TypeScript files of vis-sdk, because in a checkout the compiled
  // files in sdk/dist may be absent or outdated.
  module.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: ['source', ...context.conditions] }),
  })
}
// A program that reads the output of visctl, such as "| head", may close the pipe early. Writing then fails with EPIPE,
// for which visctl exits with code 0. "visctl gate" exits with code 2 for every failure, because its code 0 means that no
// CVE meets a condition, and its code 1 that one does.
const isGate = process.argv[2] === 'gate'
process.stdout.on('error', (error) => process.exit(isGate ? 2 : error.code === 'EPIPE' ? 0 : 1))

const { main } = await import(isCheckout ? source.href : new URL('../dist/main.js', import.meta.url).href)
const { env, stdin, stdout, stderr } = process
process.exitCode = await main({ argv: process.argv.slice(2), env, stdin, stdout, stderr })

/**
 * Caches compiled code in the user's own cache folder. Node's default is the shared temporary folder, where another
 * local user could plant compiled code. If the cache folder is not writable, visctl starts without a cache.
 */
function enableCompileCache() {
  try {
    module.enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'visctl'))
  } catch {
    // The user has no home folder, so compiled code is not cached.
  }
}
