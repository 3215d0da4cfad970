#!/usr/bin/env node
// Starts the program from src in a checkout and from dist in an installed package, which contains no src.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `vis-server needs Node 24 or newer; this is ${process.version}. In a checkout, "npm ci" installs it: start with "npx vis-server".`,
  )
  process.exit(1)
}

enableCompileCache()

/**
 * After a failed start, an open connection attempt may keep the process alive, so the process exits after this time.
 */
const EXIT_AFTER_FAILURE_MS = 1000

const source = new URL('../src/main.ts', import.meta.url)
const { main } = await import(existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href)
process.exitCode = await main(process.argv)
if (process.exitCode !== 0) setTimeout(() => process.exit(), EXIT_AFTER_FAILURE_MS).unref()

/**
 * Caches compiled code in the user's own cache folder. Node's default is the shared temporary folder, where another
 * local user could plant compiled code. Without a writable folder no code is cached and the program starts as usual.
 */
function enableCompileCache() {
  try {
    module.enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'vis-server'))
  } catch {
    // The user has no home folder, so compiled code is not cached.
  }
}
