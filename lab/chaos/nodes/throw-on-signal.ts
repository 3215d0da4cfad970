// Preloaded into a process with `node --import`, so that a test can cause errors that no code catches: SIGUSR2 throws
// from a timer, SIGWINCH rejects a promise. The messages contain an API key, which must not appear in the log.
const KEY = `vis_live_${'K'.repeat(43)}`

process.on('SIGUSR2', () => {
  setTimeout(() => {
    throw new Error(`thrown by the test with ${KEY}`)
  })
})

process.on('SIGWINCH', () => {
  void Promise.reject(new Error(`rejected by the test with ${KEY}`))
})
